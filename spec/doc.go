// Package spec converts blocks to text and text to blocks. [Parse] reads YAML or JSON into a model
// of package builder. [Spec.AppendYAML] writes a model as YAML.
//
//	SystemName: HOST
//	objects:
//	  - ObjectNameTitleIndex: 238
//	    counters:
//	      - {CounterNameTitleIndex: 6, CounterType: PERF_100NSEC_TIMER_INV}
//	    instances:
//	      - {name: "0", values: [1000000]}
//	      - {name: _Total, values: [1000000]}
//	patches:
//	  - object[0].instance[1].NameLength: 3
//
// The key kind selects the kind of block; the default is data-block. Blocks of perflib.h have
// the same form:
//
//	kind: query-data
//	results:
//	  - Type: PERF_COUNTERSET
//	    counters: [{CounterId: 1, Size: 4}, {CounterId: 2}]
//	    instances:
//	      - {name: "C:", InstanceId: 0, values: [42, 100]}
//
// Keys that begin with a capital are names of the format and the model, and so are the fields of a
// SYSTEMTIME, such as wYear. Other keys that begin with a lower-case letter belong to the text form
// only. In an optional key, 0 means the same as a missing key, except for DefaultCounter, UniqueID
// and the ids by which a registered counter refers to other counters. Fields that are computed from
// other fields have no key, so the block of a text without patches is well formed: [FromBlock] can
// read the block. Patches, which change the bytes after encoding, make a block wrong on purpose.
//
// A text value is used as it is written, even if YAML would read it as a number, a date or a boolean.
// null is not a text value and is an error. A number is decimal. The prefix 0x, 0o or 0b makes it
// hexadecimal, octal or binary. A number may have a sign, but no _ between its digits.
//
// The errors of [Parse] and [Spec.Build] are [*Error] values with line and column. If a text has
// several errors, the error lists them in order and unwraps to all of them. Anchors, aliases, merge
// keys, tags and directives of YAML and a second document are errors, so a short text cannot expand
// to a long one. Text can also be UTF-16, which Windows PowerShell writes for the operator >.
//
// docs/schema/keys.md lists all keys. With the JSON Schema docs/schema/perfblock-spec.schema.json,
// editors can complete and check the keys.
package spec
