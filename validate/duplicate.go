package validate

import (
	"bytes"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf16"

	"github.com/perfblock/perfblock/layout"
)

// A duplicate is an instance with the same full name as an earlier instance of the object.
type duplicate struct {
	of    *object
	index int    // of the instance
	at    uint32 // offset of the instance in the object
	first uint32 // offset in the object of the first instance with the name
}

var onDuplicate = subjectsIn[*duplicate](v1Kinds...)

var duplicateRules = []*Rule{
	{
		ID: "PERF1420", Name: "inst-name-duplicate", Severity: Warning, Windows: Info, Since: "v0.1.0",
		Doc:     "no two instances of an object have the same full name, parents included, ignoring case",
		Why:     "Consumers use the name to find an instance in the next sample. If two instances have the same name, a consumer may combine their values and compute a wrong rate.",
		Fix:     "Add a distinguishing part to the names, such as a process identifier.",
		Sources: []Source{sourceOf(&layout.PERF_INSTANCE_DEFINITION, "NameOffset"), duplicates, dotnetReader},
		Misread: []string{"windows_exporter reports an error for the second instance and drops it", ".NET adds #1, #2 and so on to the repeated names in the order of the instances, and this order may differ in the next sample"},
		check:   onDuplicate.check(nameDuplicate),
	},
}

// checkName compares the name of an instance with the names of earlier instances. It skips a UTF-16
// name with an odd length, which another rule reports.
func (p *pass) checkName(o *object, in *instance) {
	if len(onDuplicate.stageIn(p.rules).checks) == 0 || o.CodePage() == 0 && len(in.text)%2 != 0 {
		return
	}
	if first := p.addFullName(o, in); first != 0 {
		p.reportDuplicate(o, in.index, uint32(in.off-o.off), first)
	}
}

// reportDuplicate runs the rules for duplicates on instance k at offset `at`. first is the offset
// of the first instance with the name.
func (p *pass) reportDuplicate(o *object, k int, at, first uint32) {
	p.duplicate = duplicate{o, k, at, first}
	onDuplicate.runChecks(p, &p.duplicate)
}

// sameName reports whether the instances at two offsets in the object have the same full name,
// ignoring case.
func (p *pass) sameName(o *object, one, other uint32) bool {
	p.folded.a = appendFold(p.folded.a[:0], o.nameAt(one), o.CodePage(), o.parentAt(one))
	p.folded.b = appendFold(p.folded.b[:0], o.nameAt(other), o.CodePage(), o.parentAt(other))
	return bytes.Equal(p.folded.a, p.folded.b)
}

// addFullName adds the full name of an instance. It returns the offset of an earlier instance with
// the same name, or 0.
func (p *pass) addFullName(o *object, in *instance) uint32 {
	parent := parentOf(in.Instance)
	p.folded.a = appendFold(p.folded.a[:0], in.text, o.CodePage(), parent)
	seed := &p.names.seed
	hash := seed.addName(seed.startUnder(parent[0], parent[1]), p.folded.a[parentBytes:])
	if p.collected.active {
		p.collected.add(hash, uint32(in.off-o.off))
		return 0 // findEqual finds the duplicates later
	}
	return p.names.add(hash, uint32(in.off-o.off), func(ref uint32) bool {
		p.folded.b = appendFold(p.folded.b[:0], o.nameAt(ref), o.CodePage(), o.parentAt(ref))
		return bytes.Equal(p.folded.a, p.folded.b)
	})
}

// beginNames removes all names, and prepares for the names of n instances. size is the number of bytes
// available for the instances. If n instances do not fit into size bytes, it prepares for fewer names.
func (p *pass) beginNames(n, size int64) {
	p.names.reset(int(min(n, size/shortestInstance)))
	p.ids.reset(0)
}

// sameNames compares the name and the InstanceId of an instance of V2 with those of the earlier
// instances.
func (p *pass) sameNames(in *instanceHeader) {
	if len(in.text)%2 != 0 {
		return
	}
	p.folded.a = appendFold(p.folded.a[:0], in.text, 0, [2]uint32{})
	at := uint32(in.off) + 1 // the reference 0 means that there is no instance
	hash := p.names.seed.named(p.folded.a[parentBytes:])
	first := p.names.add(hash, at, func(ref uint32) bool { return p.sameFolded(ref) })
	// Most names occur once, so the InstanceId is compared only for equal names.
	if first == 0 {
		return
	}
	t := &p.duplicateName
	*t = duplicateName{instanceHeader: in}
	other := p.comparedAt(first)
	if other.id == in.id(p) {
		t.same = first
	} else {
		t.differs = !bytes.Equal(other.text, in.text)
		t.same = p.ids.add(p.names.seed.idOf(hash, in.id(p)), at, func(ref uint32) bool {
			return p.comparedAt(ref).id == in.id(p) && p.sameFolded(ref)
		})
	}
	if t.same == 0 && !t.differs {
		return
	}
	t.first = int64(first) - 1
	onDuplicateName.run(p, t)
}

// sameFolded reports whether the instance with the given reference has the name in p.folded.a.
func (p *pass) sameFolded(ref uint32) bool {
	p.folded.b = appendFold(p.folded.b[:0], p.comparedAt(ref).text, 0, [2]uint32{})
	return bytes.Equal(p.folded.a, p.folded.b)
}

// A comparedInstance is an earlier instance of V2, with which a later instance is compared.
type comparedInstance struct {
	id   uint32
	text []byte
}

