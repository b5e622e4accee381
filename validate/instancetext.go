package validate

import "github.com/perfblock/perfblock/layout"

var instanceTextRules = []*Rule{
	{
		ID: "PERF1412", Name: "inst-name-utf16", Severity: Warning, Since: "v0.1.0",
		Doc:     "a name of UTF-16 has both halves of every surrogate pair, and neither U+FFFE nor U+FFFF",
		Why:     "It is no text then. Converted to UTF-8 it loses the character, or the conversion fails; two names can become one.",
		Fix:     "Cut names between characters, not between the halves of one, and look for what wrote over the name.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "CodePage")},
		check:   onInstance.check(nameUTF16),
	},
	{
		ID: "PERF1413", Name: "inst-name-codepage", Severity: Info, Since: "v0.1.0",
		Doc:     "names are in UTF-16, so that they can be looked into",
		Why:     "The names of this object are in a code page. They are judged and shown as bytes, as no tables of code pages are at hand, so what is wrong with their characters is not seen.",
		Fix:     "Leave CodePage 0 and write the names in UTF-16, or bear in mind that names are not looked into.",
		Sources: []Source{of(&layout.PERF_OBJECT_TYPE, "CodePage")},
		Misread: []string{".NET and perflib_exporter read the bytes as UTF-16"},
		check:   onInstance.check(nameCodePage),
	},
	{
		ID: "PERF1414", Name: "inst-name-empty", Severity: Warning, Since: "v0.1.0",
		Doc:     "a name is more than its NUL",
		Why:     "An instance without a name has a NameLength of 0. One whose name is empty is shown as a blank, and cannot be asked for.",
		Fix:     "Write a name, or a NameLength of 0 and a UniqueID.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "NameLength")},
		check:   onInstance.check(nameEmpty),
	},
	{
		ID: "PERF1415", Name: "inst-unnamed", Severity: Warning, Since: "v0.1.0",
		Doc:     "an instance has a name or a UniqueID",
		Why:     "With neither nothing tells it from the other instances, or finds it again in the next sample.",
		Fix:     "Write a name, or a UniqueID other than -1.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "UniqueID"), of(&layout.PERF_INSTANCE_DEFINITION, "NameLength")},
		check:   onInstance.check(instanceUnnamed),
	},
	{
		ID: "PERF1416", Name: "inst-name-special", Severity: Warning, Windows: Info, Since: "v0.1.0",
		Doc:     `a name has none of \ ( ) / *, and does not end in # and a number`,
		Why:     `A counter's path is \\Computer\Object(Parent/Instance#Index)\Counter. A name with these characters makes a path that PDH, and tools that take paths apart, read as another or not at all. Windows' own disks and shares have such names.`,
		Fix:     "Put other characters in their place, [ ] for ( ) for example, before the name is written.",
		Sources: []Source{pathSyntax, duplicates},
		Misread: []string{"PDH cannot parse the path"},
		check:   onInstance.check(nameSpecial),
	},
	{
		ID: "PERF1417", Name: "inst-name-control", Severity: Warning, Since: "v0.1.0",
		Doc:     "a name has no control characters, U+0001 to U+001F, and no space at its start or end",
		Why:     "Neither is seen where the name is shown, and lists and settings that are read line by line or trimmed lose it: the name is then not found.",
		Fix:     "Trim the name and leave control characters out before it is written.",
		Sources: []Source{pathSyntax},
		check:   onInstance.check(nameControl),
	},
	{
		ID: "PERF1418", Name: "inst-name-long", Severity: Warning, Since: "v0.1.0",
		Doc:     "a name is of 1023 characters at most, counted as UTF-16 or as bytes of the code page",
		Why:     "PDH_MAX_INSTANCE_NAME is 1024 with the NUL. What is longer is cut or refused, and names that differ only behind that become one.",
		Fix:     "Shorten the name, and keep what tells it from others.",
		Sources: []Source{pdhFile, values},
		check:   onInstance.check(nameLong),
	},
	{
		ID: "PERF1419", Name: "inst-name-over-255", Severity: Info, Since: "v0.1.0",
		Doc:     "a name is of 255 characters at most, counted as UTF-16 or as bytes of the code page",
		Why:     "Microsoft's sample reader has room for 255, and readers made after it cut the rest.",
		Fix:     "Shorten the name, or leave it if the readers that matter have room.",
		Sources: []Source{values},
		Misread: []string{"Microsoft's sample cuts the name"},
		check:   onInstance.check(nameOver255),
	},
}
