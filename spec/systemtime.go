package spec

import (
	"fmt"
	"time"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"go.yaml.in/yaml/v4"
)

// dateFormat is how a SystemTime is written that is a moment up to the year 9999.
const dateFormat = "2006-01-02T15:04:05.000Z"

var timeForm = &form{
	name:   "a moment such as 2020-05-01T12:34:56.789Z, or a mapping of SYSTEMTIME's fields",
	schema: anyOf(members{{"type", "string"}, {"pattern", `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3}0*)?(Z|[+-]\d\d:\d\d)$`}}, ref("systemTime")),
	read: func(n *yaml.Node, to any) error {
		out := to.(*layout.SystemTime)
		if n.Kind == yaml.MappingNode {
			return timeMapping.read(n, out)
		}
		if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
			return fmt.Errorf("wants a moment such as %s, not %s", dateFormat, describe(n))
		}
		t, err := time.Parse(time.RFC3339Nano, n.Value)
		if err != nil {
			return fmt.Errorf("%s is no moment such as %s", quote.Short(n.Value), dateFormat)
		}
		if t.Nanosecond()%1e6 != 0 {
			return fmt.Errorf("%s is finer than milliseconds, which is all that SYSTEMTIME holds", quote.Short(n.Value))
		}
		*out, err = layout.SystemTimeOf(t)
		return err
	},
	zero: func(from any) bool { return *from.(*layout.SystemTime) == layout.SystemTime{} },
	write: func(b []byte, from any, indent string) ([]byte, error) {
		s := from.(*layout.SystemTime)
		if t, err := s.Time(); err == nil && t.Year() <= 9999 {
			return t.AppendFormat(append(b, ' '), dateFormat), nil
		}
		b, err := timeMapping.write(append(b, " {"...), s, indent, comma)
		return append(b, '}'), err
	},
}

// comma separates the keys of a mapping in braces.
func comma(first bool) string {
	if first {
		return ""
	}
	return ", "
}

type timeKey = key[layout.SystemTime]

var timeMapping = mapping[layout.SystemTime]{
	name: "systemTime", what: "SystemTime", record: &layout.SYSTEMTIME,
	doc: "A SYSTEMTIME field by field, for one that is no moment: the wrong day of the week, 30 February. What is left out is 0.",
	keys: []timeKey{
		{name: "wYear", form: wordForm, field: func(s *layout.SystemTime) any { return &s.WYear }},
		{name: "wMonth", form: wordForm, field: func(s *layout.SystemTime) any { return &s.WMonth }},
		{name: "wDayOfWeek", form: wordForm, field: func(s *layout.SystemTime) any { return &s.WDayOfWeek }},
		{name: "wDay", form: wordForm, field: func(s *layout.SystemTime) any { return &s.WDay }},
		{name: "wHour", form: wordForm, field: func(s *layout.SystemTime) any { return &s.WHour }},
		{name: "wMinute", form: wordForm, field: func(s *layout.SystemTime) any { return &s.WMinute }},
		{name: "wSecond", form: wordForm, field: func(s *layout.SystemTime) any { return &s.WSecond }},
		{name: "wMilliseconds", form: wordForm, field: func(s *layout.SystemTime) any { return &s.WMilliseconds }},
	},
}

var wordForm = integer("number", span{0, 1<<16 - 1})
