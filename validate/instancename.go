package validate

import (
	"fmt"
	"unicode/utf16"

	"github.com/perfblock/perfblock/layout"
)

var instanceNameRules = []*Rule{
	{
		ID: "PERF1405", Name: "inst-name-offset-min", Severity: Error, Since: "v0.1.0",
		Doc:     "NameOffset of a named instance is at least 24",
		Why:     "If a name starts inside the structure, readers show bytes of other fields as characters.",
		Fix:     "Set NameOffset to 24, the end of the structure.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "NameOffset"), netdata},
		Misread: []string{"netdata before its pull request 23072 reads the fields as characters"},
		check: onName.guard(func(p *pass, in instanceName) bool {
			switch {
			case in.NameLength() == 0 || int64(in.NameOffset()) >= instanceDefinitionSize:
				return true
			case in.followsStructure():
				p.field(in, "NameOffset", in.NameOffset(), "must be %d, the offset after the structure", instanceDefinitionSize)
			default:
				p.field(in, "NameOffset", in.NameOffset(), "must be at least %d, the offset after the structure", instanceDefinitionSize)
			}
			return false
		}),
	},
	{
		ID: "PERF1406", Name: "inst-name-range", Severity: Error, Since: "v0.1.0",
		Doc:     "NameOffset plus NameLength does not exceed ByteLength of the instance",
		Why:     "If a name ends outside its instance, a reader reads other bytes as characters: values, other instances, or memory after the buffer.",
		Fix:     "Include the name and its terminator in ByteLength, and write the number of bytes of the name into NameLength. If NameOffset is not 24, check it first.",
		Sources: []Source{dotnet, sourceOf(&layout.PERF_INSTANCE_DEFINITION, "NameLength"), netdata},
		Misread: []string{".NET before 9.0 reads past the buffer", "perflib_exporter allocates without limit if NameLength is 0xFFFFFFFE"},
		check:   onName.guard(nameRange),
	},
	{
		ID: "PERF1407", Name: "inst-name-offset-even", Severity: Warning, Since: "v0.1.0",
		Doc:     "NameOffset of a UTF-16 name is even",
		Why:     "At an odd offset the code units are misaligned. A reader that accesses them as WCHARs faults on some processors.",
		Fix:     "Set NameOffset to 24 and store the name there.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "NameOffset")},
		check: onInstance.check(func(p *pass, in *instance) {
			require(p, in, "NameOffset", in.NameOffset(), !in.offsetOdd(), "must be even")
		}),
	},
	{
		ID: "PERF1408", Name: "inst-name-offset-gap", Severity: Info, Since: "v0.1.0",
		Doc:     "NameOffset of a named instance is 24: the name directly follows the structure",
		Why:     "Any offset inside the instance is legal, but all known providers use 24, and some readers ignore NameOffset.",
		Fix:     "Set NameOffset to 24 and store the name there.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "NameOffset")},
		Misread: []string{"nmap's msrpcperformance always reads the name at offset 24"},
		check: onInstance.check(func(p *pass, in *instance) {
			if from := in.NameOffset(); in.name.Len() > 0 && int64(from) != instanceDefinitionSize && !in.offsetOdd() {
				p.field(in, "NameOffset", from, "must be %d, the offset after the structure", instanceDefinitionSize)
			}
		}),
	},
	{
		ID: "PERF1409", Name: "inst-name-length-even", Severity: Error, Since: "v0.1.0",
		Doc:     "NameLength of a UTF-16 name is even",
		Why:     "NameLength counts bytes: 2 for each code unit, including the NUL. If it is odd, readers differ in how they treat the last byte.",
		Fix:     "Set NameLength to 2 times the number of code units, including the NUL.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "NameLength"), sourceOf(&layout.PERF_OBJECT_TYPE, "CodePage")},
		check: onInstance.check(func(p *pass, in *instance) {
			require(p, in, "NameLength", in.name.Len(), in.name.Len() == 0 || in.sound, "must be even (UTF-16 code units)")
		}),
	},
	{
		ID: "PERF1410", Name: "inst-name-terminated", Severity: Error, Since: "v0.1.0",
		Doc:     "a name ends with a NUL, which NameLength includes",
		Why:     "Without a NUL, readers that search for it read padding and values too. Readers that remove the last code unit lose a character of the name.",
		Fix:     "Write a NUL after the name and include it in NameLength.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "NameLength"), dotnetReader},
		Misread: []string{".NET loses the last character"},
		check: onInstance.check(func(p *pass, in *instance) {
			if !in.sound || in.ended {
				return
			}
			n, unit := in.name.Len(), in.name.Unit()
			p.reportBytes(in, "Name", in.name.End()-int64(unit), unit, fmt.Sprintf("the %d bytes of the name end in % x", n, in.name.Bytes()[n-unit:]), "must end in a NUL")
		}),
	},
	{
		ID: "PERF1411", Name: "inst-name-padding-counted", Severity: Warning, Since: "v0.1.0",
		Doc:     "the only NUL of a name is its last code unit",
		Why:     "NameLength includes one NUL. It does not include padding, and is not the size of a character array. If it includes more NULs, some readers show them as a part of the name, and others end the name at the first NUL, so that the instance has two names.",
		Fix:     "Write the number of bytes up to and including the first NUL into NameLength. Only ByteLength includes padding.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "NameLength"), values, netdata},
		Misread: []string{"netdata and the sample of Microsoft read the NULs as characters", "perflib_exporter ends the name at the first NUL"},
		check: onInstance.check(func(p *pass, in *instance) {
			if !in.ended {
				return
			}
			// If the code page is unknown, the name can be UTF-16, and a byte of 0 can be half of a
			// character.
			if i, n := in.name.IndexNUL(), len(in.text); i < n && layout.KnownCodePage(in.of.CodePage()) {
				p.reportBytes(in, "Name", in.name.Off()+int64(i), n-i, fmt.Sprintf("the name has a NUL %d bytes before its terminator", n-i), "must have a NUL only at its end")
			}
		}),
	},
	{
		ID: "PERF1412", Name: "inst-name-utf16", Severity: Warning, Since: "v0.1.0",
		Doc:     "a UTF-16 name has no unpaired surrogate, no U+FFFE and no U+FFFF",
		Why:     "A name with one of these code units is not valid text. A conversion to UTF-8 fails or loses the character, and two names can become the same.",
		Fix:     "If your code shortens names, do not separate a surrogate pair. Otherwise find the code that overwrites the name.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "CodePage")},
		check:   onInstance.check(nameUTF16),
	},
	{
		ID: "PERF1413", Name: "inst-name-codepage", Severity: Info, Since: "v0.1.0",
		Doc:     "CodePage is 0 (names are UTF-16) if an instance of the object has a name",
		Why:     "The names of this object are in a code page. The library has no code page tables, so it shows the names as bytes and does not check their characters.",
		Fix:     "Write names as UTF-16 and CodePage as 0, or accept that the text of names is not checked.",
		Sources: []Source{sourceOf(&layout.PERF_OBJECT_TYPE, "CodePage")},
		Misread: []string{".NET and perflib_exporter read the bytes as UTF-16"},
		check: onInstance.check(func(p *pass, in *instance) {
			// The rule obj-codepage-valid reports an invalid CodePage.
			if id := in.of.CodePage(); id != 0 && in.name.Len() > 0 && !in.of.codePageReported && layout.KnownCodePage(id) {
				in.of.codePageReported = true
				p.field(in.of, "CodePage", id, "must be 0 (UTF-16), so that names can be decoded and checked")
			}
		}),
	},
	{
		ID: "PERF1414", Name: "inst-name-empty", Severity: Warning, Since: "v0.1.0",
		Doc:     "a name has at least one character before its NUL",
		Why:     "If a name has only a NUL, tools show a blank and cannot query the instance. An instance without a name has NameLength 0.",
		Fix:     "Write a name, or set NameLength to 0 and give the instance a UniqueID.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "NameLength")},
		check: onInstance.check(func(p *pass, in *instance) {
			require(p, in, "NameLength", in.NameLength(), !in.ended || len(in.text) > 0, "must be 0 for an unnamed instance, or include at least one character before the NUL")
		}),
	},
	{
		ID: "PERF1415", Name: "inst-unnamed", Severity: Warning, Since: "v0.1.0",
		Doc:     "an instance has a name or a UniqueID",
		Why:     "If an instance has no name and no UniqueID, a consumer cannot distinguish it from others, and cannot find it in the next sample.",
		Fix:     "Write a name, or set UniqueID to a number other than -1.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "UniqueID"), sourceOf(&layout.PERF_INSTANCE_DEFINITION, "NameLength")},
		check: onInstance.check(func(p *pass, in *instance) {
			require(p, in, "NameLength", in.NameLength(), in.NameLength() > 0 || in.UniqueID() != layout.PERF_NO_UNIQUE_ID, "must be greater than 0, or UniqueID must not be -1")
		}),
	},
	{
		ID: "PERF1416", Name: "inst-name-special", Severity: Warning, Windows: Info, Since: "v0.1.0",
		Doc:     `a name has none of \ ( ) / *, and does not end in # and a number`,
		Why:     `The path of a counter is \\Computer\Object(Parent/Instance#Index)\Counter. PDH and tools that parse paths misread or refuse a path whose name has these characters. Windows' own disks and network shares have such names.`,
		Fix:     "Replace these characters before you write the name, for example ( ) with [ ].",
		Sources: []Source{pathSyntax, duplicates},
		Misread: []string{"PDH cannot parse the path"},
		check:   onInstance.check(nameSpecial),
	},
	{
		ID: "PERF1417", Name: "inst-name-control", Severity: Warning, Since: "v0.1.0",
		Doc:     "a name has no control characters, U+0001 to U+001F, and no leading or trailing space",
		Why:     "These characters are invisible. Software that trims names, or reads one name from each line, gets another name and does not find the instance.",
		Fix:     "Trim the name and remove control characters before you write it.",
		Sources: []Source{pathSyntax},
		check:   onInstance.check(nameControl),
	},
	{
		ID: "PERF1418", Name: "inst-name-long", Severity: Warning, Since: "v0.1.0",
		Doc:     "a name has at most 1023 characters: UTF-16 code units, or bytes of the code page",
		Why:     "PDH_MAX_INSTANCE_NAME is 1024, including the NUL. Readers cut or refuse a longer name, and names that differ only after the limit become the same.",
		Fix:     "Shorten the name, and keep the part that distinguishes it from others.",
		Sources: []Source{pdhFile, values},
		check: onInstance.check(func(p *pass, in *instance) {
			if n, at := tooLong(in, longestName); at >= 0 {
				p.inName(in, at, len(in.text)-at, fmt.Sprintf("the name has %d characters", n), fmt.Sprintf("must have at most %d", longestName))
			}
		}),
	},
	{
		ID: "PERF1419", Name: "inst-name-over-255", Severity: Info, Since: "v0.1.0",
		Doc:     "a name has at most 255 characters: UTF-16 code units, or bytes of the code page",
		Why:     "Microsoft's sample reader has a buffer for 255 characters, and readers derived from it cut longer names.",
		Fix:     "Shorten the name, or ignore the finding if your readers accept longer names.",
		Sources: []Source{values},
		Misread: []string{"Microsoft's sample cuts the name"},
		check: onInstance.check(func(p *pass, in *instance) {
			if n, at := tooLong(in, shortName); at >= 0 && n <= longestName {
				p.inName(in, at, len(in.text)-at, fmt.Sprintf("the name has %d characters", n), fmt.Sprintf("must have at most %d", shortName))
			}
		}),
	},
}