// comparedAt returns the instance with the given reference. The reference is the offset of the
// instance plus 1.
func (p *pass) comparedAt(ref uint32) comparedInstance {
	at := int64(ref) - 1
	header := instanceHeaderAt(p.b, at)
	text := p.b[at+instanceHeaderSize : min(int64(len(p.b)), at+max(shortestInstance, int64(header.Size())))]
	return comparedInstance{header.InstanceId(), text[:max(0, nulIn(text))]}
}

// A duplicateName is an instance of V2 whose name is equal to the name of an earlier instance,
// ignoring case.
type duplicateName struct {
	*instanceHeader
	first   int64  // offset of the first instance with the name
	same    uint32 // reference of an earlier instance with the same name and InstanceId, 0 if there is none
	differs bool   // the name differs in case from the name of the first instance
}

var onDuplicateName = subjectsIn[*duplicateName](layout.QueryDataKind, layout.InstancesKind)

// idOf returns the hash of a name with an InstanceId. name is the hash of the name alone.
func (s *seed) idOf(name uint64, id uint32) uint64 { return mix(name^uint64(id), s.step) }

// A duplicateText is an entry in a cache of the texts of findings. The cache is small, because
// usually only a few different names repeat.
type duplicateText struct {
	first     int64  // offset in the input of the first instance with the name, 0 if the entry is not used
	text      []byte // the name in got
	got, want string
}

const (
	duplicateTextBits  = 6
	mostDuplicateTexts = 1 << duplicateTextBits // size of the cache
)

func nameDuplicate(p *pass, t *duplicate) {
	if !p.count() {
		return
	}
	if p.duplicateTexts == nil {
		p.duplicateTexts = make([]duplicateText, mostDuplicateTexts)
	}
	text, first := t.of.nameAt(t.at), t.of.off+int64(t.first)
	w := &p.duplicateTexts[uint64(first)*spread>>(64-duplicateTextBits)]
	if w.first != first {
		want := fmt.Sprintf("must differ from the name of the instance at 0x%x, ignoring case", first)
		*w = duplicateText{first: first, want: want}
	}
	if w.got == "" || !bytes.Equal(text, w.text) {
		w.text, w.got = text, "the name is "+quoted(text, t.of.CodePage())
	}
	in := t.of.definitionAt(t.at)
	p.listed.extend().fill(p.rule, layout.Path{}.At("object", t.of.index).At("instance", t.index).Field("Name"),
		in.Off()+int64(in.NameOffset()), int(in.NameLength()), w.got, w.want)
}

// folds has buffers for two case-folded names.
type folds struct{ a, b []byte }

const parentBytes = 8 // size of the parent in a folded name

// nameAt returns the name, without its terminator, of the instance at an offset in the object.
// The name must be inside the instance.
func (o *object) nameAt(at uint32) []byte {
	in := o.definitionAt(at)
	from, n, unit := in.NameOffset(), in.NameLength(), uint32(2)
	if o.CodePage() != 0 {
		unit = 1
	}
	text := in.Bytes()[from : from+n : from+n]
	if n < unit || text[n-unit]|text[n-1] != 0 {
		return text
	}
	return text[:n-unit]
}

func (o *object) parentAt(at uint32) [2]uint32 { return parentOf(o.definitionAt(at)) }

// appendFold appends parent, and then text in upper case, to dst. codePage determines which letters it
// converts:
//   - 0, which means UTF-16: the same letters as the comparison OrdinalIgnoreCase of .NET
//   - a code page for which hasASCII returns true: only ASCII letters
//   - another code page: no letters
func appendFold(dst, text []byte, codePage uint32, parent [2]uint32) []byte {
	dst = slices.Grow(dst, parentBytes+len(text))
	dst = le.AppendUint32(le.AppendUint32(dst, parent[0]), parent[1])
	switch {
	case codePage != 0 && !hasASCII(codePage):
		return append(dst, text...)
	case codePage != 0:
		for _, c := range text {
			dst = append(dst, upperASCII(c))
		}
		return dst
	}
	for i := 0; i+1 < len(text); i += 2 {
		u := le.Uint16(text[i:])
		if u < 0x80 {
			dst = append(dst, upperASCII(byte(u)), 0)
			continue
		}
		r := rune(u)
		if utf16.IsSurrogate(r) && i+3 < len(text) {
			if pair := utf16.DecodeRune(r, rune(le.Uint16(text[i+2:]))); pair != unicode.ReplacementChar {
				hi, lo := utf16.EncodeRune(unicode.ToUpper(pair))
				dst = le.AppendUint16(le.AppendUint16(dst, uint16(hi)), uint16(lo))
				i += 2
				continue
			}
		}
		dst = le.AppendUint16(dst, uint16(upper(r)))
	}
	return dst
}

// hasASCII reports whether the bytes 'A' to 'Z' and 'a' to 'z' always encode these letters in the code
// page. It returns false for a code page that it does not list.
func hasASCII(codePage uint32) bool {
	switch {
	case codePage >= 1250 && codePage <= 1258, // Windows
		codePage >= 28591 && codePage <= 28605, // ISO 8859
		codePage >= 860 && codePage <= 866:     // DOS
		return true
	}
	switch codePage {
	case 437, 720, 737, 775, 850, 852, 855, 857, 858, 869, 874, 20127, 20866, 21866, 65001:
		return true
	}
	// In EBCDIC and UTF-7, a byte that is a letter in ASCII can encode something else. In the code
	// pages of East Asia, this byte can be the second half of a character.
	return false
}

func upperASCII(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// upper returns the upper case of r. Like .NET, it does not convert the two letters outside ASCII
// whose upper case is an ASCII letter.
func upper(r rune) rune {
	if r == 'ı' || r == 'ſ' {
		return r
	}
	return unicode.ToUpper(r)
}
