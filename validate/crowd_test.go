package validate_test

import "github.com/perfblock/perfblock/internal/wire"

// many returns n instances that one makes.
func many(n int, one func(i int) laid) []laid {
	list := make([]laid, n)
	for i := range list {
		list[i] = one(i)
	}
	return list
}

// defined returns n counters that change changes.
func defined(n int, change func(i int, c *wire.CounterDefinition)) []wire.CounterDefinition {
	list := make([]wire.CounterDefinition, n)
	for i := range list {
		list[i] = counting[0]
		list[i].CounterNameTitleIndex, list[i].CounterHelpTitleIndex = uint32(4002+2*i), uint32(4003+2*i)
		change(i, &list[i])
	}
	return list
}

// folding returns name i of those that are one name but for the case of 20 letters.
func folding(i int) []byte {
	name := text16("abcdefghijklmnopqrst")
	for bit := range 20 {
		name[2*bit] ^= byte(i>>bit&1) << 5
	}
	return ended(name, 0)
}
