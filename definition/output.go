package definition

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tc-hib/winres"

	"github.com/perfblock/perfblock/definition/titles"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/internal/yamltext"
	"github.com/perfblock/perfblock/layout"
)

// An Output is a file that is generated from a definition.
type Output struct {
	Name     string // without a folder
	Contents []byte
	Lost     []Loss // values of the definition that the file lacks; see [Provider.Outputs]
}

// An Into returns the manifest into which the counters element is written. name is the file name of the output. If the
// result is nil, a new manifest is written. See [ManifestOptions].
type Into func(name string) (*File, error)

// An output describes one kind of file that can be generated from a definition, such as .ini files.
type output struct {
	ext  string // the end of the file name, such as .yaml or _windows_386.syso
	doc  string // for help, without a full stop
	name func(*Provider) string

	// write returns the contents and the losses. into is the manifest to write into, or nil. write is nil for the form
	// .c, which has two files.
	write func(p *Provider, into *File) ([]byte, []Loss, error)
}

// lossless returns a write function for an output that never has losses. contents returns the contents of the file.
func lossless(contents func(*Provider) ([]byte, error)) func(*Provider, *File) ([]byte, []Loss, error) {
	return func(p *Provider, _ *File) ([]byte, []Loss, error) {
		b, err := contents(p)
		return b, nil, err
	}
}

var outputs = []output{
	{".yaml", "the definition in YAML", named(".yaml"), lossless(func(p *Provider) ([]byte, error) { return p.AppendYAML(nil) })},
	{".man", "an instrumentation manifest, for lodctr /m and CTRPP", named(".man"), func(p *Provider, into *File) ([]byte, []Loss, error) {
		return p.AppendManifest(nil, ManifestOptions{Into: into})
	}},
	{".ini", "the names for lodctr; the header is a second file", named(".ini"), func(p *Provider, _ *File) ([]byte, []Loss, error) { return p.AppendINI(nil) }},
	{".h", "a C header that gives each name a number, for lodctr", (*Provider).HeaderName, lossless(func(p *Provider) ([]byte, error) { return p.AppendHeader(nil) })},
	{".reg", "the DLL and its functions, for reg import", named(".reg"), lossless(func(p *Provider) ([]byte, error) { return p.AppendRegistry(nil) })},
	{".rc", "the names as string resources, for a resource compiler", named(".rc"), lossless((*Provider).resourceScript)},
	{".go", "a struct for each counter set, for Go programs", named(".go"), func(p *Provider, _ *File) ([]byte, []Loss, error) { return p.goSource() }},
	{".c", "definitions, templates and functions, for C; the header is a second file", named("_counters.c"), nil},
	syso(winres.ArchAMD64),
	syso(winres.ArchI386),
	syso(winres.ArchARM64),
}

// titleOutputs are forms that require FirstCounter. [Provider.Outputs] does not write these forms.
var titleOutputs = []output{
	{".titles.reg", "the names with their indexes, for tests; requires --first-counter", named(".titles.reg"), lossless((*Provider).titlesRegistry)},
	{".titles.txt", "the names in one language, as text; requires --first-counter", named(".titles.txt"), func(p *Provider, _ *File) ([]byte, []Loss, error) { return p.titlesText() }},
}

// namedOutputs returns all forms that a file name can select. Longer extensions come first.
func namedOutputs() []output { return slices.Concat(titleOutputs, outputs) }

// syso returns the output form for string resources that the go command links into a program for a processor.
func syso(arch winres.Arch) output {
	ext := "_windows_" + string(arch) + ".syso"
	return output{ext, "the names as string resources, for go build", named(ext), lossless(func(p *Provider) ([]byte, error) { return p.object(arch) })}
}

// files returns the output with the given name. For a C source, the header is the second file.
func (o *output) files(p *Provider, name string, into Into) ([]Output, error) {
	if o.ext == ".c" {
		return p.cFiles(name)
	}
	var manifest *File
	if into != nil && o.ext == ".man" {
		var err error
		if manifest, err = into(name); err != nil {
			return []Output{{Name: name}}, err
		}
	}
	b, lost, err := o.write(p, manifest)
	return []Output{{name, b, lost}}, err
}

