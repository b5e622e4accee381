package fuzz

var counterDataBreakers = []breaker{
	{"v2-counter-data-bounds", nil, func(v *victim) {
		v.answers(v.withData())
		data := v.someValue()
		v.set(data+".dwSize", pick(v.Source, int64(v.upTo(8)), v.from(v.rest(data, v.res(""))+1)))
	}},
	{"v2-counter-data-datasize", nil, func(v *victim) {
		v.answers(v.withData())
		v.set(v.someValue()+".dwDataSize", v.from(9))
	}},
	{"v2-counter-data-align", nil, func(v *victim) {
		v.answers(v.withData())
		data := v.someValue()
		v.set(data+".dwSize", v.unalignedSize(data, v.res(""), 8))
	}},
	{"v2-counter-data-slack", nil, func(v *victim) {
		v.answers(v.withData())
		data := v.someValue()
		v.splice(v.part(data).End(), make([]byte, 8*(1+v.upTo(4))), v.sizesOver(data)...)
	}},
	{"v2-counter-data-empty", nil, func(v *victim) {
		v.answers(v.withData())
		v.cutValue(v.someValue(), 0)
	}},
	{"v2-counter-data-width", nil, func(v *victim) {
		v.answers(v.withData())
		data := v.someValue()
		if v.chance(80) { // a longer value
			n := 1 + v.upTo(200)
			v.splice(v.part(data).End(), make([]byte, (n+7)&^7), v.sizesOver(data)...)
			v.set(data+".dwDataSize", int64(8+n))
			return
		}
		v.cutValue(data, pick[int64](v.Source, 1, 2, 3, 5, 6, 7))
	}},
	{"v2-counter-data-width-type", also{"v2-counter-data-empty", "v2-counter-data-width"}, func(v *victim) {
		v.joined(v.withData())
		data := v.someValue()
		if n := v.get(data + ".dwDataSize"); n == 4 && v.chance(128) {
			v.set(data+".dwDataSize", 8)
			return
		} else if n == 4 {
			v.cutValue(data, pick[int64](v.Source, 0, 1, 2, 3, 5, 6, 7))
			return
		}
		v.cutValue(data, pick[int64](v.Source, 4, 0, 1, 2, 3, 5, 6, 7))
	}},
}

// sizesOver returns the paths of the sizes that include a value.
func (v *victim) sizesOver(data string) []string {
	all := []string{"dwTotalSize", v.res("dwSize"), data + ".dwSize"}
	if v.inhabits() {
		all = append(all, v.res("instances.dwTotalSize"))
	}
	return all
}

// cutValue replaces a value by n zeros.
func (v *victim) cutValue(data string, n int64) {
	clear(v.block[v.part(data).Off()+8:][:8])
	v.set(data+".dwDataSize", n)
}
