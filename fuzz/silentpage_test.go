package fuzz_test

import (
	"fmt"
	"testing"

	"github.com/perfblock/perfblock/layout"
)

type tally map[string]map[string]int

func (c tally) add(s *subject, part layout.Part, o outcome) {
	k := s.group + " " + part.Record.C + "." + part.Field.Name
	if c[k] == nil {
		c[k] = map[string]int{}
	}
	c[k][fmt.Sprint(o)]++
}
func (c tally) writePage(t *testing.T) {
	for k, v := range c {
		fmt.Println(k, v)
	}
}
func (c tally) wantAll(t *testing.T) { c.writePage(t) }
