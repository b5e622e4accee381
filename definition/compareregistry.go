package definition

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// registry compares the definition with the service of the provider in a .reg file.
func (c *fileComparison) registry() {
	for _, k := range c.file.registry.services {
		if strings.EqualFold(k.name, c.definition.ServiceName()) {
			c.service(k)
		}
	}
}

func (c *fileComparison) service(k regKey) {
	p := c.definition
	in := p.element()
	for _, v := range p.registryValues() {
		key := strings.ToLower(v.name)
		at, is := k.values[key]
		got, same := at.text, at.text == v.value
		if v.name == "Library" {
			if p.Library == "" { // an installer can write a folder
				got = fileBase(got)
			}
			same = strings.EqualFold(got, v.value)
		}
		if is && (at.kind == regString || at.kind == regExpand) && !same { // reg-required-values reports other values
			what := v.name
			if c.inverse {
				what = key
			}
			c.differ(what+" is", in.spot(key), spot{at: at.at}, v.value, got)
		}
	}
	first, is := k.values["first counter"]
	if !is || first.kind != regDword {
		return
	}
	if p.FirstCounter != nil && *p.FirstCounter != first.number {
		c.differ("First Counter is", in.spot("firstCounter"), spot{at: first.at}, decimal(*p.FirstCounter), decimal(first.number))
	}
	if list, is := k.values["object list"]; is && list.text != "" {
		var want []uint32
		for _, t := range p.Titles() {
			if t.Counter == nil {
				want = append(want, first.number+t.Number)
			}
		}
		var got []uint32
		for word := range strings.FieldsSeq(list.text) {
			if n, err := strconv.ParseUint(word, 10, 32); err == nil {
				got = append(got, uint32(n))
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			c.differ("Object List is", in.spot("counterSets"), spot{at: list.at}, numbersText(want), numbersText(got))
		}
	}
}

// numbersText returns numbers with spaces between them.
func numbersText(list []uint32) string { return strings.Trim(fmt.Sprint(list), "[]") }