// nameRange reports a name that is not inside the instance. The finding is at the field that is
// probably wrong, NameOffset or NameLength.
func nameRange(p *pass, in instanceName) bool {
	from, n, size := int64(in.NameOffset()), int64(in.NameLength()), in.end-in.off
	unit := in.unit()
	switch {
	case from+n <= size:
		return true
	case from > instanceDefinitionSize && in.followsStructure():
		p.field(in, "NameOffset", from, "must be %d, the offset after the structure", instanceDefinitionSize)
	case n > 0 && from > instanceDefinitionSize && instanceDefinitionSize+n <= size:
		p.field(in, "NameOffset", from, "must be %s, so that the %d bytes of the name are inside the instance", between(instanceDefinitionSize, size-n), n)
	case from > size:
		p.field(in, "NameOffset", from, "must be at most %d, the ByteLength", size)
	case in.textLength(from) > unit:
		p.field(in, "NameLength", n, "must be %d, the number of bytes up to and including the first NUL", in.textLength(from))
	default:
		p.field(in, "NameLength", n, "must be %s", atMost(size-from, unit, "the number of bytes from NameOffset to ByteLength"))
	}
	return false
}

// unit returns the number of bytes of a code unit of the name.
func (in *instance) unit() int64 { return int64(layout.Name{CodePage: in.of.CodePage()}.Unit()) }

