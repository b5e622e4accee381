package diff

import (
	"bytes"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// match finds the node of B for each node of A.
func (c *comparison) match() {
	c.a.match, c.b.match = unmatched(len(c.a.nodes)), unmatched(len(c.b.nodes))
	c.a.isFirst = true
	c.pair(whole, whole)
}

func unmatched(n int) []int32 { return slices.Repeat([]int32{-1}, n) }

// pair matches two nodes, and then the nodes inside these two nodes.
func (c *comparison) pair(a, b int32) {
	c.a.match[a], c.b.match[b] = b, a
	n := &c.a.nodes[a]
	if n.sort != layout.RecordPart || c.a.recordOf(n) == &layout.PERF_COUNTER_BLOCK {
		return
	}
	x, y := a+1, b+1
	endX, endY := n.next, c.b.nodes[b].next
	for x < endX && y < endY && c.same(x, y) {
		c.pair(x, y)
		x, y = c.a.nodes[x].next, c.b.nodes[y].next
	}
	if x < endX && y < endY {
		c.matchLists(x, endX, y, endY)
	}
}

// same reports whether two nodes have the same identity.
func (c *comparison) same(a, b int32) bool { return bytes.Equal(c.a.identity(a), c.b.identity(b)) }

// matchLists matches the nodes from x to endX in A with the nodes from y to endY in B. Two nodes can match only if they
// have the same name.
func (c *comparison) matchLists(x, endX, y, endY int32) {
	type list struct {
		name string
		a, b []int32
	}
	var all []list
	at := func(name string) *list {
		for i := range all {
			if all[i].name == name {
				return &all[i]
			}
		}
		all = append(all, list{name: name})
		return &all[len(all)-1]
	}
	for ; x < endX; x = c.a.nodes[x].next {
		l := at(c.a.name(x))
		l.a = append(l.a, x)
	}
	for ; y < endY; y = c.b.nodes[y].next {
		l := at(c.b.name(y))
		l.b = append(l.b, y)
	}
	for _, l := range all {
		c.align(l.a, l.b)
		c.byKey(l.a, l.b, (*tree).identity)
		if l.name != "instance" {
			c.byKey(l.a, l.b, (*tree).secondKey)
		}
		if l.name != "data" { // values have the order of the ids, so only the ids can be marked as moved
			c.markMoved(l.a, l.b)
		}
	}
}

// align matches nodes with the same identity from the start of two lists. It stops where the order differs.
func (c *comparison) align(a, b []int32) {
	var more map[string]int // by identity: the number of nodes in a minus the number of nodes in b
	for len(a) > 0 && len(b) > 0 {
		if c.same(a[0], b[0]) {
			c.pair(a[0], b[0])
			a, b = a[1:], b[1:]
			continue
		}
		if more == nil {
			more = c.surplus(a, b)
		}
		keyA, keyB := string(c.a.identity(a[0])), string(c.b.identity(b[0]))
		// If list a has more nodes with the identity keyA than list b has, skip a[0]. If list b has more nodes with the
		// identity keyB than list a has, skip b[0].
		inA, inB := more[keyA] > 0, more[keyB] < 0
		if !inA && !inB {
			return
		}
		if inA {
			more[keyA]--
		}
		if inB {
			more[keyB]++
		}
		if inA && inB && c.similar(a[0], b[0]) {
			c.pair(a[0], b[0])
		}
		if inA {
			a = a[1:]
		}
		if inB {
			b = b[1:]
		}
	}
}

// surplus returns, for each identity, the number of its nodes in the first list minus the number in the second list.
func (c *comparison) surplus(a, b []int32) map[string]int {
	more := make(map[string]int)
	for _, x := range a {
		more[string(c.a.identity(x))]++
	}
	for _, y := range b {
		more[string(c.b.identity(y))]--
	}
	return more
}

// similar reports whether two nodes can match although their identities differ. Two records of one type can match if
// one of them could not be read in full. Other nodes can match if their second keys are equal: see
// [tree.appendSimilar].
func (c *comparison) similar(a, b int32) bool {
	if c.a.record(a) == c.b.record(b) && (c.a.nodes[a].broken || c.b.nodes[b].broken) {
		return true
	}
	key := c.a.secondKey(a)
	return len(key) > 0 && bytes.Equal(key, c.b.secondKey(b))
}

// byKey matches nodes with the same key, in their order. It skips nodes that already have a match.
func (c *comparison) byKey(a, b []int32, keyOf func(t *tree, i int32) []byte) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	// first maps a key to the index in b of the first unmatched node with this key. next maps the index of a node in b
	// to the index of the next unmatched node with the same key. -1 means that there is no further node.
	first, next := make(map[string]int32), unmatched(len(b))
	for i, y := range slices.Backward(b) {
		if c.b.match[y] >= 0 {
			continue
		}
		key := string(keyOf(c.b, y))
		if later, ok := first[key]; ok {
			next[i] = later
		}
		first[key] = int32(i)
	}
	for _, x := range a {
		if c.a.match[x] >= 0 {
			continue
		}
		key := keyOf(c.a, x)
		if i, ok := first[string(key)]; ok && i >= 0 && len(key) > 0 {
			first[string(key)] = next[i]
			c.pair(x, b[i])
		}
	}
}

// markMoved marks records of a list as moved, so that the other records have the same order in both blocks. It marks as
// few records as possible.
func (c *comparison) markMoved(a, b []int32) {
	to := c.a.match
	if c.swapped { // the choice between two records that changed places must not depend on the order of the blocks
		a, to = b, c.b.match
	}
	var from, position []int32
	inOrder := true
	for _, x := range a {
		if to[x] >= 0 {
			inOrder = inOrder && (len(position) == 0 || position[len(position)-1] < to[x])
			from, position = append(from, x), append(position, to[x])
		}
	}
	if inOrder {
		return
	}
	kept := longestIncreasing(position)
	for i, x := range from {
		if len(kept) > 0 && kept[0] == i {
			kept = kept[1:]
			continue
		}
		if c.swapped {
			x = to[x]
		}
		if c.moved == nil {
			c.moved = make(map[int32]bool)
		}
		c.moved[x] = true
	}
}

// longestIncreasing returns the indexes of a longest increasing subsequence of list. The numbers in list are distinct.
func longestIncreasing(list []int32) []int {
	ends := make([]int, 0, len(list)) // the index at which the best sequence of each length ends
	before := make([]int, len(list))
	for i, v := range list {
		length, _ := slices.BinarySearchFunc(ends, v, func(end int, v int32) int { return int(list[end]) - int(v) })
		if before[i] = -1; length > 0 {
			before[i] = ends[length-1]
		}
		if length == len(ends) {
			ends = append(ends, i)
		} else {
			ends[length] = i
		}
	}
	kept := make([]int, len(ends))
	at := ends[len(ends)-1]
	for i := range slices.Backward(kept) {
		kept[i] = at
		at = before[at]
	}
	return kept
}
