package provider

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// check returns an error for objects that the bridge would not return. The bridge makes the same checks, because
// another program can write to the memory.
func (p *Publisher) check(objects []byte) error {
	if len(objects) > mostObjectBytes {
		return fmt.Errorf("the objects have %d bytes, must have at most %d", len(objects), mostObjectBytes)
	}
	if err := p.validator.Bytes(layout.ObjectsKind, objects, validate.Context{}).Err(validate.Error); err != nil {
		return fmt.Errorf("the objects cannot be published: %w", err)
	}
	count, changes := 0, 0
	for o, err := range layout.ReadObjects(objects) {
		if err == nil {
			err = checkObject(o, &changes)
		}
		if err != nil {
			return err
		}
		count++
	}
	if count > mostObjects {
		return fmt.Errorf("there are %s, must be at most %d", quote.Count(count, "object"), mostObjects)
	}
	return nil
}

// refuse returns an error about a field of an object.
func refuse(path layout.Path, field string, value any, must string) error {
	return &layout.Error{Path: path.Field(field), Off: -1, Err: layout.Faultf(layout.ErrRange, "is %v, must be %s", value, must)}
}

// checkTitle checks the title index of a name or of a help text. The index 0 is valid and means that there is no text.
func checkTitle(path layout.Path, field string, title, base uint32) error {
	if title == 0 || title >= base {
		return nil
	}
	return refuse(path, field, title, fmt.Sprintf("at least %d: write the object with the template that Template.Rebase(provider.FirstCounter, provider.FirstHelp) returns", base))
}

// checkReserved checks that ObjectNameTitle or a similar field is 0. Some providers store a pointer there, which no
// other process can use.
func checkReserved(path layout.Path, field string, title uint32) error {
	if title != 0 {
		return refuse(path, field, title, "0")
	}
	return nil
}

// checkDefaultCounter checks that DefaultCounter is the position of a counter, a title index of at least titleBase, or
// -1 for no counter. 0 is always valid.
func checkDefaultCounter(o layout.Object) error {
	n := int64(o.DefaultCounter())
	if n == -1 || n == 0 || n > 0 && n < int64(o.NumCounters()) || n >= titleBase {
		return nil
	}
	return refuse(o.Path(), "DefaultCounter", n, fmt.Sprintf("the position of a counter, a title index of at least %d, or -1 for no counter", titleBase))
}

// checkObject checks an object. It adds to *changes the number of changes of ParentObjectTitleIndex from one instance
// to the next. Instances without a parent do not count. The first instance with a parent counts as a change.
func checkObject(o layout.Object, changes *int) error {
	if o.ObjectNameTitleIndex() == 0 {
		return refuse(o.Path(), "ObjectNameTitleIndex", 0, "the title of the object: write the object with the template that Template.Rebase(provider.FirstCounter, provider.FirstHelp) returns")
	}
	if err := cmp.Or(
		checkTitle(o.Path(), "ObjectNameTitleIndex", o.ObjectNameTitleIndex(), titleBase),
		checkTitle(o.Path(), "ObjectHelpTitleIndex", o.ObjectHelpTitleIndex(), helpBase),
		checkReserved(o.Path(), "ObjectNameTitle", o.ObjectNameTitle()),
		checkReserved(o.Path(), "ObjectHelpTitle", o.ObjectHelpTitle()),
		checkDefaultCounter(o),
	); err != nil {
		return err
	}
	switch {
	case o.CodePage() != 0:
		return refuse(o.Path(), "CodePage", o.CodePage(), "0: the names of published instances are in UTF-16")
	case o.HeaderLength() != layout.SizeofObjectType:
		return refuse(o.Path(), "HeaderLength", o.HeaderLength(), fmt.Sprint(layout.SizeofObjectType))
	case o.NumInstances() < layout.PERF_NO_INSTANCES:
		return refuse(o.Path(), "NumInstances", o.NumInstances(), "at least -1: smaller values are for metadata queries, which the DLL of the service answers itself")
	}
	blockLength := uint64(layout.SizeofCounterBlock)
	for c, err := range o.Counters() {
		if err == nil {
			err = checkCounter(c, &blockLength)
		}
		if err != nil {
			return err
		}
	}
	end := uint64(o.DefinitionLength())
	// Some readers read CounterSize bytes for a value. Other readers read as many bytes as the counter type requires.
	// blockLength is large enough for both.
	checkBlock := func(b layout.CounterBlock, err error) error {
		end += uint64(b.ByteLength())
		if err == nil && uint64(b.ByteLength()) < blockLength {
			err = refuse(b.Path(), "ByteLength", b.ByteLength(), fmt.Sprintf("at least %d, the end of the last value", blockLength))
		}
		return err
	}
	if o.NumInstances() == layout.PERF_NO_INSTANCES {
		if err := checkBlock(o.Block()); err != nil {
			return err
		}
	}
	parent := uint32(0)
	for in, err := range o.Instances() {
		if err != nil {
			return err
		}
		title := in.ParentObjectTitleIndex()
		if title != 0 && title != parent {
			parent = title
			if *changes++; *changes > mostParents {
				return refuse(in.Path(), "ParentObjectTitleIndex", title, fmt.Sprintf("the same as in the previous instance, because at most %d changes from instance to instance are allowed; sort the instances by ParentObjectTitleIndex", mostParents))
			}
		}
		if err := cmp.Or(checkTitle(in.Path(), "ParentObjectTitleIndex", title, titleBase), checkBlock(in.Block())); err != nil {
			return err
		}
		end += uint64(in.ByteLength())
	}
	if uint64(o.TotalByteLength()) != end {
		return refuse(o.Path(), "TotalByteLength", o.TotalByteLength(), fmt.Sprintf("%d, the end of the last counter block", end))
	}
	return nil
}

