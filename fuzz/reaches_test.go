package fuzz_test

import "github.com/perfblock/perfblock/layout"

// A reach says which paths of a model may follow when the bytes of a part change. @ stands
// for the path of the object that the part is in, # for the number of its record there.
type reach []string

const headBytes, objectBytes, counterBytes, instanceBytes = 0, '\x1D', '\x1E', '\x1F'

// plainFields are those of the model itself, and what its head leads to in records.
var plainFields = reach{`^[^\[]*$`}

// inObject are the reaches in an object of V1.
var inObject = map[byte]reach{
	headBytes: append(plainFields,
		`\]\.PerfTime$`), // of an object: it is told where it is not that of the header
	objectBytes: {`@`,
		`\]\.(ObjectNameTitleIndex|ObjectHelpTitleIndex|NoHelp)$`,          // of one that has the same title
		`Instances\[\d+\]\.(ParentObjectTitleIndex|ParentObjectInstance)$`, // of one that has its parent here
		`Instances\[\d+\]\.(Name|NameOffset|ByteLength|UniqueID)$`,         // and differs from those with the same parent, or repeats one
		`DuplicateNames$`},
	counterBytes: {`@\.Counters\[#\]`,
		`@\.Counters\.len$`,                                  // a base comes or goes
		`@\.Counters\[\d+\](base)?\.CounterOffset$`,          // those behind make way
		`@\.Counters\[\d+\](base)?\.CounterSize$`,            // of a text, which is counted from the longest
		`@\.(DetailLevel|DefaultCounter|PerfTime|PerfFreq)$`, // they are told where they are not what the counters come to
		`@(\.Instances\[\d+\])?\.(Values|Texts)(\[|\.|$)`,    // which are one for each counter
		`@(\.Instances\[\d+\])?\.BlockLength$`},              // which is counted from where they end
	instanceBytes: {`@\.Instances\[#\]`,
		`@\.Instances\.len$`,
		`Instances\[\d+\]\.(ParentObjectTitleIndex|ParentObjectInstance)$`, // one behind it repeats it, or has its parent here
		`Instances\[\d+\]\.(Name|NameOffset|ByteLength|UniqueID)$`,         // the same, or it must differ
		`DuplicateNames$`,
		`@\.Counters\[\d+\](base)?\.CounterSize$`, // of a text, which is counted from the longest
		`@(\.Instances\[\d+\])?\.BlockLength$`},   // and so is this
}

// inAnswer are the reaches in an answer of query data.
var inAnswer = map[byte]reach{
	headBytes:   plainFields,
	objectBytes: {`@`},
	counterBytes: {`@\.Counters\[#\]`,
		`@\.ShortIDs$`,
		`@(\.Instances\[\d+\])?\.(Values|Texts)(\[|\.|$)`},
	instanceBytes: {`@\.Instances\[#\]`,
		`@\.Instances\[\d+\]\.(Name|Size|InstanceId)$`, // one behind it repeats it
		`@\.Counters\[\d+\]\.(Size|Bytes)$`,            // which show in values alone
		`@\.Instances\[0\]\.Texts`},                    // one of them tells bytes from a number
}

// reaches has them by kind, with the path of an object, "" for a kind without. A part of
// which a kind makes nothing has no reach.
var reaches = map[layout.Kind]struct {
	object string
	of     map[byte]reach
}{
	layout.DataBlockKind:     {`^\.Objects\[%d\]`, inObject},
	layout.ObjectsKind:       {`^\[%d\]`, inObject},
	layout.QueryDataKind:     {`^\.Results\[%d\]`, inAnswer},
	layout.IdentifiersKind:   {`^\[%d\]`, map[byte]reach{objectBytes: {`@`}}},
	layout.GUIDsKind:         {`^\[%d\]`, map[byte]reach{objectBytes: {`@`, `^\[\d+\]`}}}, // one behind it repeats it
	layout.InstancesKind:     {"", map[byte]reach{instanceBytes: {`^\[#\]`, `^\[\d+\]\.(Name|Size|InstanceId)$`}}},
	layout.StringsKind:       {"", map[byte]reach{headBytes: plainFields, counterBytes: {`^\.Entries\[#\]`, `^\.FromEntries$`}}},
	layout.TemplateKind:      {"", map[byte]reach{headBytes: plainFields, counterBytes: {`^\.Counters\[#\]`, `^\.Counters\[\d+\]\.CounterId$`}}},
	layout.InstanceBlockKind: {"", map[byte]reach{headBytes: plainFields, counterBytes: {`^\.Values\[#\]`}}},
	layout.RegSetKind:        {"", map[byte]reach{headBytes: plainFields, counterBytes: {`^\.Counters`}}}, // see freeCounters
	layout.RegCounterKind:    {"", map[byte]reach{headBytes: {`.`}}},
	layout.RegStringKind:     {"", map[byte]reach{headBytes: {`.*`}}},
	layout.RegGUIDKind:       {"", map[byte]reach{headBytes: {`.*`}}},
}
