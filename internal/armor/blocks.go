package armor

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/internal/suggest"
)

// A Block is a block that [Input.Decode] returns.
type Block struct {
	// Name is KEY\VALUE for a block from the registry. If Format-Hex wrote several blocks, Name is the label of the
	// block, or its number if it has no label. Otherwise Name is "".
	Name  string
	Bytes []byte
}

// A blockList collects the blocks of a text. Names that differ only in case are the same name, as
// in the registry.
type blockList struct {
	text   []byte
	blocks []Block
	seen   map[string]bool
}

// add adds a block. position is the start of the block in the text. If the block has no name, its number becomes
// the name.
func (l *blockList) add(position int, name string, b []byte) error {
	if name == "" {
		name = strconv.Itoa(len(l.blocks) + 1)
	}
	key := strings.ToLower(name)
	if l.seen[key] {
		return place(l.text, position, "%w %q", ErrSameName, name)
	}
	if l.seen == nil {
		l.seen = make(map[string]bool)
	}
	l.seen[key] = true
	l.blocks = append(l.blocks, Block{Name: name, Bytes: b})
	return nil
}

// Select returns the block with the given name, ignoring case. If no block has this name, the name Block selects
// KEY\Block. Select returns an error if several names end in \Block.
func Select(blocks []Block, name string) (Block, error) {
	var ends []Block
	for _, b := range blocks {
		if strings.EqualFold(b.Name, name) {
			return b, nil
		}
		before := len(b.Name) - len(name)
		if before > 0 && b.Name[before-1] == '\\' && strings.EqualFold(b.Name[before:], name) {
			ends = append(ends, b)
		}
	}
	switch {
	case len(ends) == 1:
		return ends[0], nil
	case len(ends) > 1:
		return Block{}, fmt.Errorf("%q matches the end of several names: %s", name, List(ends))
	case len(blocks) == 1 && blocks[0].Name == "":
		return Block{}, fmt.Errorf("no block %q: the only block has no name", name)
	}
	names := make([]string, len(blocks))
	for i, b := range blocks {
		names[i] = b.Name
	}
	return Block{}, fmt.Errorf("no block %q%s; there are %s", name, suggest.DidYouMean(name, names), List(blocks))
}

// List returns the names of the blocks for a message, such as "a", "b". After ten names, it adds the number of the
// remaining blocks, such as "and 5 more".
func List(blocks []Block) string {
	const most = 10
	var names []string
	for _, b := range blocks[:min(len(blocks), most)] {
		names = append(names, strconv.Quote(b.Name))
	}
	text := strings.Join(names, ", ")
	if more := len(blocks) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
