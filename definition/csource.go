package definition

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perfblock/perfblock/layout"
)

// cFiles returns a C source with the given name, and its header.
func (p *Provider) cFiles(name string) ([]Output, error) {
	stem := strings.TrimSuffix(name, filepath.Ext(name))
	header := stem + ".h"
	if strings.EqualFold(header, p.HeaderName()) { // the name is in use for the header with the title numbers
		header = stem + "_counters.h"
	}
	sets, losses, err := p.cSets()
	if err == nil && strings.ContainsAny(header, "\"\\\r\n\x00") {
		err = fmt.Errorf("the name of the header %s has a quote, a backslash or a line end, which #include cannot hold", quoted(header))
	}
	if err != nil {
		return []Output{{Name: name}}, err
	}
	source, lost := p.cSource(sets, header)
	return []Output{{name, source, append(losses, lost...)}, {Name: header, Contents: p.cHeader(sets, header)}}, nil
}

// cSource returns a C source with functions for V1 objects, and V2 templates. losses has the sets and values that
// a template cannot hold.
func (p *Provider) cSource(sets []cSet, header string) (source []byte, losses []Loss) {
	var w cWriter
	w.printf("// %s\n//\n// The go command ignores this file because of the next line. C compilers ignore the line.\n\n//go:build ignore\n\n", generatedBy)
	w.printf("#include \"%s\"\n\n#include <string.h>\n", header)
	w.sharedFunctions(sets)
	for i := range sets {
		s := &sets[i]
		if s.values != nil { // V1 can hold the set
			w.definitions(s)
			w.functions(s)
		}
		losses = append(losses, w.template(p, s)...)
	}
	return []byte(w.text.String()), losses
}

