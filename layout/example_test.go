package layout_test

import (
	"errors"
	"fmt"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// queue returns what a provider of one object with two instances writes. Each has
// one counter, a DWORD that stands right behind the length of its block.
func queue() []byte {
	b := wire.ObjectType{
		TotalByteLength: 64 + 40 + 2*(32+8), DefinitionLength: 64 + 40, HeaderLength: 64,
		ObjectNameTitleIndex: 2000, ObjectHelpTitleIndex: 2001, DetailLevel: layout.PERF_DETAIL_NOVICE,
		NumCounters: 1, NumInstances: 2,
	}.Append(nil)
	b = wire.CounterDefinition{
		ByteLength: 40, CounterNameTitleIndex: 2002, CounterHelpTitleIndex: 2003, DetailLevel: layout.PERF_DETAIL_NOVICE,
		CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterSize: 4, CounterOffset: 4,
	}.Append(b)
	for i, name := range []string{"in\x00", "out"} {
		b = wire.InstanceDefinition{
			ByteLength: 32, UniqueID: layout.PERF_NO_UNIQUE_ID, NameOffset: 24, NameLength: uint32(6 + 2*i),
		}.Append(b)
		b, _ = layout.AppendUTF16(b, name+"\x00")
		b = wire.CounterBlock{ByteLength: 8}.Append(b)
		b = append(b, byte(7*(i+1)), 0, 0, 0)
	}
	return b
}

// Walk a block with cursors and print its names and values.
func Example() {
	for object, err := range layout.ReadObjects(queue()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("object %d\n", object.ObjectNameTitleIndex())
		for instance, err := range object.Instances() {
			if err != nil {
				fmt.Println(err)
				return
			}
			name, err := instance.Name()
			if err != nil {
				fmt.Println(err)
				return
			}
			text, err := name.Text()
			if err != nil {
				fmt.Println(err)
				return
			}
			block, err := instance.Block()
			if err != nil {
				fmt.Println(err)
				return
			}
			for counter, err := range object.Counters() {
				if err != nil {
					fmt.Println(err)
					return
				}
				value, err := block.Value(counter)
				if err != nil {
					fmt.Println(err)
					return
				}
				n, _ := value.Number()
				fmt.Printf("  %s: counter %d, %v, is %d\n", text, counter.CounterNameTitleIndex(), counter.CounterType(), n)
			}
		}
	}
	// Output:
	// object 2000
	//   in: counter 2002, PERF_COUNTER_RAWCOUNT, is 7
	//   out: counter 2002, PERF_COUNTER_RAWCOUNT, is 14
}

// A fault is the last pair a cursor yields, and says where it is.
func ExampleError() {
	b := queue()
	b[0x88] = 3 // the ByteLength of the first counter block, which is less than itself
	for object := range layout.ReadObjects(b) {
		for instance, err := range object.Instances() {
			if fault, ok := errors.AsType[*layout.Error](err); ok {
				fmt.Printf("%v, %d bytes from 0x%x: %v\n", fault.Path, fault.Len, fault.Off, fault.Err)
				return
			}
			fmt.Println(instance.Path())
		}
	}
	// Output:
	// object[0].instance[0]
	// object[0].instance[0].block.ByteLength, 4 bytes from 0x88: 3 is less than the 4 of a PERF_COUNTER_BLOCK
}

// Find a place by its path, as findings and patches name it.
func ExampleFind() {
	path, err := layout.ParsePath("object[0].instance[1].NameLength")
	if err != nil {
		fmt.Println(err)
		return
	}
	part, err := layout.Find(layout.ObjectsKind, queue(), path)
	if err != nil {
		fmt.Println(err)
		return
	}
	n, _ := part.Int()
	fmt.Printf("%v at 0x%x: %d, % x\n", part.Path, part.Off(), n, part.Bytes())
	// Output: object[0].instance[1].NameLength at 0xa4: 8, 08 00 00 00
}

// List what stands behind the fixed records.
func ExampleWalk() {
	for part := range layout.Walk(layout.ObjectsKind, queue()) {
		if part.Sort != layout.FieldPart {
			fmt.Printf("0x%x: %v, %d bytes of %v\n", part.Off(), part.Path, part.Len(), part.Sort)
		}
	}
	// Output:
	// 0x80: object[0].instance[0].Name, 6 bytes of name
	// 0x86: object[0].instance[0].padding, 2 bytes of padding
	// 0x8c: object[0].instance[0].block.value[0], 4 bytes of value
	// 0xa8: object[0].instance[1].Name, 8 bytes of name
	// 0xb4: object[0].instance[1].block.value[0], 4 bytes of value
}

func ExampleCounterType() {
	t, err := layout.ParseCounterType("PERF_RAW_FRACTION")
	if err != nil {
		fmt.Println(err)
		return
	}
	base, _ := t.Base()
	fmt.Println(t.NeedsBase(), base, base.IsBase())
	fmt.Println(t.Bits())
	// Output:
	// true PERF_RAW_BASE true
	// PERF_SIZE_DWORD | PERF_TYPE_COUNTER | PERF_COUNTER_FRACTION | PERF_TIMER_TICK | PERF_DISPLAY_PERCENT
}
