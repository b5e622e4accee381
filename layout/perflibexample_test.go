package layout_test

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// disks returns what PerfQueryCounterData gives for a counter set of two counters and
// three instances.
func disks() []byte {
	var instances []byte
	for i, name := range []string{"C:\x00", "D:\x00", "_Total\x00"} {
		size := (8 + 2*len(name) + 7) &^ 7 // the name is padded to a multiple of 8
		instances = layout.AppendInstanceHeader(instances, layout.InstanceHeader{Size: uint32(size), InstanceId: uint32(i)})
		instances, _ = layout.AppendUTF16(instances, name)
		instances = append(instances, make([]byte, size-8-2*len(name))...)
		for _, value := range []byte{byte(10 * (i + 1)), byte(i)} {
			instances = layout.AppendCounterData(instances, layout.CounterData{DwDataSize: 8, DwSize: 16})
			instances = append(instances, value, 0, 0, 0, 0, 0, 0, 0)
		}
	}
	total := uint32(8 + len(instances))
	b := layout.AppendDataHeader(nil, layout.DataHeader{DwTotalSize: 48 + 16 + 16 + total, DwNumCounters: 1})
	b = layout.AppendCounterHeader(b, layout.CounterHeader{DwType: layout.PERF_COUNTERSET, DwSize: 16 + 16 + total})
	b = layout.AppendMultiCounters(b, layout.MultiCounters{DwSize: 16, DwCounters: 2})
	b = append(b, 1, 0, 0, 0, 7, 0, 0, 0) // the ids
	b = layout.AppendMultiInstances(b, layout.MultiInstances{DwTotalSize: total, DwInstances: 3})
	return append(b, instances...)
}

// Walk what a query gave and print its names and values.
func ExampleReadQuery() {
	query, err := layout.ReadQuery(disks())
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
func ExampleReadIdentifiers() {
	set, err := layout.ParseGUID("{b4fc721a-0378-476f-89ba-a5a79f810b36}")
	if err != nil {
		fmt.Println(err)
		return
	}
	b := layout.AppendCounterIdentifier(nil, layout.CounterIdentifier{
		CounterSetGuid: set, Size: 48, CounterId: layout.PERF_WILDCARD_COUNTER, InstanceId: 0xFFFFFFFF,
	})
	b, _ = layout.AppendUTF16(b, layout.PERF_WILDCARD_INSTANCE+"\x00\x00\x00")
	for id, err := range layout.ReadIdentifiers(b) {
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
func ExampleReadStrings() {
	b := layout.AppendStringBufferHeader(nil, layout.StringBufferHeader{DwSize: 48, DwCounters: 2})
	b = layout.AppendStringCounterHeader(b, layout.StringCounterHeader{DwCounterId: 1, DwOffset: 24})
	b = layout.AppendStringCounterHeader(b, layout.StringCounterHeader{DwCounterId: 7, DwOffset: 36})
	b, _ = layout.AppendUTF16(b, "Bytes\x00Queue\x00")
	names, err := layout.ReadStrings(b)
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
