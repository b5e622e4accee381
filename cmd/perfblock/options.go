package main

import (
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/dump"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
	"github.com/perfblock/perfblock/validate/report"
)

// yamlOption is the format that package armor does not know: not the bytes of a
// block, but what it was or could be built from.
var yamlOption = option{"yaml", "a spec, which the build command turns into the block again"}

// dumpOption is the format that shows a block where it would otherwise be written.
var dumpOption = option{"dump", "each field with its bytes, as the dump command shows it"}

// blockFormats are the ways to write a block.
func blockFormats() []option {
	var list []option
	for _, f := range armor.Formats() {
		list = append(list, option{f.Name, f.Doc})
	}
	return append(list, dumpOption)
}

// dumpFormats are the ways to show one.
func dumpFormats() []option {
	var list []option
	for _, f := range dump.Formats() {
		list = append(list, option{f.Name, f.Doc})
	}
	return append(list, yamlOption)
}

// reportFormats are the ways to write findings.
func reportFormats() []option {
	var list []option
	for _, f := range report.Formats() {
		list = append(list, option{f.Name, f.Doc})
	}
	return list
}

func profiles() []option {
	var list []option
	for _, p := range validate.Profiles() {
		list = append(list, option{p.String(), p.Doc()})
	}
	return list
}

var failOnDocs = map[validate.Severity]string{
	validate.Error:   "an error, as by default",
	validate.Warning: "an error or a warning",
	validate.Info:    "any finding",
	validate.Off:     "no finding",
}

// failOns are what a block can fail by.
func failOns() []option {
	var list []option
	for _, word := range config.FailOns() {
		s, err := config.ParseFailOn(word)
		if err != nil {
			panic(err) // of a word from the list of those there are
		}
		list = append(list, option{word, failOnDocs[s]})
	}
	return list
}

// roles are what identifiers can be for.
func roles() []option {
	return []option{
		{"given", "to PerfAddCounters or PerfDeleteCounters"},
		{"told", "by PerfQueryCounterInfo"},
	}
}

func inputs() []option {
	var list []option
	for _, in := range armor.Inputs() {
		list = append(list, option{in.Name, in.Doc})
	}
	return list
}

func workloads() []option {
	var list []option
	for _, w := range fuzz.Workloads() {
		list = append(list, option{w.Name, w.Doc})
	}
	return list
}

var kindDocs = [...]string{
	layout.DataBlockKind: "a header and its objects: what a consumer gets",
	layout.ObjectsKind:   "objects without a header: what a provider's Collect function writes",

	layout.QueryDataKind:     "of PerfQueryCounterData: a header and the answers",
	layout.InstancesKind:     "of PerfEnumerateCounterSetInstances: instances by their names",
	layout.IdentifiersKind:   "to PerfAddCounters, of PerfQueryCounterInfo: what is asked for",
	layout.RegSetKind:        "of PerfQueryCounterSetRegistrationInfo: a set and its counters",
	layout.RegCounterKind:    "of the same: one counter",
	layout.RegStringKind:     "of the same: the name or the help text of a set, or a provider's name",
	layout.RegGUIDKind:       "of the same: a provider's GUID",
	layout.StringsKind:       "of the same: the names or help texts of a set's counters",
	layout.GUIDsKind:         "of PerfEnumerateCounterSet: the GUIDs of the sets",
	layout.TemplateKind:      "to PerfSetCounterSetInfo: a provider's set and its counters",
	layout.InstanceBlockKind: "of PerfCreateInstance: an instance with its values and its name",
}

// kindOptions are what --kind takes in a command that knows those kinds.
func kindOptions(kinds []layout.Kind) []option {
	var list []option
	for _, k := range kinds {
		list = append(list, option{k.String(), kindDocs[k]})
	}
	return list
}
