package fuzz

import (
	"math"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// from returns a number of 32 bits that is at least least.
func (v *victim) from(least int64) int64 {
	return min(least+pick(v.Source, 0, int64(v.upTo(64)), int64(v.uint32())), math.MaxUint32)
}

// notPositive returns a number of 64 bits that is 0 or less.
func (v *victim) notPositive() int64 {
	return pick(v.Source, 0, -1, math.MinInt64, -int64(v.uint64()>>1))
}

// uneven returns a number of bytes that is not a multiple of 8.
func (v *victim) uneven() int { return 1 + v.upTo(7) + 8*v.upTo(8) }

// other returns a number from least to most except is. There must be one.
func (v *victim) other(least, most, is int64) int64 {
	n := least + int64(v.upTo(int(most-least)))
	if n >= is {
		n++
	}
	return n
}

// otherEight returns a multiple of 8 from least to most except is. least is a multiple of 8.
func (v *victim) otherEight(least, most, is int64) int64 {
	return 8 * v.other(least/8, most/8, is/8)
}

// noEight returns a number from least to most that is not a multiple of 8.
func (v *victim) noEight(least, most int64) int64 {
	n := least + int64(v.upTo(int(most-least+1)))
	switch {
	case n%8 != 0:
		return n
	case n < most:
		return n + 1
	}
	return n - 1
}

// unit returns a character of UTF-16 other than NUL and surrogates.
func (v *victim) unit() uint16 {
	c := uint16(1 + v.upTo(1<<16-1))
	if c >= 0xD800 && c < 0xE000 {
		c -= 0x800
	}
	return c
}

// half returns half of a surrogate pair.
func (v *victim) half() uint16 { return uint16(0xD800 + v.upTo(0x800)) }

// outOfRange sets a field of the SystemTime to a number out of its range.
func (v *victim) outOfRange() {
	f := pick(v.Source, systemTimeRanges...)
	if f.least > 0 && v.chance(128) {
		v.set("SystemTime."+f.name, int64(v.upTo(f.least)))
		return
	}
	v.set("SystemTime."+f.name, int64(f.most+1+v.upTo(1<<16-1-f.most)))
}

var systemTimeRanges = []struct {
	name        string
	least, most int
}{
	{"wYear", 1601, 30827}, {"wMonth", 1, 12}, {"wDayOfWeek", 0, 6}, {"wDay", 1, 31},
	{"wHour", 0, 23}, {"wMinute", 0, 59}, {"wSecond", 0, 59}, {"wMilliseconds", 0, 999},
}

const alphabet = "abcdefghijklmnopqrstuvwxyz"

// distinctLetters are the letters that distinguish names. Their codes are odd: such a letter and the NUL after it are not a
// plausible length, which would be a multiple of 8.
const distinctLetters = "acegikmoqsuwy"

// characters returns the length of a name without the letters that distinguish it from others. Breakers vary the lengths
// of names, because a fault could be missed for names of some lengths only.
func (v *victim) characters() int { return v.upTo(min(v.MaxText, 100) + 1) }

// labels returns n names of one length, at least least, that differ in their last letters.
func (v *victim) labels(n, least int, alphabet string) []string {
	letters, few := []rune(alphabet), 1
	for told := len(distinctLetters); told < n; told *= len(distinctLetters) {
		few++
	}
	stem, first := max(v.characters(), least-few), v.upTo(len(letters))
	list := make([]string, n)
	for i := range list {
		name := make([]rune, stem+few)
		for j := range stem {
			name[j] = letters[(first+j)%len(letters)]
		}
		for j, rest := len(name)-1, i; j >= stem; j, rest = j-1, rest/len(distinctLetters) {
			name[j] = rune(distinctLetters[rest%len(distinctLetters)])
		}
		list[i] = string(name)
	}
	return list
}

// anyKindBreakers break the rules about several kinds of V2.
var anyKindBreakers = []breaker{
	{"v2-trailing-bytes", nil, func(v *victim) {
		switch v.upTo(5) {
		case 0:
			v.query(v.anyResult())
		case 1:
			v.model(new(builder.RegString(v.padded())))
			v.block = append(v.block, v.bytes(2*v.upTo(100))...)
			v.block = append(v.block, 0, 0) // the text still ends in a NUL
			return
		case 2:
			v.model(new(builder.StringBuffer{}).Counter(1, v.padded()))
		case 3:
			v.template(1)
		case 4:
			v.model(&builder.CounterSetInstance{CounterSetGuid: v.guid(), Name: v.padded(), Values: []uint64{v.uint64()}})
		}
		v.block = append(v.block, v.bytes(1+v.upTo(200))...)
	}},
	{"v2-padding-nonzero", nil, func(v *victim) {
		switch v.upTo(5) {
		case 0:
			v.query(v.sizedResult(layout.PERF_COUNTERSET, 1+2*v.upTo(4), 1+v.upTo(v.MaxInstances)))
		case 1:
			names := v.names(1)
			names[v.upTo(len(names))].Name = v.padded()
			v.listOf(names)
		case 2:
			list := v.returned()
			list[v.upTo(len(list))].Name = v.padded()
			v.model(&list)
		case 3:
			v.model(new(builder.StringBuffer{}).Counter(1, v.padded()))
		case 4:
			v.model(&builder.CounterSetInstance{CounterSetGuid: v.guid(), Name: v.padded(), Values: []uint64{v.uint64()}})
		}
		gaps := slices.Collect(func(yield func(layout.Part) bool) {
			for part := range layout.Walk(v.kind, v.block) {
				if strings.HasSuffix(part.Path.String(), "padding") && part.Len() > 0 && !yield(part) {
					return
				}
			}
		})
		gap := pick(v.Source, gaps...).Bytes()
		gap[v.upTo(len(gap))] = byte(1 + v.upTo(255))
	}},
}

// padded returns a text that requires padding to a multiple of 8 bytes.
func (v *victim) padded() string { return strings.Repeat("n", 2+4*v.upTo(min(6, 1+v.MaxText/4))) }
