package validate

import (
	"fmt"

	"github.com/perfblock/perfblock/layout"
)

var namedTextRules = []*Rule{
	{
		ID: "PERF2411", Name: "v2-instance-name-empty", Severity: Warning, Since: "v0.1.0",
		Doc:     "the name of an instance is more than its NUL",
		Why:     "A set of many instances tells them by name. One without is shown as a blank, and cannot be asked for.",
		Fix:     "Write a name, or answer with PERF_SINGLE_COUNTER or PERF_MULTIPLE_COUNTERS where the set has a single instance.",
		Sources: []Source{of(&layout.PERF_INSTANCE_HEADER, "Size")},
		check:   onInstanceHeader.check(namedEmpty),
	},
	{
		ID: "PERF2412", Name: "v2-instance-name-too-long", Severity: Warning, Since: "v0.1.0",
		Doc:     "the name of an instance is of 1023 characters at most",
		Why:     "PERF_MAX_INSTANCE_NAME is 1024 with the NUL. What is longer is cut or refused, and names that differ only behind that become one.",
		Fix:     "Shorten the name, and keep what tells it from others.",
		Sources: []Source{maxName, of(&layout.PERF_INSTANCE_HEADER, "Size")},
		check:   onInstanceHeader.check(namedTooLong),
	},
	{
		ID: "PERF2413", Name: "v2-instance-name-utf16", Severity: Warning, Since: "v0.1.0",
		Doc:     "the name of an instance has both halves of every surrogate pair",
		Why:     "It is no text then. Converted to UTF-8 it loses the character, or the conversion fails; two names can become one.",
		Fix:     "Cut names between characters, not between the halves of one.",
		Sources: []Source{pcqInstance},
		check:   onInstanceHeader.check(namedUTF16),
	},
	{
		ID: "PERF2414", Name: "v2-instance-name-wildcard", Severity: Warning, Since: "v0.1.0",
		Doc:     "the name of an instance has neither * nor ?",
		Why:     "In an identifier they ask for all instances that match. One whose own name has them cannot be asked for alone; a name of * and nothing else is often that of the identifier, copied by mistake.",
		Fix:     "Put other characters in their place before the instance is created.",
		Sources: []Source{consuming, of(&layout.PERF_COUNTER_IDENTIFIER, "InstanceId")},
		check:   onInstanceHeader.check(namedWildcard),
	},
	{
		ID: "PERF2415", Name: "v2-instance-duplicate", Severity: Warning, Since: "v0.1.0",
		Doc:     "no two instances have one name, whatever its case, and one InstanceId",
		Why:     "The two together tell instances apart, and find them again in the next sample. Windows does not see to it.",
		Fix:     "Give instances of one name ids that differ.",
		Sources: []Source{function("PerfCreateInstance"), aboutSets},
		check:   onDuplicateName.check(namedTwice),
	},
	{
		ID: "PERF2416", Name: "v2-instance-name-case-duplicate", Severity: Info, Since: "v0.1.0",
		Doc:     "no two names differ in their case alone",
		Why:     "Names are compared without regard to case, so for most readers these are two instances of one name, which their ids alone tell apart.",
		Fix:     "Write a name the same way each time, or give instances names that differ in more.",
		Sources: []Source{aboutSets},
		check:   onDuplicateName.check(namedCase),
	},
	{
		ID: "PERF2417", Name: "v2-instance-id-wildcard", Severity: Warning, Since: "v0.1.0",
		Doc:     "the InstanceId of an instance is not 0xFFFFFFFF",
		Why:     "In an identifier it asks for instances of any id, so an instance that has it cannot be asked for alone.",
		Fix:     "Give it another id.",
		Sources: []Source{of(&layout.PERF_COUNTER_IDENTIFIER, "InstanceId"), of(&layout.PERF_INSTANCE_HEADER, "InstanceId")},
		check:   onInstanceHeader.check(namedAnyID),
	},
}

// inNamed reports n bytes of the text of a name, from byte i on.
func (p *pass) inNamed(in *instanceHeader, i, n int, got, want string) {
	p.bytes(in, "Name", in.off+namedSize+int64(i), n, got, want)
}

func namedEmpty(p *pass, in *instanceHeader) {
	if in.ended && len(in.text) == 0 {
		p.inNamed(in, 0, 2, "the name is empty", "a name before the NUL")
	}
}

func namedTooLong(p *pass, in *instanceHeader) {
	if n := len(in.text) / 2; in.ended && n > longestName {
		p.inNamed(in, 2*longestName, len(in.text)-2*longestName, fmt.Sprintf("the name is of %d characters", n), "1023 at most")
	}
}

func namedUTF16(p *pass, in *instanceHeader) {
	if i := unpaired(in.text); in.ended && i >= 0 {
		p.inNamed(in, i, 2, fmt.Sprintf("U+%04X is half of a surrogate pair", le.Uint16(in.text[i:])), "the pair, or neither half")
	}
}

func namedWildcard(p *pass, in *instanceHeader) {
	if i := pattern(in.text); in.ended && i >= 0 {
		p.inNamed(in, i, 2, fmt.Sprintf("the name has %c, which asks for several", in.text[i]), "neither * nor ?")
	}
}

func namedTwice(p *pass, t *duplicateName) {
	if t.same != 0 {
		p.inNamed(t.instanceHeader, 0, len(t.text), fmt.Sprintf("the instance at 0x%x has this name and the InstanceId %d too", t.same-1, t.id(p)), "a name or an InstanceId of its own")
	}
}

func namedCase(p *pass, t *duplicateName) {
	if t.same == 0 && t.differs {
		p.inNamed(t.instanceHeader, 0, len(t.text), fmt.Sprintf("the instance at 0x%x has this name in another case", t.first), "a name that differs in more, or not at all")
	}
}

func namedAnyID(p *pass, in *instanceHeader) {
	const anyID = 0xFFFFFFFF
	if in.id(p) == anyID {
		p.field(in, "InstanceId", uint32(anyID), "another")
	}
}
