// Package spec is the text form of a block: YAML or JSON that becomes a model of package
// builder, and a model as YAML.
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
// Keys in CamelCase are names of the format and the model. Keys in lower case belong to the
// text form only. Fields that are computed from others have no key, and 0 means the same as a
// missing key, except for DefaultCounter, UniqueID and the ids by which a registered counter
// refers to others. A text therefore describes a correct block. Patches, which change the bytes
// after encoding, make a block wrong on purpose.
//
// Text is taken as typed: a name that YAML would read as a number, a date or a boolean is that
// text. null is not a text and is an error. A number is decimal, or hexadecimal, octal or
// binary after 0x, 0o or 0b, with or without a sign, and without _ between its digits.
//
// Errors are [*Error] with line and column, those of [Spec.Build] too. If a text has several
// errors, the error lists them in order and unwraps to all of them. Anchors, aliases, merge
// keys, tags and directives of YAML and a second document are errors, so a text is never larger
// than it looks. Text in UTF-16, as Windows PowerShell writes it with >, is read.
//
// docs/schema/keys.md lists all keys. docs/schema/perfblock-spec.schema.json describes them to
// editors.
package spec
