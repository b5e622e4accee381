package layout_test

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// disks returns what PerfQueryCounterData gives for a counter set of two counters and
// three instances.
func disks() []byte {
	var instances []byte
	for i, name := range []string{"C:\x00", "D:\x00", "_Total\x00"} {
		size := (8 + 2*len(name) + 7) &^ 7 // the name is padded to a multiple of 8
		instances = wire.InstanceHeader{Size: uint32(size), InstanceId: uint32(i)}.Append(instances)
		instances, _ = layout.AppendUTF16(instances, name)
		instances = append(instances, make([]byte, size-8-2*len(name))...)
		for _, value := range []byte{byte(10 * (i + 1)), byte(i)} {
			instances = wire.CounterData{DwDataSize: 8, DwSize: 16}.Append(instances)
			instances = append(instances, value, 0, 0, 0, 0, 0, 0, 0)
		}
	}
	total := uint32(8 + len(instances))
	b := wire.DataHeader{DwTotalSize: 48 + 16 + 16 + total, DwNumCounters: 1}.Append(nil)
	b = wire.CounterHeader{DwType: layout.PERF_COUNTERSET, DwSize: 16 + 16 + total}.Append(b)
	b = wire.MultiCounters{DwSize: 16, DwCounters: 2}.Append(b)
	b = append(b, 1, 0, 0, 0, 7, 0, 0, 0) // the ids
	b = wire.MultiInstances{DwTotalSize: total, DwInstances: 3}.Append(b)
	return append(b, instances...)
}

// Walk what a query gave and print its names and values.
func ExampleReadQueryData() {
	query, err := layout.ReadQueryData(disks())
	if err != nil {
		fmt.Println(err)
		return
	}
	for result, err := range query.Results() {
		if err != nil {
			fmt.Println(err)
			return
		}
		ids, err := result.IDs()
		if err != nil {
			fmt.Println(err)
			return
		}
		counters := slices.Collect(ids.All())
		instances, err := result.Instances()
		if err != nil {
			fmt.Println(err)
			return
		}
		for instance, err := range instances.All() {
			if err != nil {
				fmt.Println(err)
				return
			}
			name, err := instance.Name().Text()
			if err != nil {
				fmt.Println(err)
				return
			}
			for data, err := range instance.Values() {
				if err != nil {
					fmt.Println(err)
					return
				}
				value, err := data.Value()
				if err != nil {
					fmt.Println(err)
					return
				}
				n, _ := value.Number()
				fmt.Printf("%s: counter %d is %d\n", name, counters[data.Index()], n)
			}
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

// Say what to add to a query, and read what became of it.
func ExampleReadCounterIdentifiers() {
	set, err := layout.ParseGUID("{b4fc721a-0378-476f-89ba-a5a79f810b36}")
	if err != nil {
		fmt.Println(err)
		return
	}
	b := wire.CounterIdentifier{
		CounterSetGuid: set, Size: 48, CounterId: layout.PERF_WILDCARD_COUNTER, InstanceId: 0xFFFFFFFF,
	}.Append(nil)
	b, _ = layout.AppendUTF16(b, layout.PERF_WILDCARD_INSTANCE+"\x00\x00\x00")
	for id, err := range layout.ReadCounterIdentifiers(b) {
		if err != nil {
			fmt.Println(err)
			return
		}
		name, err := id.Name().Text()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v, instances %s: status %d, result[%d]\n", id.CounterSetGuid(), name, id.Status(), id.Index())
	}
	// Output: {b4fc721a-0378-476f-89ba-a5a79f810b36}, instances *: status 0, result[0]
}

// Read the names of a set's counters.
func ExampleReadStringBuffer() {
	b := wire.StringBufferHeader{DwSize: 48, DwCounters: 2}.Append(nil)
	b = wire.StringCounterHeader{DwCounterId: 1, DwOffset: 24}.Append(b)
	b = wire.StringCounterHeader{DwCounterId: 7, DwOffset: 36}.Append(b)
	b, _ = layout.AppendUTF16(b, "Bytes\x00Queue\x00")
	names, err := layout.ReadStringBuffer(b)
	if err != nil {
		fmt.Println(err)
		return
	}
	for entry := range names.Entries() {
		name, err := entry.Text()
		if err != nil {
			fmt.Println(err)
			return
		}
		text, err := name.Text()
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(entry.DwCounterId(), text)
	}
	// Output:
	// 1 Bytes
	// 7 Queue
}
