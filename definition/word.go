package definition

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// A word is a value and its name in YAML and in manifests.
type word[T any] struct {
	text  string
	value T
}

// Words of manifests. The first word of each list is the default.
//
// Source: https://learn.microsoft.com/windows/win32/perfctrs/performance-counters-schema
var (
	instanceWords = []word[layout.InstanceType]{
		{"single", layout.PERF_COUNTERSET_SINGLE_INSTANCE},
		{"multiple", layout.PERF_COUNTERSET_MULTI_INSTANCES},
		{"globalAggregate", layout.PERF_COUNTERSET_SINGLE_AGGREGATE},
		{"multipleAggregate", layout.PERF_COUNTERSET_MULTI_AGGREGATE},
		{"globalAggregateHistory", layout.PERF_COUNTERSET_SINGLE_AGGREGATE_HISTORY},
		{"instanceAggregate", layout.PERF_COUNTERSET_INSTANCE_AGGREGATE}, // no manifest can hold it
	}
	levelWords = []word[layout.DetailLevel]{
		{"standard", layout.PERF_DETAIL_NOVICE},
		{"advanced", layout.PERF_DETAIL_ADVANCED},
		{"expert", layout.PERF_DETAIL_EXPERT}, // only V1 has expert and wizard
		{"wizard", layout.PERF_DETAIL_WIZARD},
	}
	aggregateWords = []word[layout.AggregateFunc]{
		{"undefined", layout.PERF_AGGREGATE_UNDEFINED},
		{"sum", layout.PERF_AGGREGATE_TOTAL},
		{"avg", layout.PERF_AGGREGATE_AVG},
		{"min", layout.PERF_AGGREGATE_MIN},
		{"max", layout.PERF_AGGREGATE_MAX},
	}
	attributeWords = []word[layout.Attrib]{
		{"reference", layout.PERF_ATTRIB_BY_REFERENCE},
		{"noDisplay", layout.PERF_ATTRIB_NO_DISPLAYABLE},
		{"noDigitGrouping", layout.PERF_ATTRIB_NO_GROUP_SEPARATOR},
		{"displayAsReal", layout.PERF_ATTRIB_DISPLAY_AS_REAL},
		{"displayAsHex", layout.PERF_ATTRIB_DISPLAY_AS_HEX},
	}
)

// Words for the string values of a Provider.
var (
	providerTypeWords = []word[string]{{userMode, userMode}, {kernelMode, kernelMode}}
	callbackWords     = []word[string]{{"default", "default"}, {"custom", "custom"}}
)

// userMode and kernelMode are the values of [Provider.Type].
const (
	userMode   = "userMode"
	kernelMode = "kernelMode"
)

// texts returns the words of a list.
func texts[T any](list []word[T]) []string {
	var all []string
	for _, w := range list {
		all = append(all, w.text)
	}
	return all
}

// wordFor returns the word for a value, or the value as a number.
func wordFor[T comparable](list []word[T], value T) string {
	i := slices.IndexFunc(list, func(w word[T]) bool { return w.value == value })
	if i < 0 {
		return fmt.Sprint(value)
	}
	return list[i].text
}

// attributeList returns the words for the bits that are set, separated by commas. It ignores bits without a word.
func attributeList(a layout.Attrib) string {
	var list []string
	for _, w := range attributeWords {
		if a&w.value != 0 {
			list = append(list, w.text)
		}
	}
	return strings.Join(list, ", ")
}

// quoted returns a text in quotes. It shortens long texts and escapes control characters.
func quoted(text string) string { return quote.Short(text) }

// called returns the name of a counter for a message, or "a counter without a name".
func called(name Text) string {
	if name.IsZero() {
		return "a counter without a name"
	}
	return quoted(name.String())
}

// calledOrID returns the name of a counter for a message, or # and its id.
func calledOrID(c *Counter) string {
	if c.Name.IsZero() {
		return c.label()
	}
	return called(c.Name)
}

// InstancesWord returns the field Instances as a word of manifests, such as "multiple".
func (s *CounterSet) InstancesWord() string { return wordFor(instanceWords, s.Instances) }
