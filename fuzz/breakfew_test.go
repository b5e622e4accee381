package fuzz_test

// bigBreaches are the rules that only a block of a hundred thousand bytes and more breaks.
var bigBreaches = map[string]bool{
	"v2-multi-counters-limit":     true,
	"v2-multi-counters-limit-max": true,
	"v2-template-limit":           true,
	"v2-template-limit-max":       true,
}

// fewBreaches are the rules that can be broken in one place, to one value, or in few of either.
var fewBreaches = map[string]string{
	"data-big-endian":         "one field, and one wrong value",
	"v2-no-counters":          "one field, and one wrong value",
	"v2-reginfo-no-counters":  "one field, and one wrong value",
	"v2-template-no-counters": "one field, and one wrong value",
	"v2-strings-offset-base":  "all offsets at once",
	"v2-template-guid-zero":   "two GUIDs, and one wrong value",
	"v2-systemtime-weekday":   "one field, of which seven values are days",

	"v2-error-return-status-zero":    "one wrong value, in few answers",
	"v2-multi-counters-empty":        "one wrong value, in few answers",
	"v2-multi-instances-empty":       "one wrong value, in few answers",
	"v2-reginfo-counter-id-wildcard": "one wrong value, of few counters",
	"v2-reginfo-ref-missing-multi":   "one wrong value, of few counters",
	"v2-reginfo-time-freq-pair":      "two fields of few counters, and one wrong value",
	"v2-identifier-guid-zero":        "one wrong value, in few identifiers",
	"obj-help-none":                  "one wrong value, of few objects",
	"obj-no-counters":                "one wrong value, of few objects",
}