// textLength returns the number of bytes from an offset of the instance up to and including the first NUL. It returns 0
// if the instance has no NUL there, or if the code page is unknown.
func (in *instance) textLength(from int64) int64 {
	text := layout.Name{Span: layout.NewSpan(in.Bytes()[from:in.end-in.off], in.off+from), CodePage: in.of.CodePage()}
	i := text.IndexNUL()
	if i < 0 || !layout.KnownCodePage(text.CodePage) {
		return 0
	}
	return int64(i) + in.unit()
}

// followsStructure reports whether a text that is not empty, and has NameLength bytes with its NUL, is directly after the
// structure.
func (in *instance) followsStructure() bool {
	n := int64(in.NameLength())
	return n > in.unit() && in.textLength(instanceDefinitionSize) == n
}

// offsetOdd reports whether the instance has a UTF-16 name at an odd offset.
func (in *instance) offsetOdd() bool {
	return in.name.Len() > 0 && in.of.CodePage() == 0 && in.NameOffset()%2 != 0
}

// quoted returns a name in quotes for a message. It shortens a long name.
func quoted(text []byte, codePage uint32) string {
	const most = 64 // bytes
	more := ""
	if len(text) > most {
		text, more = text[:most], "..."
	}
	if codePage != 0 {
		return fmt.Sprintf("%+q", text) + more
	}
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = le.Uint16(text[2*i:])
	}
	return fmt.Sprintf("%q", string(utf16.Decode(units))) + more
}

