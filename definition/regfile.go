package definition

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/unicode"

	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/lazy"
	"github.com/perfblock/perfblock/validate"
)

// A regFile is a .reg file: the registry values of V1 providers, title databases, or both.
type regFile struct {
	services []regKey         // the keys Performance of services, in the order of the file
	linkages []regKey         // the keys Linkage of services
	titles   *titles.Database // nil if the file has none
}

// A regKey is a registry key with its values.
type regKey struct {
	name   string              // the name of the service
	values map[string]regValue // by name in small letters
	at     place
}

// A regValue is a value of the registry.
type regValue struct {
	kind   string // such as REG_SZ, or "another type"; "" for an absent value
	text   string // the value of a string
	number uint32 // the value of a REG_DWORD
	at     place
}

// regService matches the path of a key of a service.
var regService = lazy.Regexp(`(?i)^HKEY_LOCAL_MACHINE\\SYSTEM\\(?:CurrentControlSet|ControlSet\d+)\\Services\\([^\\]+)\\(Performance|Linkage)$`)

// readRegFile reads a .reg file. A file with neither a key of a service nor a title database is an error. If a line has
// an error, the result has the keys before this line.
func readRegFile(b []byte) (*regFile, error) {
	if len(b) > mostText {
		return nil, errors.New("the text has more than 32 MiB")
	}
	f := new(regFile)
	var in *regKey // nil outside of the keys of services
	for v, err := range armor.RegFile(b) {
		switch {
		case err != nil:
			return f, err
		case v.Type == armor.RegKey:
			in = f.addKey(v)
		case in == nil:
		case v.Type == armor.RegDeleted:
			delete(in.values, strings.ToLower(v.Name))
		default:
			in.values[strings.ToLower(v.Name)] = newRegValue(v)
		}
	}
	var err error
	f.titles, err = titles.Read(b)
	if err != nil && !f.hasService() {
		if at, ok := errors.AsType[positionError](err); ok {
			line, column := at.Place()
			return nil, &Error{Line: line, Column: column, Err: fmt.Errorf("%w, and the file has no key Services\\NAME\\Performance", errors.Unwrap(at))}
		}
		return nil, fmt.Errorf("the file has no key Services\\NAME\\Performance and no key Perflib\\009: %w", err)
	}
	return f, nil
}

// isRegFile reports whether a .reg file has a title database, or values of a provider.
func isRegFile(contents []byte) bool {
	f, err := readRegFile(contents)
	return err == nil || f.hasService()
}

// hasService reports whether f has a key of a service.
func (f *regFile) hasService() bool { return f != nil && len(f.services)+len(f.linkages) > 0 }

// addKey adds a registry key to f and returns the key, or nil if the key belongs to no service.
func (f *regFile) addKey(v armor.RegValue) *regKey {
	m := regService().FindStringSubmatch(v.Key)
	if m == nil {
		return nil
	}
	list := &f.services
	if strings.EqualFold(m[2], "Linkage") {
		list = &f.linkages
	}
	*list = append(*list, regKey{m[1], make(map[string]regValue), place{v.Line, v.Column}})
	return &(*list)[len(*list)-1]
}

func newRegValue(v armor.RegValue) regValue {
	r := regValue{kind: v.Type, text: v.Text, at: place{v.Line, v.Column}}
	switch {
	case v.Type == armor.RegDword && len(v.Data) == 4:
		r.number = binary.LittleEndian.Uint32(v.Data)
	case v.Hex && slices.Contains([]string{armor.RegString, armor.RegExpand, armor.RegMulti}, v.Type):
		page := latin
		if !v.ANSI {
			page = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
		}
		text, _ := page.NewDecoder().Bytes(v.Data)                                        // never fails
		r.text = strings.ReplaceAll(strings.TrimRight(string(text), "\x00"), "\x00", " ") // strings of a list
	}
	return r
}

// onService returns a check that calls f for the key Performance of each service.
func onService(f func(k regKey, report func(finding))) check {
	return check{[]Form{Registry}, func(in *File, report func(finding)) {
		for _, k := range in.registry.services {
			f(k, report)
		}
	}}
}

