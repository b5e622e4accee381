package spec

import (
	"github.com/perfblock/perfblock/layout"
)

// A Patch is one change to the bytes of a block, to make it wrong on purpose.
// What it names is looked up in the block before any patch.
type Patch struct {
	Op     Op
	At     Place  // of all but Append
	To     Place  // of CutRange
	Number Number // of WriteNumber
	Bytes  []byte // of WritePart, WriteBytes, Insert and Append
}

// Op is what a [Patch] does.
type Op uint8

const (
	WriteNumber Op = iota // writes Number over the field or value at At, little-endian, at its width
	WritePart             // writes Bytes from the start of the part at At, which they must fit
	WriteBytes            // writes Bytes from At on, as far as the block goes
	CutPart               // removes the part at At
	CutRange              // removes the bytes from At to To
	Insert                // inserts Bytes before the byte at At
	Append                // appends Bytes to the block
)

// A Place is a byte of a block: the first of what Path names, or, where Path is
// the zero Path, the one at Offset, or the end of the block.
type Place struct {
	Path   layout.Path
	Offset uint64
	End    bool
}

// A patchPart is a part of the text of a patch, for errors to point to.
type patchPart uint8

const (
	thePlace patchPart = iota
	theEnd
	theValue
)

// A patchError is a fault of one patch.
type patchError struct {
	index int
	part  patchPart
	err   error
}
