package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/dump"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
	"github.com/perfblock/perfblock/validate/report"
)

// A choice is the value of a flag that accepts one of a few words. The help, the completion
// and the error of the flag come from the options.
type choice struct {
	value   string
	options []option
}

type option struct{ name, doc string }

func (c *choice) String() string { return c.value }

// Type returns what the help shows after the name of the flag: the accepted words, or NAME for a long list of words.
func (c *choice) Type() string {
	if words := strings.Join(names(c.options), "|"); len(words) <= 30 {
		return words
	}
	return "NAME" // the help of the command has a table of the words
}

func (c *choice) Set(s string) error {
	words := names(c.options)
	if !slices.Contains(words, s) {
		return fmt.Errorf("must be one of %s%s", strings.Join(words, ", "), didYouMean(s, words))
	}
	c.value = s
	return nil
}

// chosen returns the index of the option that the user chose.
func (c *choice) chosen() int { return slices.Index(names(c.options), c.value) }

func names(options []option) []string {
	var list []string
	for _, o := range options {
		list = append(list, o.name)
	}
	return list
}

// flag adds the choice to the flags of a command. The value of c before the call is the default.
func (c *choice) flag(cmd *cobra.Command, name, usage string, options []option) {
	c.options = options
	cmd.Flags().Var(c, name, usage)
	var words []cobra.Completion
	for _, o := range options {
		words = append(words, cobra.CompletionWithDesc(o.name, o.doc))
	}
	setCompletion(cmd, name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveKeepOrder|cobra.ShellCompDirectiveNoFileComp))
}

// preset is [choice.flag] with the first option as the default.
func (c *choice) preset(cmd *cobra.Command, name, usage string, options []option) {
	c.value = options[0].name
	c.flag(cmd, name, usage, options)
}

// setCompletion sets the words that shell completion offers for a flag.
func setCompletion(cmd *cobra.Command, flag string, words cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, words); err != nil {
		panic(err) // the command has no such flag
	}
}

// noFiles turns off the completion of file names for flags whose value is not a file.
func noFiles(cmd *cobra.Command, flags ...string) {
	for _, flag := range flags {
		setCompletion(cmd, flag, cobra.NoFileCompletions)
	}
}

// section returns a section of a help text: an empty line, the title, and a line for each option.
func section(title string, options []option) string {
	return "\n" + title + ":\n" + table(options) + "\n"
}

// table returns a line with the name and the description of each option, for a help text.
func table(options []option) string {
	width := 0
	for _, o := range options {
		width = max(width, len(o.name))
	}
	var b strings.Builder
	for _, o := range options {
		fmt.Fprintf(&b, "  %-*s  %s\n", width, o.name, o.doc)
	}
	return strings.TrimRight(b.String(), "\n")
}

// yamlOption and dumpOption are output formats that package armor does not have.
var (
	yamlOption = option{"yaml", "a spec, from which the build command makes the block again"}
	dumpOption = option{"dump", "each field with its bytes, as the dump command shows it"}
)

// extension returns the file name extension for an output format, such as .md for markdown. For formats of package
// armor, callers use armor.Format.Ext instead.
func extension(format string) string {
	switch format {
	case "text":
		return ".txt"
	case "markdown":
		return ".md"
	}
	return "." + format
}

// kindList joins the names of kinds with commas, and the last two with the conjunction.
func kindList(kinds []layout.Kind, conjunction string) string {
	return quote.List(names(kindOptions(kinds)), conjunction)
}

func optionsOf[T any](list []T, toOption func(T) option) []option {
	var options []option
	for _, element := range list {
		options = append(options, toOption(element))
	}
	return options
}

// blockFormats returns the formats in which build and gen write a block.
func blockFormats() []option {
	return append(optionsOf(armor.Formats(), func(f armor.Format) option { return option{f.Name, f.Doc} }), dumpOption)
}

func dumpFormats() []option {
	return append(optionsOf(dump.Formats(), func(f dump.Format) option { return option{f.Name, f.Doc} }), yamlOption)
}

func reportFormats() []option {
	return optionsOf(report.Formats(), func(f report.Format) option { return option{f.Name, f.Doc} })
}

func inputForms() []option {
	return optionsOf(armor.Inputs(), func(in armor.Input) option { return option{in.Name, in.Doc} })
}

func workloads() []option {
	return optionsOf(fuzz.Workloads(), func(w fuzz.Workload) option { return option{w.Name, w.Doc} })
}

func profiles() []option {
	return optionsOf(validate.Profiles(), func(p validate.Profile) option { return option{p.String(), p.Doc()} })
}

var failOnDocs = map[string]string{
	"error":   "an error (default)",
	"warning": "an error or a warning",
	"info":    "any finding",
	"never":   "no finding",
}

// failOns returns the options of --fail-on: the lowest severity that fails a block, or never.
func failOns() []option {
	return optionsOf(config.FailOns(), func(word string) option { return option{word, failOnDocs[word]} })
}

// roles are the options of --role.
var roles = []option{
	{"given", "passed to PerfAddCounters or PerfDeleteCounters"},
	{"told", "returned by PerfQueryCounterInfo"},
}

var kindDocs = [...]string{
	layout.DataBlockKind: "a header and its objects: what a consumer reads",
	layout.ObjectsKind:   "objects without a header: what a provider's Collect function writes",

	layout.QueryDataKind:     "a header and the results, from PerfQueryCounterData",
	layout.InstancesKind:     "the instances of a set, from PerfEnumerateCounterSetInstances",
	layout.IdentifiersKind:   "the counters of a query, for PerfAddCounters or from PerfQueryCounterInfo",
	layout.RegSetKind:        "a set and its counters, from PerfQueryCounterSetRegistrationInfo",
	layout.RegCounterKind:    "one counter, from PerfQueryCounterSetRegistrationInfo",
	layout.RegStringKind:     "a set's name or help, or a provider name, from PerfQueryCounterSetRegistrationInfo",
	layout.RegGUIDKind:       "a provider's GUID, from PerfQueryCounterSetRegistrationInfo",
	layout.StringsKind:       "names or help texts of counters, from PerfQueryCounterSetRegistrationInfo",
	layout.GUIDsKind:         "the GUIDs of the sets, from PerfEnumerateCounterSet",
	layout.TemplateKind:      "a provider's set and its counters, for PerfSetCounterSetInfo",
	layout.InstanceBlockKind: "an instance with its values and its name, from PerfCreateInstance",
}

// kindOptions returns the options of --kind for a list of kinds.
func kindOptions(kinds []layout.Kind) []option {
	return optionsOf(kinds, func(k layout.Kind) option { return option{k.String(), kindDocs[k]} })
}