// onTitles returns a check that reports the faults of the given sorts in title databases.
func onTitles(sorts ...titles.FaultSort) check {
	return check{[]Form{Registry, Titles}, func(in *File, report func(finding)) {
		if in.registry.titles == nil {
			return
		}
		for i := range in.registry.titles.Tables {
			for fault := range in.registry.titles.Tables[i].Faults() {
				if slices.Contains(sorts, fault.Sort) {
					report(titleFinding(fault))
				}
			}
		}
	}}
}

// titleFinding returns a finding about a fault. In a REG_MULTI_SZ, the line is the number of the string.
func titleFinding(fault titles.Fault) finding {
	at := fault.Place
	if at.Nth > 0 {
		return finding{at: place{at.Nth, 1}, got: fmt.Sprintf("%s at 0x%x", fault.Got, at.Off), want: fault.Want}
	}
	return finding{at: place{at.Line, at.Col}, got: fault.Got, want: fault.Want}
}

var (
	keyPage    = validate.Source{Clause: "Creating the Application's Performance Key", URL: learn + "creating-the-applications-performance-key"}
	otherPage  = validate.Source{Clause: "Creating Other Registry Entries", URL: learn + "creating-other-registry-entries"}
	titlesPage = validate.Source{Clause: "Retrieving Counter Names and Help Text", URL: learn + "retrieving-counter-names-and-help-text"}
	netTitles  = validate.Source{Clause: "dotnet/runtime issue 45814", URL: "https://github.com/dotnet/runtime/issues/45814"}
)

var regFileRules = []*rule{
	{validate.Rule{
		ID: "PERF4301", Name: "reg-required-values", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "the key Performance of a service has Library, Open, Collect and Close of type REG_SZ; Library may be REG_EXPAND_SZ",
		Why:     "Windows uses these values to load the DLL and to find its functions. If a value is missing, Windows does not call the provider.",
		Fix:     "Write the values; perfblock define -o NAME.reg makes such a file.",
		Sources: []validate.Source{keyPage},
	}, onService(func(k regKey, report func(finding)) {
		for _, name := range []string{"Library", "Open", "Collect", "Close"} {
			v, is := k.values[strings.ToLower(name)]
			switch {
			case !is:
				report(finding{at: k.at, got: fmt.Sprintf("the key Performance of %s has no value %s", quoted(k.name), name), want: "must have one"})
			case v.kind != armor.RegString && (name != "Library" || v.kind != armor.RegExpand):
				report(finding{at: v.at, got: fmt.Sprintf("%s is %s", name, v.kind), want: "must be REG_SZ"})
			}
		}
	})},
	{validate.Rule{
		ID: "PERF4302", Name: "reg-export-type", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "the value Export of the key Linkage is REG_MULTI_SZ",
		Why:     "Perflib reads a REG_SZ too, but the WMI adapter does not, so WMI lacks the counters.",
		Fix:     "Write Export as REG_MULTI_SZ, a list of one or more names.",
		Sources: []validate.Source{otherPage},
	}, check{[]Form{Registry}, func(in *File, report func(finding)) {
		for _, k := range in.registry.linkages {
			if v, is := k.values["export"]; is && v.kind != armor.RegMulti {
				report(finding{at: v.at, got: "Export is " + v.kind, want: "must be REG_MULTI_SZ"})
			}
		}
	}}},
	{validate.Rule{
		ID: "PERF4303", Name: "reg-index-range", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "First Counter and Last Counter are even, First Help and Last Help are odd, each first index is at most the last index, and all four values or none are present",
		Why:     "Consumers find the objects of a provider by this range. Even indexes belong to names, odd indexes to help texts.",
		Fix:     "Remove the four values and run lodctr, which writes them.",
		Sources: []validate.Source{iniPage, titlesPage},
	}, onService(indexRange)},
	{validate.Rule{
		ID: "PERF4304", Name: "reg-object-list", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "a service with First Counter has an Object List, whose indexes are even and between First Counter and Last Counter",
		Why:     "Without Object List, Windows calls the DLL for each query, even if the query is for objects of other providers. No consumer queries an object with an index below First Counter or above Last Counter.",
		Fix:     "Add a section [objects] to the .ini file, and run lodctr again.",
		Sources: []validate.Source{iniPage},
	}, onService(objectList)},
	{validate.Rule{
		ID: "PERF4401", Name: "namedb-pairs", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "a title database is a list of pairs of an index and a text, in UTF-16, with an empty string at the end",
		Why:     "Consumers read an index and a text in turn. If a string is missing, they read the following texts as indexes.",
		Fix:     "Run lodctr /R, which builds the database again.",
		Sources: []validate.Source{titlesPage},
	}, onTitles(titles.Unpaired, titles.Truncated, titles.BadText)},
	{validate.Rule{
		ID: "PERF4402", Name: "namedb-index", Severity: validate.Error, Since: "v0.1.0",
		Doc:     "the first string of each pair is a decimal number",
		Why:     ".NET and others fail to read the whole database if an index is empty or not a number.",
		Fix:     "Run lodctr /R, which builds the database again.",
		Sources: []validate.Source{titlesPage, netTitles},
	}, onTitles(titles.BadIndex)},
	{validate.Rule{
		ID: "PERF4403", Name: "namedb-parity", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "the indexes in Counter are even, except in the first pair, and the indexes in Help are odd",
		Why:     "lodctr gives even indexes to names and odd indexes to help texts. An index with the wrong parity belongs to another text.",
		Fix:     "Run lodctr /R, which builds the database again.",
		Sources: []validate.Source{titlesPage},
	}, onTitles(titles.Parity)},
	{validate.Rule{
		ID: "PERF4404", Name: "namedb-ascending", Severity: validate.Warning, Since: "v0.1.0",
		Doc:     "each index is greater than the index before it",
		Why:     "Consumers that search a sorted list do not find an index that is out of order. A repeated index has two names.",
		Fix:     "Run lodctr /R, which builds the database again.",
		Sources: []validate.Source{titlesPage},
	}, onTitles(titles.Order)},
	{validate.Rule{
		ID: "PERF4405", Name: "namedb-first", Severity: validate.Info, Since: "v0.1.0",
		Doc:     "the first pair in the value Counter is 1 and the highest index of the system, such as 1 and 5003",
		Why:     "Windows writes this pair, which is not a name, at the start of the list. A list without the pair may be a part of a database.",
		Fix:     "Export the whole value, or ignore the finding.",
		Sources: []validate.Source{titlesPage},
	}, onTitles(titles.NoFirst)},
}