// cHeader returns the header that the C source includes. name is the file name of the header.
func (p *Provider) cHeader(sets []cSet, name string) []byte {
	var w cWriter
	guard := constantName(name) + "_INCLUDED"
	w.printf("// %s\n//\n// Counters of %s: the objects of V1, and the templates of V2.\n\n#ifndef %s\n#define %[3]s\n", generatedBy, quoted(p.Name), guard)
	w.records()
	for i := range sets {
		w.declarations(&sets[i])
	}
	w.printf("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	return []byte(w.text.String())
}

// The types of fields in winperf.h and perflib.h.
var (
	winperfTypes = map[layout.Type]string{layout.U32: "DWORD", layout.I32: "LONG", layout.I64: "LARGE_INTEGER"}
	perflibTypes = map[layout.Type]string{layout.U32: "uint32_t", layout.I32: "int32_t", layout.U64: "uint64_t", layout.UUID: "GUID"}
)

// records writes the part of the header that includes or declares the types of winperf.h and perflib.h.
func (w *cWriter) records() {
	w.printf("%s", cTypes)
	for _, r := range []struct {
		*layout.Record
		types map[layout.Type]string
	}{
		{&layout.PERF_OBJECT_TYPE, winperfTypes}, {&layout.PERF_COUNTER_DEFINITION, winperfTypes}, {&layout.PERF_INSTANCE_DEFINITION, winperfTypes},
		{&layout.PERF_COUNTER_BLOCK, winperfTypes}, {&layout.PERF_COUNTERSET_INFO, perflibTypes}, {&layout.PERF_COUNTER_INFO, perflibTypes},
	} {
		w.printf("typedef struct %s {\n", r.C)
		for _, f := range r.Fields {
			w.printf("    %s %s;\n", r.types[f.Type], f.Name)
		}
		w.printf("} %s;\n", r.C)
	}
	w.printf("#endif\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n")
}

// cTypes is the first part of the text that records writes.
const cTypes = `
#include <stddef.h>
#include <stdint.h>

#ifdef _WIN32
#include <windows.h>
#include <winperf.h>
#include <perflib.h>
#elif !defined(PERFBLOCK_RECORDS)
#define PERFBLOCK_RECORDS
// Records of winperf.h and perflib.h, for tests on other systems.
typedef uint16_t WCHAR;
typedef uint32_t DWORD;
typedef int32_t LONG;
typedef int64_t LONGLONG;
typedef union LARGE_INTEGER {
    LONGLONG QuadPart;
} LARGE_INTEGER;
typedef struct GUID {
    uint32_t Data1;
    uint16_t Data2;
    uint16_t Data3;
    uint8_t Data4[8];
} GUID;
`

// A cSet is a counter set with its identifiers in C.
type cSet struct {
	*object
	block, definition, constant string // names: type of the values, type of the definitions, constant with the definitions
	begin, add, write           string // functions; a set without instances has only write
	templateType, templateName  string
	named                       []cMember // the members with values, in the order of the values
	members                     []cMember // all members, in the order of the counter block
	length                      uint32    // the length of the counter block
}

// A cMember is a member of the C struct with the values. The struct has members for all padding, so the compiler adds
// no padding.
type cMember struct {
	name  string
	words uint32 // the length in words of 4 bytes
	value *value // nil for padding
}

// cSets returns the sets with unique identifiers in C, and the values that V1 cannot hold.
func (p *Provider) cSets() ([]cSet, []Loss, error) {
	macros := make(map[string]bool) // the names that [Provider.AppendHeader] defines
	for _, t := range p.Titles() {
		macros[t.Symbol] = true
	}
	global := make(names)
	objects, losses := p.objects("V1 struct and functions")
	list := make([]cSet, len(objects))
	for i := range objects {
		s := &list[i]
		s.object = &objects[i]
		symbol := s.set.CSymbol()
		if !isIdentifier(symbol) {
			return nil, nil, s.refuse("symbol", wantC, "the symbol of %s is %s", quoted(s.set.Name.String()), quoted(symbol))
		}
		for _, n := range []struct {
			to     *string
			suffix string
		}{
			{&s.block, "_VALUES"}, {&s.definition, "_DEFINITIONS"}, {&s.constant, "_Definitions"}, {&s.begin, "_Begin"}, {&s.add, "_Add"},
			{&s.write, "_Write"}, {&s.templateType, "_TEMPLATE"}, {&s.templateName, "_Template"},
		} {
			*n.to = global.uniqueExcept(macros, symbol+n.suffix)
		}
		s.place(macros)
	}
	return list, losses, nil
}

// isIdentifier reports whether a symbol is a C identifier.
func isIdentifier(symbol string) bool {
	return cSymbol().MatchString(symbol) && symbol != ""
}

// place sets the members of the counter block, in the order of their offsets. No member has the name of a macro.
func (s *cSet) place(macros map[string]bool) {
	used := names{"Block": 1}
	s.length = layout.SizeofCounterBlock
	pad := func(to uint32) { // adds a uint32_t, or an array of them, as padding before the given offset
		if words := (to - s.length) / 4; words > 0 {
			s.members = append(s.members, cMember{used.uniqueExcept(macros, "Reserved"), words, nil})
			s.length = to
		}
	}
	members := make([]cMember, len(s.values))
	for i := range s.values {
		v := &s.values[i]
		members[i] = cMember{used.uniqueExcept(macros, memberName(v.name)), v.size() / 4, v}
	}
	s.named = slices.Clone(members)
	slices.SortStableFunc(members, func(a, b cMember) int { return cmp.Compare(a.value.offset, b.value.offset) })
	for _, m := range members {
		pad(m.value.offset)
		s.members = append(s.members, m)
		s.length += m.value.size()
	}
	pad((s.length + 7) / 8 * 8)
}

// memberName returns the name of a member in C for the value of a counter. The name has small letters, because a name
// in capital letters can be a macro of the headers of Windows, such as DELETE, ERROR and IN.
func memberName(counter string) string {
	name := goName(counter)
	if strings.ToUpper(name) == name {
		return name[:1] + strings.ToLower(name[1:])
	}
	return name
}

// size returns the CounterSize of the value.
func (v *value) size() uint32 {
	if v.isWide() && v.typ != layout.PERF_AVERAGE_TIMER {
		return 8
	}
	return 4
}

// A writer writes a source in C or Go.
type writer struct{ text strings.Builder }

func (w *writer) printf(form string, args ...any) { fmt.Fprintf(&w.text, form, args...) }

// help writes a line of a comment with a help text.
func (w *writer) help(t Text) {
	if help := inComment(t.String()); help != "" {
		w.printf("// Help text: %s\n", help)
	}
}

// hexBytes returns bytes as elements of an array in C or Go, such as 0x01, 0xff.
func hexBytes(b []byte) string { return strings.ReplaceAll(fmt.Sprintf("% #x", b), " ", ", ") }

// A cWriter writes C.
type cWriter struct{ writer }

// A cFunction is a function of a set that writes to a buffer.
type cFunction struct {
	name, parameters string
	doc              string // the comment after the name
}

// String returns the declaration without a semicolon.
func (f cFunction) String() string { return "size_t " + f.name + "(" + f.parameters + ")" }

// functions returns the functions of a set.
func (s *cSet) functions() []cFunction {
	buffer, first := "void *buffer, size_t size, ", "DWORD first_counter, DWORD first_help"
	values := ", const " + s.block + " *values"
	clock := ""
	if s.clock {
		first += ", LONGLONG perf_time, LONGLONG perf_freq"
		clock = " perf_time is\n// the time of the provider's clock and perf_freq its ticks per second, both above 0."
	}
	if !s.set.hasInstances() {
		return []cFunction{{
			s.write, buffer + first + values,
			"writes the object to the buffer and returns its length, or 0 if size is too small. first_counter and\n// first_help are First Counter and First Help in the registry." + clock,
		}}
	}
	return []cFunction{{
		s.begin, buffer + first,
		"writes the object without instances to the buffer and returns its length, or 0 if size is too\n// small. first_counter and first_help are First Counter and First Help in the registry." + clock,
	}, {
		s.add, buffer + "DWORD parent_title, DWORD parent, const WCHAR *name" + values,
		"adds an instance to the object in the buffer and returns the length of the object. size is the\n// number of bytes of the whole buffer. The function returns 0 and changes nothing if size is too small for the object\n// with the new instance, or if the name has more than 1023 characters.\n//\n// parent_title is the title index of the object that has the parent: First Counter plus the number of the object.\n// parent is the position of the parent among the instances of this object, from 0. parent_title and parent are 0 for an\n// instance without a parent.",
	}}
}

// declarations writes the types and functions of a set.
func (w *cWriter) declarations(s *cSet) {
	name := setInComment(s.set)
	if s.values == nil {
		w.printf("\n// V1 cannot hold %s, so no function writes an object of V1.\n", name)
	} else {
		w.printf("\n// Values of %s.\n", name)
		w.help(s.set.Help)
		w.printf("// The functions set Block and the members for padding.\ntypedef struct %s {\n    PERF_COUNTER_BLOCK Block;\n", s.block)
		for _, m := range s.members {
			w.member(m)
		}
		w.printf("} %s;\n", s.block)
		w.printf("\n// Definitions of %s. Titles are numbers to which the functions add First Counter and First Help.\ntypedef struct %s {\n    PERF_OBJECT_TYPE Object;\n    PERF_COUNTER_DEFINITION Counters[%d];\n} %[2]s;\n\nextern const %[2]s %[4]s;\n", name, s.definition, len(s.values), s.constant)
		for _, f := range s.functions() {
			w.printf("\n// %s %s\n%s;\n", f.name, f.doc, f)
		}
	}
	if n := len(s.set.Counters); n > 0 {
		w.printf("\n// Template of %s for PerfSetCounterSetInfo.\ntypedef struct %s {\n    PERF_COUNTERSET_INFO Set;\n    PERF_COUNTER_INFO Counters[%d];\n} %[2]s;\n\nextern const %[2]s %[4]s;\n", name, s.templateType, n, s.templateName)
	}
}

// member writes a member of the struct with the values.
func (w *cWriter) member(m cMember) {
	if m.value != nil {
		if m.value.note != "" {
			w.printf("    // %s\n", m.value.note)
		}
		if c := m.value.counter; c != nil && !c.Help.IsZero() {
			w.printf("    // %s is %s. %s\n", m.name, counterInComment(c), inComment(c.Help.String()))
		}
	}
	switch {
	case m.value == nil && m.words > 1:
		w.printf("    uint32_t %s[%d];\n", m.name, m.words)
	case m.words == 2:
		w.printf("    uint64_t %s;\n", m.name)
	default:
		w.printf("    uint32_t %s;\n", m.name)
	}
}
