package validate

import (
	"path"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// A Rule is one requirement for a block, with its description.
type Rule struct {
	ID       string   // such as PERF1404; an ID is never reused for another rule
	Name     string   // such as inst-length-align
	Severity Severity // under the profile strict
	Windows  Severity // under the profile windows; AsRule if it is the same as Severity
	NT4      Severity // under the profile nt4; AsRule if it is the same as Severity
	Since    string   // first version of perfblock that has the rule
	Doc      string   // the requirement, one sentence without a full stop
	Why      string   // what goes wrong in a block that breaks the rule
	Fix      string   // what to change, one line
	Sources  []Source // documents that state the rule, the most important one first
	Event    int      // event that Perflib logs, 0 if none is known: see [Events]
	Misread  []string // consumers known to misread a block that breaks the rule, and how they misread it
	Needs    string   // part of the [Context] that the rule requires, "" for none
	Forms    []string // forms of text that a rule of [Register] checks, such as manifest

	check  check // empty for a rule of Register
	aligns bool  // the rule requires lengths of V1 to be multiples of 8: see [stages]
}

// Register adds rules of another package to the rules of this package. The other package calls
// Register in an init function, checks its rules itself, and passes the findings to
// [Validator.Collect]. Register panics if two rules have the same ID or name.
func Register(more ...*Rule) {
	for _, r := range more {
		if slices.ContainsFunc(rules, func(other *Rule) bool { return r.ID == other.ID || r.Name == other.Name }) {
			panic("validate: the ID or the name of rule " + r.ID + ", " + r.Name + ", is registered twice")
		}
		rules = append(rules, r)
	}
	rules = sorted(rules)
}

// Rules returns all rules, sorted by ID. The caller must not modify the rules.
func Rules() []*Rule { return slices.Clone(rules) }

var rules = sorted(slices.Concat(
	dataBlockRules, clockRules, titleRules, objectTypeRules, objectLengthRules, bodyRules, counterDefinitionRules,
	counterValueRules, baseRules, instanceDefinitionRules, instanceNameRules, duplicateRules,
	counterBlockRules,
	inputRules, dataHeaderRules, counterHeaderRules, multiCountersRules, multiInstancesRules, instanceHeaderRules,
	counterDataRules, counterIdentifierRules, guidsRules, stringBufferRules, stringCounterRules,
	counterSetRegInfoRules, counterRegInfoRules, referenceRules, counterSetInfoRules, counterInfoRules,
	counterSetInstanceRules,
))

func sorted(list []*Rule) []*Rule {
	slices.SortFunc(list, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
	return list
}

// FindRule returns the rule with the given ID or name. If there is none, the error wraps
// [layout.ErrRange].
func FindRule(idOrName string) (*Rule, error) {
	for _, r := range rules {
		if r.ID == idOrName || r.Name == idOrName {
			return r, nil
		}
	}
	return nil, layout.Faultf(layout.ErrRange, "no rule %q", idOrName)
}

// MatchRules returns the rules whose ID or name matches a pattern of [path.Match], such as inst-*
// or PERF14*. A full ID or name is also a pattern. If the pattern is malformed or matches no rule,
// the error wraps [layout.ErrRange].
func MatchRules(pattern string) ([]*Rule, error) {
	var matched []*Rule
	for _, r := range rules {
		byID, err := path.Match(pattern, r.ID)
		if err != nil {
			return nil, layout.Faultf(layout.ErrRange, "%q is not a pattern: a [ has no ], or a \\ is the last character", pattern)
		}
		if byName, _ := path.Match(pattern, r.Name); byID || byName {
			matched = append(matched, r)
		}
	}
	if len(matched) == 0 {
		return nil, layout.Faultf(layout.ErrRange, "no rule has an ID or name that %q matches", pattern)
	}
	return matched, nil
}

// In returns the severity of the rule under a profile.
func (r *Rule) In(p Profile) Severity {
	s := AsRule
	switch p {
	case Windows:
		s = r.Windows
	case NT4:
		s = r.NT4
	}
	if s == AsRule {
		return r.Severity
	}
	return s
}

// Kinds returns the kinds of block in which the rule can have findings. It returns nil for a rule that
// [Register] has added.
func (r *Rule) Kinds() []layout.Kind {
	return slices.Clone(r.check.kinds)
}

// A Severity is the importance of a finding.
type Severity uint8

const (
	AsRule  Severity = iota // the severity of the rule under the profile; findings never have AsRule
	Off                     // findings of the rule are not reported; findings never have Off
	Info                    // legal but unusual, or against a convention
	Warning                 // against a recommendation of the documentation, or misread by some readers
	Error                   // against a requirement: readers fail, lose data or crash
)

var severityNames = [...]string{AsRule: "", Off: "off", Info: "info", Warning: "warning", Error: "error"}

func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return "?"
}

// Severities lists the severities that a finding can have, the lowest first.
func Severities() []Severity { return []Severity{Info, Warning, Error} }

// ParseSeverity returns the severity named off, info, warning or error. For another text the
// error wraps [layout.ErrRange].
func ParseSeverity(text string) (Severity, error) {
	for s := Off; s <= Error; s++ {
		if severityNames[s] == text {
			return s, nil
		}
	}
	return 0, layout.Faultf(layout.ErrRange, "no severity %q: must be one of %s", text, strings.Join(severityNames[Off:], ", "))
}

// A Profile is a set of requirements. It determines the severities of rules.
type Profile uint8

const (
	Strict  Profile = iota // all requirements and recommendations of the documentation
	Windows                // the tests that Perflib makes at its level 1, and the conventions of Windows' own objects
	NT4                    // the documentation before Windows 2000, which does not require alignment to 8 bytes
)

var profiles = [...]struct{ name, doc string }{
	Strict:  {"strict", "all requirements and recommendations of the documentation"},
	Windows: {"windows", "the tests that Perflib makes, and the conventions of Windows' own objects"},
	NT4:     {"nt4", "like strict, for blocks from before Windows 2000: alignment to 8 bytes is not required"},
}

// Profiles lists every profile. The first one is the default.
func Profiles() []Profile { return []Profile{Strict, Windows, NT4} }

func (p Profile) String() string {
	if int(p) < len(profiles) {
		return profiles[p].name
	}
	return "?"
}

// Doc describes the requirements of the profile, without a full stop.
func (p Profile) Doc() string {
	if int(p) < len(profiles) {
		return profiles[p].doc
	}
	return ""
}

// ParseProfile returns the profile with the given name, as [Profile.String] returns it. If
// there is none, the error wraps [layout.ErrRange].
func ParseProfile(text string) (Profile, error) {
	var names []string
	for p, known := range profiles {
		if known.name == text {
			return Profile(p), nil
		}
		names = append(names, known.name)
	}
	return 0, layout.Faultf(layout.ErrRange, "no profile %q: must be one of %s", text, strings.Join(names, ", "))
}

// A Source is a document that states a rule.
type Source struct {
	Clause string // "PERF_INSTANCE_DEFINITION, ByteLength"
	URL    string
}

// URL prefixes of the sources.
const (
	learn  = "https://learn.microsoft.com/en-us/windows/win32/"
	github = "https://github.com/"
)

var (
	collect      = Source{"PM_COLLECT_PROC", learn + "api/winperf/nc-winperf-pm_collect_proc"}
	dataFormat   = Source{"Performance Data Format", learn + "perfctrs/performance-data-format"}
	registry     = Source{"Using the Registry Functions to Consume Counter Data", learn + "perfctrs/using-the-registry-functions-to-consume-counter-data"}
	titles       = Source{"Retrieving Counter Names and Help Text", learn + "perfctrs/retrieving-counter-names-and-help-text"}
	values       = Source{"Retrieving Counter Data", learn + "perfctrs/retrieving-counter-data"}
	calculating  = Source{"Calculating Counter Values", learn + "perfctrs/calculating-counter-values"}
	pathSyntax   = Source{"Specifying a Counter Path", learn + "perfctrs/specifying-a-counter-path"}
	duplicates   = Source{"Handling Duplicate Instance Names", learn + "perfctrs/handling-duplicate-instance-names"}
	otherEntries = Source{"Creating Other Registry Entries", learn + "perfctrs/creating-other-registry-entries"}
	titleIndexes = Source{"Adding Counter Names and Descriptions to the Registry", learn + "perfctrs/adding-counter-names-and-descriptions-to-the-registry"}
	baseTypes    = Source{"Base Counter Types", learn + "wmisdk/base-counter-types"}
	precision    = Source{"Precision Timer Algorithm Counter Types", learn + "wmisdk/precision-timer-algorithm-counter-types"}
	textType     = Source{"PERF_COUNTER_TEXT, Platform SDK of April 2000", "https://library.thedatadungeon.com/msdn-2000-04/perfmon/hh/pdh/perfdata_4yr8.content.htm"}
	codePages    = Source{"Code Page Identifiers", learn + "intl/code-page-identifiers"}
	eventPage    = Source{"Performance Library Availability", "https://technet.microsoft.com/en-us/library/dd315714(v=ws.10)"}
	event1016    = Source{"Event 1016", "https://technet.microsoft.com/en-us/library/cc727139"}
	eventTitles  = Source{"titles of the events of Microsoft-Windows-Perflib", "https://detection-wiki-dev.pages.dev/microsoft-windows-perflib"}
	alignment    = Source{"KB 262335, length of the data a provider returns", "http://ftp.zx.net.nz/pub/mirror/ftp.microsoft.com/MISC/KB/en-us/262/335.HTM"}
	dotnet       = Source{"dotnet/runtime, checks of block sizes (PR 108663)", github + "dotnet/runtime/pull/108663"}
	dotnetReader = Source{"dotnet/runtime, PerformanceCounterLib.cs", github + "dotnet/runtime/blob/main/src/libraries/System.Diagnostics.PerformanceCounter/src/System/Diagnostics/PerformanceCounterLib.cs"}
	netdata      = Source{"netdata, perflib.c", github + "netdata/netdata/blob/master/src/libnetdata/os/windows-perflib/perflib.c"}
	informer     = Source{"System Informer, counters.c", github + "winsiderss/systeminformer/blob/master/plugins/ExtendedTools/counters.c"}
	wine         = Source{"Wine, kernelbase/registry.c", github + "wine-mirror/wine/blob/master/dlls/kernelbase/registry.c"}
	consuming    = Source{"Using the PerfLib Functions to Consume Counter Data", learn + "perfctrs/using-the-perflib-functions-to-consume-counter-data"}
	aboutSets    = Source{"About Performance Counters", learn + "perfctrs/about-performance-counters"}
	systemPage   = Source{"SYSTEMTIME", learn + "api/minwinbase/ns-minwinbase-systemtime"}
	counterXML   = Source{"counter element of the manifest", learn + "perfctrs/performance-counters-counter-complex-type"}
	wineTest     = Source{"Wine, advapi32 tests that pass on Windows, perf.c", github + "wine-mirror/wine/blob/master/dlls/advapi32/tests/perf.c"}
	headerFile   = Source{"winperf.h of mingw-w64", github + "mingw-w64/mingw-w64/blob/master/mingw-w64-headers/include/winperf.h"}
	maxName      = Source{"PERF_MAX_INSTANCE_NAME, in Rust's bindings", "https://microsoft.github.io/windows-docs-rs/doc/windows/Win32/System/Performance/constant.PERF_MAX_INSTANCE_NAME.html"}
	pdhFile      = Source{"pdh.h of mingw-w64", github + "mingw-w64/mingw-w64/blob/master/mingw-w64-headers/include/pdh.h"}
)

// sourceOf returns the source of a rule about a field: the page of the structure that has the
// field.
func sourceOf(r *layout.Record, field string) Source { return Source{r.C + ", " + field, r.Source} }

// Pages of [MS-PCQ], which describe some structures of perflib.h in more detail than the pages of
// perflib.h.
var (
	pcqStructures = pcq("the structures", "11e8a94e-b640-4186-9cb7-126e7f9c1318")
	pcqRegCounter = pcq("PERF_COUNTER_REG_INFO", "a89712bd-4ba1-4dab-8dbb-dea712c237ba")
	pcqStrings    = pcq("PERF_STRING_BUFFER_HEADER", "c646d3d6-7941-49bc-a86b-ab3cf9536918")
	pcqEntry      = pcq("PERF_STRING_COUNTER_HEADER", "698b9e29-2d05-4510-af1a-a34b80de81e9")
	pcqInstance   = pcq("PERF_INSTANCE_HEADER", "d78bcdce-a620-475b-b0dd-7eb9d2ed09f3")
	pcqIdentifier = pcq("PERF_COUNTER_IDENTIFIER", "4a5671fe-b75c-44ee-96da-edc9d51ee6a9")
	pcqData       = pcq("PERF_DATA_HEADER", "b9920496-d161-4d50-83de-5ca15d54c696")
	pcqHeader     = pcq("PERF_COUNTER_HEADER", "43839154-f7c2-4f86-b10a-d6fa145c5337")
	pcqIDs        = pcq("PERF_MULTI_COUNTERS", "fe08ddd6-d6c9-49fd-bbd4-0066c305bea4")
	pcqQueryInfo  = pcq("PerflibV2QueryCounterInfo", "b8f656a1-919d-437c-a4e2-1f1822322696")
)

// pcq returns a page of [MS-PCQ].
func pcq(about, page string) Source {
	return Source{"[MS-PCQ], " + about, "https://learn.microsoft.com/openspecs/windows_protocols/ms-pcq/" + page}
}

// function returns the reference page for a function of perflib.h, such as PerfAddCounters.
func function(name string) Source {
	return Source{name, learn + "api/perflib/nf-perflib-" + strings.ToLower(name)}
}

// An Event is an event that Perflib writes to the Application log if the data of a
// provider fails a test.
type Event struct {
	ID      int
	Meaning string // our description, not the text of the event
	Source  Source
}

// Events returns the events that rules refer to.
func Events() []Event { return slices.Clone(events[:]) }

var events = [...]Event{
	{1001, "the provider returned more bytes than its buffer has; its data is dropped", eventPage},
	{1002, "the provider changed the bytes before or after its buffer; its data is dropped", eventPage},
	{1003, "the lengths of the objects do not add up to the bytes the provider returned; its data is dropped", eventPage},
	{1004, "the lengths of the instances of an object do not add up; the provider's data is dropped", eventPage},
	{1008, "Open returned an error; the provider is not called again", eventTitles},
	{1010, "Collect caused an exception", eventTitles},
	{1014, "Collect returned an error", eventTitles},
	{1015, "Collect took longer than its time limit", eventTitles},
	{1016, "the number of bytes the provider returned is not a multiple of 8; the data is kept, and the data after it is misaligned", event1016},
	{1019, "the lengths of the definitions of an object do not add up to the length in its header", eventTitles},
	{2000, "the pointer that Collect returned does not match the number of bytes", eventTitles},
}

// FindEvent returns the event with the given ID, and whether [Events] has it.
func FindEvent(id int) (Event, bool) {
	for _, e := range events {
		if e.ID == id {
			return e, true
		}
	}
	return Event{}, false
}