const (
	longestName = 1023 // characters of the longest name that PDH accepts, without the NUL
	shortName   = 255  // characters of the longest name that Microsoft's sample accepts, without the NUL
)

// The checks below skip NULs inside a name, because the rule inst-name-padding-counted reports them.

// utf16Text returns the text of a UTF-16 name, or nil for a name of a code page.
func (in *instance) utf16Text() []byte {
	if in.of.CodePage() != 0 {
		return nil
	}
	return in.text
}

// inName adds a finding for n bytes of the name of an instance, starting at byte i of the name.
func (p *pass) inName(in *instance, i, n int, got, want string) {
	p.reportBytes(in, "Name", in.name.Off()+int64(i), n, got, want)
}

func nameUTF16(p *pass, in *instance) {
	t := in.utf16Text()
	surrogate := unpaired(t)
	for i := 0; i+1 < len(t) && i != surrogate; i += 2 {
		if u := le.Uint16(t[i:]); u >= 0xFFFE {
			p.inName(in, i, 2, fmt.Sprintf("the name has U+%04X", u), "must be a character")
			return
		}
	}
	if surrogate >= 0 {
		p.inName(in, surrogate, 2, fmt.Sprintf("U+%04X is an unpaired surrogate", le.Uint16(t[surrogate:])), "must be part of a surrogate pair")
	}
}

func nameSpecial(p *pass, in *instance) {
	t := in.utf16Text()
	number, digits := -1, 0 // index of the last # if only digits follow this #, otherwise -1; number of digits
	for i := 0; i+1 < len(t); i += 2 {
		switch u := le.Uint16(t[i:]); u {
		case 0:
		case '\\', '(', ')', '/', '*':
			p.inName(in, i, 2, fmt.Sprintf("the name has '%c', a character that is special in paths", u), `must have none of \ ( ) / *`)
			return
		case '#':
			number, digits = i, 0
		case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			digits++
		default:
			number = -1
		}
	}
	if number >= 0 && digits > 0 {
		p.inName(in, number, len(t)-number, "the name ends with # and a number", "must end differently: in a path, # and a number select one of several equal names")
	}
}

func nameControl(p *pass, in *instance) {
	t := in.utf16Text()
	first, last := true, -1 // last is the index of the last character if this character is a space, otherwise -1
	for i := 0; i+1 < len(t); i += 2 {
		switch u := le.Uint16(t[i:]); {
		case u == 0:
			continue
		case u < ' ':
			p.inName(in, i, 2, fmt.Sprintf("the name has U+%04X, a control character", u), "must have no control characters")
			return
		case u != ' ':
			last = -1
		case first:
			p.inName(in, i, 2, "the name starts with a space", "must not start with a space")
			return
		default:
			last = i
		}
		first = false
	}
	if last >= 0 {
		p.inName(in, last, 2, "the name ends with a space", "must not end with a space")
	}
}

// tooLong returns the number of characters of a name, and the byte index of the first character
// after the limit. If the name is not too long, the index is -1 and the number is not valid.
func tooLong(in *instance, limit int) (n, at int) {
	at = -1
	unit := in.name.Unit()
	if len(in.text) <= limit*unit {
		return 0, at
	}
	for i := 0; i+unit <= len(in.text); i += unit {
		if in.text[i] == 0 && (unit == 1 || in.text[i+1] == 0) {
			continue
		}
		if n++; n == limit+1 {
			at = i
		}
	}
	return n, at
}
