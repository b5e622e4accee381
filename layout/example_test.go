package layout_test

import (
	"errors"
	"fmt"
	"log"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// queue returns a provider's block: one object with one counter and two instances. In the counter block of each
// instance, the value is the DWORD directly after ByteLength.
func queue() []byte {
	const definitions = layout.SizeofObjectType + layout.SizeofCounterDefinition
	b := wire.Object{
		TotalByteLength: definitions + 2*(32+8), DefinitionLength: definitions, HeaderLength: layout.SizeofObjectType,
		ObjectNameTitleIndex: 2000, ObjectHelpTitleIndex: 2001, DetailLevel: layout.PERF_DETAIL_NOVICE,
		NumCounters: 1, NumInstances: 2,
	}.Append(nil)
	b = wire.Counter{
		ByteLength: layout.SizeofCounterDefinition, CounterNameTitleIndex: 2002, CounterHelpTitleIndex: 2003, DetailLevel: layout.PERF_DETAIL_NOVICE,
		CounterType: layout.PERF_COUNTER_RAWCOUNT, CounterSize: 4, CounterOffset: 4,
	}.Append(b)
	for i, name := range []string{"in\x00", "out"} {
		b = wire.Instance{
			ByteLength: 32, UniqueID: layout.PERF_NO_UNIQUE_ID, NameOffset: layout.SizeofInstanceDefinition, NameLength: uint32(6 + 2*i),
		}.Append(b)
		b, _ = layout.AppendUTF16(b, name+"\x00")
		b = wire.CounterBlock{ByteLength: 8}.Append(b)
		b = append(b, byte(7*(i+1)), 0, 0, 0)
	}
	return b
}

// This example prints the names and values of a block.
func Example() {
	var rows layout.Rows
	for object, err := range layout.ReadObjects(queue()) {
		if err == nil {
			err = rows.Open(object)
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("object %d\n", object.ObjectNameTitleIndex())
		for rows.Next() {
			name, err := rows.Name().Text()
			if err != nil {
				log.Fatal(err)
			}
			values := rows.AppendValues(nil)
			for i, counter := range rows.Counters() {
				fmt.Printf("  %s: counter %d, %v, is %d\n", name, counter.CounterNameTitleIndex(), counter.CounterType(), values[i])
			}
		}
		if err := rows.Err(); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// object 2000
	//   in: counter 2002, PERF_COUNTER_RAWCOUNT, is 7
	//   out: counter 2002, PERF_COUNTER_RAWCOUNT, is 14
}

// This example uses the views of an object and of its instances to read single fields.
func ExampleObject_Instances() {
	for object, err := range layout.ReadObjects(queue()) {
		if err != nil {
			log.Fatal(err)
		}
		for instance, err := range object.Instances() {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(instance.Path(), instance.NameLength(), instance.UniqueID())
		}
	}
	// Output:
	// object[0].instance[0] 6 -1
	// object[0].instance[1] 8 -1
}

// Iteration stops at a fault. The error has the path and the offset of the faulty field.
func ExampleError() {
	b := queue()
	b[0x88] = 3 // the ByteLength of the first counter block; 3 is less than the size of this field
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
	// object[0].instance[0].block.ByteLength, 4 bytes from 0x88: 3 is less than the 4 bytes of a PERF_COUNTER_BLOCK
}

// Find looks up a field by its path. Findings and patches use the same paths.
func ExampleFind() {
	path, err := layout.ParsePath("object[0].instance[1].NameLength")
	if err != nil {
		log.Fatal(err)
	}
	part, err := layout.Find(layout.ObjectsKind, queue(), path)
	if err != nil {
		log.Fatal(err)
	}
	n, _ := part.Int()
	fmt.Printf("%v at 0x%x: %d, % x\n", part.Path, part.Off(), n, part.Bytes())
	// Output: object[0].instance[1].NameLength at 0xa4: 8, 08 00 00 00
}

// This example lists the names, padding and values of a block, but not the fields of records.
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
		log.Fatal(err)
	}
	base, _ := t.Base()
	fmt.Println(t.NeedsBase(), base, base.IsBase())
	fmt.Println(t.Bits())
	// Output:
	// true PERF_RAW_BASE true
	// PERF_SIZE_DWORD | PERF_TYPE_COUNTER | PERF_COUNTER_FRACTION | PERF_TIMER_TICK | PERF_DISPLAY_PERCENT
}

// disks returns what PerfQueryCounterData returns for a counter set of two counters and three
// instances.
func disks() []byte {
	var instances []byte
	for i, name := range []string{"C:\x00", "D:\x00", "_Total\x00"} {
		size := (layout.SizeofInstanceHeader + 2*len(name) + 7) &^ 7 // the name is padded to a multiple of 8
		instances = wire.InstanceHeader{Size: uint32(size), InstanceId: uint32(i)}.Append(instances)
		instances, _ = layout.AppendUTF16(instances, name)
		instances = append(instances, make([]byte, size-layout.SizeofInstanceHeader-2*len(name))...)
		for _, value := range []byte{byte(10 * (i + 1)), byte(i)} {
			instances = wire.CounterData{DwDataSize: 8, DwSize: layout.SizeofCounterData + 8}.Append(instances)
			instances = append(instances, value, 0, 0, 0, 0, 0, 0, 0)
		}
	}
	const ids = layout.SizeofMultiCounters + 2*4
	total := uint32(layout.SizeofMultiInstances + len(instances))
	result := layout.SizeofCounterHeader + ids + total
	b := wire.QueryData{DwTotalSize: layout.SizeofDataHeader + result, DwNumCounters: 1}.Append(nil)
	b = wire.Result{DwType: layout.PERF_COUNTERSET, DwSize: result}.Append(b)
	b = wire.MultiCounters{DwSize: ids, DwCounters: 2}.Append(b)
	b = append(b, 1, 0, 0, 0, 7, 0, 0, 0) // the ids
	b = wire.MultiInstances{DwTotalSize: total, DwInstances: 3}.Append(b)
	return append(b, instances...)
}

// This example prints the names and values in the result of a query.
func ExampleReadQueryData() {
	query, err := layout.ReadQueryData(disks())
	if err != nil {
		log.Fatal(err)
	}
	var rows layout.Rows
	for result, err := range query.Results() {
		if err == nil {
			err = rows.OpenResult(result)
		}
		if err != nil {
			log.Fatal(err)
		}
		ids, err := result.IDs()
		if err != nil {
			log.Fatal(err)
		}
		for rows.Next() {
			name, err := rows.Name().Text()
			if err != nil {
				log.Fatal(err)
			}
			values := rows.AppendValues(nil)
			for i, id := range slices.Collect(ids.All()) {
				fmt.Printf("%s: counter %d is %d\n", name, id, values[i])
			}
		}
		if err := rows.Err(); err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// C:: counter 1 is 10
	// C:: counter 7 is 0
	// D:: counter 1 is 20
	// D:: counter 7 is 1
	// _Total: counter 1 is 30
	// _Total: counter 7 is 2
}

// This example encodes the identifiers that add counters to a query, and reads the identifiers
// that Windows returns.
func ExampleReadCounterIdentifiers() {
	set, err := layout.ParseGUID("{b4fc721a-0378-476f-89ba-a5a79f810b36}")
	if err != nil {
		log.Fatal(err)
	}
	b := wire.CounterIdentifier{
		CounterSetGuid: set, Size: layout.SizeofCounterIdentifier + 8, CounterId: layout.PERF_WILDCARD_COUNTER, InstanceId: 0xFFFFFFFF,
	}.Append(nil)
	b, _ = layout.AppendUTF16(b, layout.PERF_WILDCARD_INSTANCE+"\x00\x00\x00")
	for id, err := range layout.ReadCounterIdentifiers(b) {
		if err != nil {
			log.Fatal(err)
		}
		name, err := id.Name().Text()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v, instances %s: status %d, result[%d]\n", id.CounterSetGuid(), name, id.Status(), id.Index())
	}
	// Output: {b4fc721a-0378-476f-89ba-a5a79f810b36}, instances *: status 0, result[0]
}

// This example reads the names of the counters of a set.
func ExampleReadStringBuffer() {
	const first = layout.SizeofStringBufferHeader + 2*layout.SizeofStringCounterHeader
	b := wire.StringBuffer{DwSize: first + 24, DwCounters: 2}.Append(nil)
	b = wire.StringCounter{DwCounterId: 1, DwOffset: first}.Append(b)
	b = wire.StringCounter{DwCounterId: 7, DwOffset: first + 12}.Append(b)
	b, _ = layout.AppendUTF16(b, "Bytes\x00Queue\x00")
	names, err := layout.ReadStringBuffer(b)
	if err != nil {
		log.Fatal(err)
	}
	for entry := range names.Entries() {
		name, err := entry.Text()
		if err != nil {
			log.Fatal(err)
		}
		text, err := name.Text()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(entry.DwCounterId(), text)
	}
	// Output:
	// 1 Bytes
	// 7 Queue
}
