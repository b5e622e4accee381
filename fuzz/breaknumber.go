package fuzz

import (
	"math"
	"strings"
)

// A number is a function that chooses a number. The choice may depend on the current block.
type number func(*faultyBlock) int64

func blockSize(f *faultyBlock) int64 { return f.size() }

// field returns the number in the field at a path.
func field(path string) number { return func(f *faultyBlock) int64 { return f.get(path) } }

// span returns the distance from the start of one part to the end of another part: see [faultyBlock.distance].
func span(first, last string) number {
	return func(f *faultyBlock) int64 { return f.distance(first, last) }
}

// toOneOf chooses one of the numbers.
func toOneOf(choices ...int64) number {
	return func(f *faultyBlock) int64 { return pick(f.Source, choices...) }
}

// toEither chooses one of the functions and returns the number that this function chooses.
func toEither(choices ...number) number {
	return func(f *faultyBlock) int64 { return pick(f.Source, choices...)(f) }
}

// toAtLeast chooses a number of 32 bits that is at least n.
func toAtLeast(n int64) number { return func(f *faultyBlock) int64 { return f.atLeast(n) } }

// toMoreThan chooses a number of 32 bits that is greater than n.
func toMoreThan(n number) number { return func(f *faultyBlock) int64 { return f.atLeast(n(f) + 1) } }

// toBelow chooses a number from 0 to limit-1.
func toBelow(limit int) number { return func(f *faultyBlock) int64 { return int64(f.upTo(limit)) } }

// toOutside chooses a number below lo or above hi.
func toOutside(lo int, hi number) number { return toEither(toBelow(lo), toMoreThan(hi)) }

// toOther chooses a number from lo to hi that is not equal to `old`.
func toOther(lo int64, hi, old number) number {
	return func(f *faultyBlock) int64 { return f.other(lo, hi(f), old(f)) }
}

// toUnaligned chooses a number from lo to hi that is not a multiple of 8.
func toUnaligned(lo int64, hi number) number {
	return func(f *faultyBlock) int64 { return f.unaligned(lo, hi(f)) }
}

// toNotPositive chooses a number of 64 bits that is 0 or less.
func toNotPositive(f *faultyBlock) int64 {
	return pick(f.Source, 0, -1, math.MinInt64, -int64(f.uint64()>>1))
}

// toNameTitle chooses a title index that no name may have: 0, or an odd number.
func toNameTitle(f *faultyBlock) int64 { return pick(f.Source, 0, int64(f.uint32()|1)) }

// toHelpTitle chooses a title index that no help text may have: an even number.
func toHelpTitle(f *faultyBlock) int64 { return int64(max(f.uint32()&^1, 2)) }

// atLeast returns a number of 32 bits that is at least n.
func (f *faultyBlock) atLeast(n int64) int64 {
	return min(n+pick(f.Source, 0, int64(f.upTo(64)), int64(f.uint32())), math.MaxUint32)
}

// notMultipleOf8 returns a small number of bytes that is not a multiple of 8.
func (f *faultyBlock) notMultipleOf8() int { return 1 + f.upTo(7) + 8*f.upTo(8) }

// anyPadding returns a small number of bytes, which is a multiple of 8 in half of the cases.
func (f *faultyBlock) anyPadding() int { return pick(f.Source, 8*(1+f.upTo(8)), f.notMultipleOf8()) }

// other returns a number from lo to hi that is not equal to `old`. lo and hi must differ.
func (f *faultyBlock) other(lo, hi, old int64) int64 {
	n := lo + int64(f.upTo(int(hi-lo)))
	if n >= old {
		n++
	}
	return n
}

// otherMultipleOf8 returns a multiple of 8 from lo to hi that is not equal to `old`. lo must be a multiple of 8.
func (f *faultyBlock) otherMultipleOf8(lo, hi, old int64) int64 {
	return 8 * f.other(lo/8, hi/8, old/8)
}

// setOtherSize changes a size field to another multiple of 8 that is at least `least`. The record still ends inside
// its parent.
func (f *faultyBlock) setOtherSize(path string, least int64, parent string) {
	record := path[:strings.LastIndexByte(path, '.')]
	f.set(path, f.otherMultipleOf8(least, f.distance(record, parent), f.get(path)))
}

// unaligned returns a number from lo to hi that is not a multiple of 8.
func (f *faultyBlock) unaligned(lo, hi int64) int64 {
	n := lo + int64(f.upTo(int(hi-lo+1)))
	switch {
	case n%8 != 0:
		return n
	case n < hi:
		return n + 1
	}
	return n - 1
}

// twoBelow returns two different numbers from 0 to n-1, the smaller number first.
func (f *faultyBlock) twoBelow(n int) (first, second int) {
	second = 1 + f.upTo(n-1)
	return f.upTo(second), second
}

// twoInAnyOrder returns two different numbers from 0 to n-1.
func (f *faultyBlock) twoInAnyOrder(n int) (int, int) {
	first, second := f.twoBelow(n)
	if f.chance(128) {
		return second, first
	}
	return first, second
}

// undefinedLevel returns a DetailLevel that winperf.h does not define.
func (f *faultyBlock) undefinedLevel() int64 {
	return pick(f.Source, int64(f.upTo(100)), 100*int64(1+f.upTo(4))+1+int64(f.upTo(99)), f.atLeast(401))
}

// utf16Unit returns a UTF-16 code unit from 0x0001 to 0xD7FF. The surrogates start at 0xD800.
func (f *faultyBlock) utf16Unit() uint16 { return uint16(1 + f.upTo(0xD7FF)) }

// halfSurrogate returns half of a surrogate pair.
func (f *faultyBlock) halfSurrogate() uint16 { return uint16(0xD800 + f.upTo(0x800)) }

// breakSystemTime sets a field of the SystemTime to a number out of the range of the field.
func (f *faultyBlock) breakSystemTime() {
	r := pick(f.Source, systemTimeRanges...)
	if r.least > 0 && f.chance(128) {
		f.set("SystemTime."+r.name, int64(f.upTo(r.least)))
		return
	}
	f.set("SystemTime."+r.name, int64(r.most+1+f.upTo(1<<16-1-r.most)))
}

var systemTimeRanges = []struct {
	name        string
	least, most int
}{
	{"wYear", 1601, 30827}, {"wMonth", 1, 12}, {"wDayOfWeek", 0, 6}, {"wDay", 1, 31},
	{"wHour", 0, 23}, {"wMinute", 0, 59}, {"wSecond", 0, 59}, {"wMilliseconds", 0, 999},
}
