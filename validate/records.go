package validate

import "github.com/perfblock/perfblock/layout"

// Sizes of the structures of V1, in bytes.
const (
	dataBlockSize          = int64(layout.SizeofDataBlock)
	objectTypeSize         = int64(layout.SizeofObjectType)
	counterDefinitionSize  = int64(layout.SizeofCounterDefinition)
	instanceDefinitionSize = int64(layout.SizeofInstanceDefinition)
	counterBlockSize       = int64(layout.SizeofCounterBlock)
)

// Sizes of the structures of V2 and their parts, in bytes.
const (
	dataHeaderSize         = layout.SizeofDataHeader
	counterHeaderSize      = layout.SizeofCounterHeader
	multiCountersSize      = layout.SizeofMultiCounters
	idSize                 = 4
	multiInstancesSize     = layout.SizeofMultiInstances
	instanceHeaderSize     = layout.SizeofInstanceHeader
	shortestInstance       = instanceHeaderSize + layout.Align // with an empty name: a NUL and padding
	longestNameBytes       = 2 * (longestName + 1)             // with the NUL
	longestInstance        = instanceHeaderSize + longestNameBytes
	counterDataSize        = layout.SizeofCounterData
	counterIdentifierSize  = layout.SizeofCounterIdentifier
	guidSize               = layout.SizeofGUID
	stringHeaderSize       = layout.SizeofStringBufferHeader
	stringEntrySize        = layout.SizeofStringCounterHeader
	counterSetRegInfoSize  = int64(layout.SizeofCounterSetRegInfo)
	counterRegInfoSize     = int64(layout.SizeofCounterRegInfo)
	counterSetInfoSize     = int64(layout.SizeofCounterSetInfo)
	counterInfoSize        = int64(layout.SizeofCounterInfo)
	counterSetInstanceSize = int64(layout.SizeofCounterSetInstance)
	instanceValueSize      = int64(8) // of each counter in a PERF_COUNTERSET_INSTANCE
)

// span returns the bytes of b between two offsets. b must start at the start of the input.
func span(b []byte, from, to int64) layout.Span { return layout.NewSpan(b[from:to:to], from) }

// The functions below return the structure at an offset of b, the bytes of the input. The whole structure
// must be inside b.

func objectAt(b []byte, at int64) layout.Object {
	return layout.Object{Span: span(b, at, at+objectTypeSize)}
}

func instanceAt(b []byte, at int64) layout.Instance {
	return layout.Instance{Span: span(b, at, at+instanceDefinitionSize)}
}

func counterHeaderAt(b []byte, at int64) layout.Result {
	return layout.Result{Span: span(b, at, at+counterHeaderSize)}
}

func multiCountersAt(b []byte, at int64) layout.MultiCounters {
	return layout.MultiCounters{Span: span(b, at, at+multiCountersSize)}
}

func multiInstancesAt(b []byte, at int64) layout.MultiInstances {
	return layout.MultiInstances{Span: span(b, at, at+multiInstancesSize)}
}

func instanceHeaderAt(b []byte, at int64) layout.InstanceHeader {
	return layout.InstanceHeader{Span: span(b, at, at+instanceHeaderSize)}
}

func counterDataAt(b []byte, at int64) layout.CounterData {
	return layout.CounterData{Span: span(b, at, at+counterDataSize)}
}

func counterIdentifierAt(b []byte, at int64) layout.CounterIdentifier {
	return layout.CounterIdentifier{Span: span(b, at, at+counterIdentifierSize)}
}