// named returns a function that makes a file name: the name of the provider in small letters, followed by ext.
func named(ext string) func(*Provider) string {
	return func(p *Provider) string { return lowerName(p.Name) + ext }
}

// An OutputForm is a file format that [Provider.Output] can write: its file name extension and its description.
type OutputForm struct{ Ext, Doc string }

// OutputForms returns the file formats that [Provider.Output] can write.
func OutputForms() []OutputForm {
	var list []OutputForm
	for _, o := range slices.Concat(outputs, titleOutputs) {
		list = append(list, OutputForm{o.ext, o.doc})
	}
	return list
}

// Output returns the definition as a file with the given name. The extension of the name selects the form. An unknown
// extension is an error. An .ini file and a C source require their headers, so the header is the second file. The
// argument into may be nil.
func (p *Provider) Output(name string, into Into) ([]Output, error) {
	for _, o := range namedOutputs() {
		if !strings.HasSuffix(strings.ToLower(name), o.ext) {
			continue
		}
		list, err := o.files(p, name, into)
		if err == nil && o.ext == ".ini" {
			var header []byte
			header, err = p.AppendHeader(nil)
			list = append(list, Output{Name: p.HeaderName(), Contents: header})
		}
		return list, errors.Join(err, p.differ(list))
	}
	var all []string
	for _, o := range namedOutputs() {
		all = append(all, o.ext)
	}
	return nil, fmt.Errorf("the form of %s is not known; the name must end in %s, or in / for a folder", quoted(name), strings.Join(all, ", "))
}

// Outputs returns the files of all forms that can hold the definition. The losses of a file do not include values that
// another file has. The error lists the forms that cannot hold the definition. With an error, Outputs returns the files
// of the other forms. The argument into may be nil.
func (p *Provider) Outputs(into Into) ([]Output, error) {
	var list []Output
	var faults formFaults
	for _, o := range outputs {
		files, err := o.files(p, o.name(p), into)
		if err = errors.Join(err, p.differ(slices.Concat(list, files))); err != nil {
			faults.add(o.name(p), err)
			continue
		}
		for i := range files {
			files[i].Lost = slices.DeleteFunc(files[i].Lost, func(l Loss) bool { return l.elsewhere })
		}
		list = append(list, files...)
	}
	return list, faults.err()
}

// formFaults collects the errors of several outputs. An error that several outputs have is kept once.
type formFaults struct {
	texts []string            // the texts of the errors, each once
	names map[string][]string // the names of the outputs with an error, by the text of the error
}

// add adds the errors that are joined in err. name is the name of the output.
func (f *formFaults) add(name string, err error) {
	if f.names == nil {
		f.names = make(map[string][]string)
	}
	for text := range strings.SplitSeq(err.Error(), "\n") { // errors of a definition have no line ends
		if f.names[text] == nil {
			f.texts = append(f.texts, text)
		}
		f.names[text] = append(f.names[text], name)
	}
}

// err returns the errors, each with the names of its outputs.
func (f *formFaults) err() error {
	var list []error
	for _, text := range f.texts {
		list = append(list, fmt.Errorf("%s: %s", quote.List(f.names[text], "and"), text))
	}
	return errors.Join(list...)
}

// differ returns an error if two files of the list have the same name, ignoring case. The key "header" of a definition
// can cause this error, because it sets the name of the .h file.
func (p *Provider) differ(list []Output) error {
	seen := make(map[string]bool)
	for _, one := range list {
		name := strings.ToLower(one.Name)
		if seen[name] {
			return p.refuse("header", "must be a name that ends in .h", "%s is the name of two files to write", quoted(one.Name))
		}
		seen[name] = true
	}
	return nil
}

