package fuzz

import "github.com/perfblock/perfblock/builder"

// model makes a block of a model of any kind.
func (v *victim) model(m builder.Model) *victim { return v.encode(m.Kind(), m.MarshalBinary) }
