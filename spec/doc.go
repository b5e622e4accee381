// Package spec is the text form of a block: YAML or JSON that becomes the model
// of package builder, and the model as YAML.
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
// The key kind says what the bytes are, a data block where it is left out. The blocks of
// perflib.h are written likewise:
//
//	kind: query-data
//	results:
//	  - Type: PERF_COUNTERSET
//	    counters: [{CounterId: 1, Size: 4}, {CounterId: 2}]
//	    instances:
//	      - {name: "C:", InstanceId: 0, values: [42, 100]}
//
// The one idea to know: keys in CamelCase are what the format and the model have
// under that name; keys in lower case are the text form's own. What a block
// derives from the rest is left out, and 0 is as good as leaving a key out, but for
// DefaultCounter, UniqueID and the ids by which a registered counter refers to others. So
// a text can only say what is right; patches, which change the bytes when all is encoded,
// are for what is wrong on purpose.
//
// A scalar means what stands there. A name that YAML would take for a number, a
// date or a boolean is the text as typed; null, which is no text, is an error. A
// number is decimal, or hexadecimal, octal or binary after 0x, 0o or 0b, with or
// without a sign, and with no _ between its digits.
//
// Every error is an [*Error] with line and column, those of [Spec.Build] too.
// Anchors, aliases, merge keys, tags and directives of YAML are refused, as is a second
// document, so that a text is never larger than it looks.
//
// All keys are listed in docs/schema/keys.md. [Schema] describes them to editors.
package spec
