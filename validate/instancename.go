package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var instanceNameRules = []*Rule{
	{
		ID: "PERF1405", Name: "inst-name-offset-min", Severity: Error, Since: "v0.1.0",
		Doc:     "the NameOffset of a named instance is at least 24",
		Why:     "A name that starts inside the definition is made of its fields.",
		Fix:     "Write 24, where the structure ends.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "NameOffset"), netdata},
		Misread: []string{"netdata takes the fields for letters, before its pull request 23072"},
		check:   onName.guard(nameOffsetMin),
	},
	{
		ID: "PERF1406", Name: "inst-name-range", Severity: Error, Since: "v0.1.0",
		Doc:     "NameOffset and NameLength together are no more than the instance's ByteLength",
		Why:     "A name that ends outside its instance is read on into the values, into other instances and past the end of the buffer.",
		Fix:     "Count the name and its terminator into ByteLength, and write the bytes it has into NameLength. Where NameOffset is not 24, look there first.",
		Sources: []Source{dotnet, of(&layout.PERF_INSTANCE_DEFINITION, "NameLength"), netdata},
		Misread: []string{".NET before 9.0 reads past the buffer", "perflib_exporter allocates without end where NameLength is 0xFFFFFFFE"},
		check:   onName.guard(nameRange),
	},
	{
		ID: "PERF1407", Name: "inst-name-offset-even", Severity: Warning, Since: "v0.1.0",
		Doc:     "a name of UTF-16 starts at an even NameOffset",
		Why:     "Its characters stand askew then: a reader that points at them as WCHARs faults on processors that mind.",
		Fix:     "Write 24 and put the name there.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "NameOffset")},
		check:   onInstance.check(nameOffsetEven),
	},
	{
		ID: "PERF1408", Name: "inst-name-offset-gap", Severity: Info, Since: "v0.1.0",
		Doc:     "a name stands right behind the structure, at 24",
		Why:     "Any place inside the instance is legal, but no provider is known to use another, and some readers do not look at NameOffset.",
		Fix:     "Write 24 and put the name there.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "NameOffset")},
		Misread: []string{"nmap's msrpcperformance reads the name at 24"},
		check:   onInstance.check(nameOffsetGap),
	},
	{
		ID: "PERF1409", Name: "inst-name-length-even", Severity: Error, Since: "v0.1.0",
		Doc:     "the NameLength of a name of UTF-16 is even",
		Why:     "It counts bytes, two for each character and for the NUL. An odd one was counted wrongly, and readers differ in which half of a character they take.",
		Fix:     "Write 2 for each character, and 2 for the NUL.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "NameLength"), of(&layout.PERF_OBJECT_TYPE, "CodePage")},
		check:   onInstance.check(nameLengthEven),
	},
	{
		ID: "PERF1410", Name: "inst-name-terminated", Severity: Error, Since: "v0.1.0",
		Doc:     "a name ends in a NUL, which NameLength counts",
		Why:     "Readers that trust the NUL run on into padding and values. Those that drop the last character, because it should be one, lose a letter.",
		Fix:     "Write a NUL behind the name and count it into NameLength.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "NameLength"), dotnetReader},
		Misread: []string{".NET loses the last character"},
		check:   onInstance.check(nameTerminated),
	},
	{
		ID: "PERF1411", Name: "inst-name-padding-counted", Severity: Warning, Since: "v0.1.0",
		Doc:     "the only NUL of a name is the one at its end",
		Why:     "NameLength leaves padding out. Where it counts the padding, or the whole of an array of characters, some readers find NULs in the name, and others end it at the first: one instance has two names.",
		Fix:     "Write the bytes up to the first NUL, and that, into NameLength. Padding is counted in ByteLength alone.",
		Sources: []Source{of(&layout.PERF_INSTANCE_DEFINITION, "NameLength"), values, netdata},
		Misread: []string{"Microsoft's sample and netdata take the NULs for characters", "perflib_exporter ends the name at the first"},
		check:   onInstance.check(namePaddingCounted),
	},
}

func nameOffsetMin(p *pass, in instanceName) bool {
	if in.NameLength() > 0 && int64(in.NameOffset()) < instanceSize {
		p.field(in, "NameOffset", in.NameOffset(), "24 at least, behind the structure")
		return false
	}
	return true
}

// nameRange blames the offset where that alone leads outside, and else the length.
func nameRange(p *pass, in instanceName) bool {
	from, n, whole := int64(in.NameOffset()), int64(in.NameLength()), in.end-in.off
	switch {
	case from > whole:
		p.field(in, "NameOffset", from, "%d at most, the ByteLength", whole)
	case from > instanceSize && from+n > whole && instanceSize+n <= whole:
		p.field(in, "NameOffset", from, "%s, so that the %d bytes of the name are inside ByteLength", between(instanceSize, whole-n), n)
	case from+n > whole:
		p.field(in, "NameLength", n, "%d at most, the bytes from NameOffset to the end of ByteLength", whole-from)
	}
	return from+n <= whole
}

// offsetOdd reports whether the characters of a name stand askew.
func offsetOdd(o *object, in *instance) bool {
	return in.name.Len() > 0 && o.CodePage() == 0 && in.NameOffset()%2 != 0
}

func nameOffsetEven(p *pass, in *instance) {
	if offsetOdd(in.of, in) {
		p.field(in, "NameOffset", in.NameOffset(), "an even number")
	}
}

func nameOffsetGap(p *pass, in *instance) {
	if from := in.NameOffset(); in.name.Len() > 0 && int64(from) != instanceSize && !offsetOdd(in.of, in) {
		p.field(in, "NameOffset", from, "24, right behind the structure")
	}
}

func nameLengthEven(p *pass, in *instance) {
	if n := in.name.Len(); n > 0 && !in.sound {
		p.field(in, "NameLength", n, "an even number, as each character is of two bytes")
	}
}

func nameTerminated(p *pass, in *instance) {
	if !in.sound || in.ended { // without a name neither
		return
	}
	n, unit := in.name.Len(), in.name.Unit()
	p.bytes(in, "Name", in.name.End()-int64(unit), unit, fmt.Sprintf("the %d bytes of the name end in % x", n, in.name.Bytes()[n-unit:]), "a NUL")
}

// namePaddingCounted has nothing to say where it is not known what a character is:
// half the bytes of UTF-16 are NUL, if its number is given for a code page.
func namePaddingCounted(p *pass, in *instance) {
	if !in.ended {
		return
	}
	if i, n := in.name.IndexNUL(), len(in.text); i < n && layout.KnownCodePage(in.of.CodePage()) {
		p.bytes(in, "Name", in.name.Off()+int64(i), n-i, fmt.Sprintf("a NUL stands %d bytes before the one that ends the name", n-i), "no NUL but that")
	}
}