// checkCounter checks a counter. *blockLength is the required size of a counter block. If the value of the counter ends
// after *blockLength, checkCounter sets *blockLength to the end of the value.
func checkCounter(c layout.Counter, blockLength *uint64) error {
	if err := cmp.Or(
		checkTitle(c.Path(), "CounterNameTitleIndex", c.CounterNameTitleIndex(), titleBase),
		checkTitle(c.Path(), "CounterHelpTitleIndex", c.CounterHelpTitleIndex(), helpBase),
		checkReserved(c.Path(), "CounterNameTitle", c.CounterNameTitle()),
		checkReserved(c.Path(), "CounterHelpTitle", c.CounterHelpTitle()),
	); err != nil {
		return err
	}
	read, fixed := c.CounterType().Width()
	switch size := c.CounterSize(); {
	case c.ByteLength() != layout.SizeofCounterDefinition:
		return refuse(c.Path(), "ByteLength", c.ByteLength(), fmt.Sprint(layout.SizeofCounterDefinition))
	case read == 0 && fixed && size != 0 && size != 4 && size != 8: // package validate checks the sizes of other types
		return refuse(c.Path(), "CounterSize", size, "0, because the type has no value")
	case c.CounterOffset() > mostObjectBytes: // possible only if NumInstances is 0, because there is no counter block
		return refuse(c.Path(), "CounterOffset", c.CounterOffset(), fmt.Sprintf("at most %d", mostObjectBytes))
	case !fixed:
		return refuse(c.Path(), "CounterType", c.CounterType(), "a number: consumers on Windows do not support texts")
	case c.CounterType().Multi() && c.CounterType() != layout.PERF_COUNTER_MULTI_BASE:
		read = 12 // the value and the number of components
	}
	*blockLength = max(*blockLength, uint64(c.CounterOffset())+uint64(max(read, c.CounterSize())))
	return nil
}

// order copies the objects to p.ordered. The objects with a title in the list costly come last, and costlyStart is the
// offset of the first of them. If the list is empty, costlyStart is the length of p.ordered. If the list has a title
// that no object has, order returns an error.
func (p *Publisher) order(objects []byte, costly []uint32) (costlyStart uint32, err error) {
	p.ordered, p.late = p.ordered[:0], p.late[:0]
	missing := slices.Clone(costly)
	for o := range layout.ReadObjects(objects) { // check has read them without an error
		title := o.ObjectNameTitleIndex()
		if !slices.Contains(costly, title) {
			p.ordered = append(p.ordered, o.Bytes()...)
			continue
		}
		p.late = append(p.late, o.Bytes()...)
		missing = slices.DeleteFunc(missing, func(other uint32) bool { return other == title })
	}
	if len(missing) > 0 {
		return 0, fmt.Errorf(`the parameter "costly" has the title %d, but no object has this title; pass Template.ObjectNameTitleIndex of the rebased template`, missing[0])
	}
	costlyStart = uint32(len(p.ordered))
	p.ordered = append(p.ordered, p.late...)
	return costlyStart, nil
}