// indexNames has the names of the index values that lodctr writes.
var indexNames = [...]string{"First Counter", "Last Counter", "First Help", "Last Help"}

// indexes returns the values in indexNames. complete is false if a value is missing or is not a REG_DWORD.
func (k regKey) indexes() (list [4]regValue, complete bool) {
	complete = true
	for i, name := range indexNames {
		list[i] = k.values[strings.ToLower(name)]
		complete = complete && list[i].kind == armor.RegDword
	}
	return list, complete
}

func indexRange(k regKey, report func(finding)) {
	list, all := k.indexes()
	if !all {
		if slices.ContainsFunc(list[:], func(v regValue) bool { return v.kind != "" }) { // a service has no indexes before lodctr has run
			report(finding{at: k.at, got: fmt.Sprintf("the key Performance of %s has only some of First Counter, Last Counter, First Help and Last Help as REG_DWORD", quoted(k.name)), want: "must have all or none"})
		}
		return
	}
	for i, v := range list {
		got := fmt.Sprintf("%s is %d", indexNames[i], v.number)
		if parity := i / 2; v.number%2 != uint32(parity) {
			report(finding{at: v.at, got: got, want: "must be " + [...]string{"even", "odd"}[parity]})
		}
		if first := i - i%2; v.number < list[first].number {
			report(finding{at: v.at, got: got, want: fmt.Sprintf("must be at least %s, %d", indexNames[first], list[first].number)})
		}
	}
}

func objectList(k regKey, report func(finding)) {
	list, all := k.indexes()
	if !all {
		return
	}
	first, last := list[0].number, list[1].number
	v, is := k.values["object list"]
	if !is {
		report(finding{at: k.at, got: fmt.Sprintf("the key Performance of %s has no Object List", quoted(k.name)), want: "should list the indexes of the objects"})
		return
	}
	for word := range strings.FieldsSeq(v.text) {
		n, err := strconv.ParseUint(word, 10, 32)
		if err != nil || n%2 != 0 || uint32(n) < first || uint32(n) > last {
			report(finding{at: v.at, got: "Object List has " + quoted(word), want: fmt.Sprintf("must have even indexes from %d to %d", first, last)})
		}
	}
}