// Generated reports whether contents have the comment "Code generated by perfblock define": a text in its first 1,024
// bytes, an object file at any position. A definition in YAML is written without the comment, because people edit it. A
// .titles.txt file cannot hold comments. Generated recognises it by its form, if it has no index of Windows itself.
func Generated(contents []byte) bool {
	if isObject(contents) {
		return bytes.Contains(contents, []byte(generatedBy))
	}
	text, err := decodeText(contents[:min(len(contents), 1024)&^1], latin)
	return err == nil && strings.Contains(text, generatedBy) || isTitlesText(contents)
}

// isTitlesText reports whether contents have the form of a .titles.txt file: the index 1 with the highest index of a help
// text, and then the indexes of a provider. The names of a system have the same form, but they include built-in names.
func isTitlesText(contents []byte) bool {
	if !bytes.HasPrefix(contents, []byte("1\n")) { // fast, because most files are blocks
		return false
	}
	d, err := titles.Read(contents)
	if err != nil || len(d.Tables[0].Pairs) < 2 {
		return false
	}
	t := &d.Tables[0]
	text, _ := t.AppendText(nil)
	last, _ := t.Pairs[len(t.Pairs)-1].Index()
	builtIn := func(p titles.Pair) bool {
		index, _ := p.Index()
		_, _, is := titles.BuiltIn(index)
		return is
	}
	return bytes.Equal(text, contents) && t.Pairs[0].Name == decimal(last+1) && !slices.ContainsFunc(t.Pairs, builtIn)
}

// isObject reports whether contents begin like an object file for amd64, 386 or arm64.
func isObject(contents []byte) bool {
	machines := []string{"\x64\x86", "\x4c\x01", "\x64\xaa"} // amd64, 386, arm64
	return slices.ContainsFunc(machines, func(machine string) bool { return bytes.HasPrefix(contents, []byte(machine)) })
}

// InsertGUIDs adds the missing GUIDs to a definition in YAML and returns the new text. The GUIDs are derived from the
// names. p must be the result of [Parse] for text. Nothing else in the text changes, except that a text in UTF-16
// becomes UTF-8. It is an error if [Parse] does not find all GUIDs in the new text.
func (p *Provider) InsertGUIDs(text []byte) ([]byte, error) {
	type insert struct {
		at   place
		guid string
	}
	var inserts []insert
	if p.GUID == (layout.GUID{}) {
		inserts = append(inserts, insert{p.at.find(""), p.ID().String()})
	}
	for i := range p.CounterSets {
		if s := &p.CounterSets[i]; s.GUID == (layout.GUID{}) {
			inserts = append(inserts, insert{s.at.find(""), p.SetID(s).String()})
		}
	}
	text, err := yamltext.Decode(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	from, here := 0, place{1, 1} // the bytes before from are written
	for i, r := range string(text) {
		for ; len(inserts) > 0 && inserts[0].at == here; inserts = inserts[1:] {
			b.Write(text[from:i])
			from = i
			if r == '{' { // a mapping in braces, or JSON
				from++
				fmt.Fprintf(&b, `{"guid": %q, `, inserts[0].guid)
				continue
			}
			end := "\n"
			if line, _, _ := bytes.Cut(text[i:], []byte("\n")); bytes.HasSuffix(line, []byte("\r")) {
				end = "\r\n"
			}
			fmt.Fprintf(&b, "guid: %q%s%s", inserts[0].guid, end, strings.Repeat(" ", here.column-1))
		}
		here.column++
		if r == '\n' {
			here = place{here.line + 1, 1}
		}
	}
	b.Write(text[from:])
	if !p.isIn(b.Bytes()) {
		return nil, errors.New("the GUIDs cannot be inserted: the text has a GUID of zeros, or a line end that is neither LF nor CR LF; remove it and try again")
	}
	return b.Bytes(), nil
}

// isIn reports whether a text is a definition with the GUIDs of p and its sets.
func (p *Provider) isIn(text []byte) bool {
	got, err := Parse("", text)
	if err != nil || got.GUID != p.ID() || len(got.CounterSets) != len(p.CounterSets) {
		return false
	}
	for i := range p.CounterSets {
		if got.CounterSets[i].GUID != p.SetID(&p.CounterSets[i]) {
			return false
		}
	}
	return true
}
