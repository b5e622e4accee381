package main

import (
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestLintFlags checks that lintFlags returns a flag for each field that is set in a context.
func TestLintFlags(t *testing.T) {
	t.Parallel()
	query, block := "2", []byte{1}
	for _, tt := range []struct {
		kind   layout.Kind
		ctx    validate.Context
		to     string
		want   []string
		reason string
	}{
		{layout.DataBlockKind, validate.Context{}, "a.bin", []string{"--kind data-block"}, "the bytes have no signature, so the kind is needed"},
		{layout.QueryDataKind, validate.Context{}, "-", []string{"--kind query-data"}, "standard output has no name, so the kind is needed"},
		{layout.QueryDataKind, validate.Context{}, "a.query-data.bin", nil, "the name has the kind"},
		{layout.GUIDsKind, validate.Context{}, "a.query-data.bin", []string{"--kind guids"}, "the name has another kind, so the kind is needed"},
		{layout.ObjectsKind, validate.Context{Query: &query, FirstCounter: 1, LastCounter: 3}, "a.bin",
			[]string{"--kind objects", "--query 2", "--first-counter 1", "--last-counter 3"}, "the context of V1 has no files"},
		{layout.QueryDataKind, validate.Context{Identifiers: block, Registrations: [][]byte{block, block}}, "d.x/a.query-data.hex",
			[]string{"--identifiers d.x/a.identifiers.bin", "--reginfo d.x/a.1.reg-set.bin", "--reginfo d.x/a.2.reg-set.bin"}, "the files are beside the block"},
		{layout.QueryDataKind, validate.Context{Identifiers: block}, "a", []string{"--kind query-data", "--identifiers a.identifiers.bin"}, "a name may have no extension"},
		{layout.QueryDataKind, validate.Context{Identifiers: block}, "a.identifiers.bin",
			[]string{"--kind query-data", "--identifiers a.identifiers.identifiers.bin"}, "the file of the block is not overwritten"},
		{layout.StringsKind, validate.Context{Registrations: [][]byte{block}}, "my dir/a.bin",
			[]string{"--kind strings", "--reginfo " + quoted("my dir/a.1.reg-set.bin")}, "a name with a space is in quotes"},
		{layout.IdentifiersKind, validate.Context{Role: validate.PassedRole}, "a.identifiers.bin", []string{"--role given"}, "the identifiers were passed to Windows"},
		{layout.IdentifiersKind, validate.Context{Role: validate.ReturnedRole}, "a.identifiers.bin", []string{"--role told"}, "the identifiers were returned by Windows"},
		{layout.InstanceBlockKind, validate.Context{Counters: 7}, "a.instance-block.bin", []string{"--counters 7"}, "the number of counters is not in the block"},
	} {
		got := lintFlags(fuzz.Broken{Kind: tt.kind, Block: []byte{1, 2}, Context: tt.ctx}, tt.to)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%v to %s: got %q, want %q: %s", tt.kind, tt.to, got, tt.want, tt.reason)
		}
	}
}

// TestKindsOfFlags checks that kindsOfFlags has a flag for each kind of block with a rule that needs data outside the
// block, such as the query. It also checks that lint has all flags in kindsOfFlags.
func TestKindsOfFlags(t *testing.T) {
	t.Parallel()
	for _, r := range validate.Rules() {
		if r.Needs == "" {
			continue
		}
		for _, k := range r.Kinds() {
			if !slices.ContainsFunc(slices.Collect(maps.Values(kindsOfFlags)), func(kinds []layout.Kind) bool { return slices.Contains(kinds, k) }) {
				t.Errorf("%s needs %s for the kind %v, but no flag applies to the kind", r.Name, r.Needs, k)
			}
		}
	}
	lint := newLint()
	for name := range kindsOfFlags {
		if lint.Flags().Lookup(name) == nil {
			t.Errorf("lint has no flag --%s", name)
		}
	}
}

// TestQuoted checks that a shell reads the result of quoted as the original word.
func TestQuoted(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil || os.PathSeparator != '/' {
		t.Skip("there is no sh, or paths are not those of Unix")
	}
	words := []string{"", "plain-1.bin", "a b", "$HOME", "`id`", `back\slash`, `"`, "it's", "'", "a;b", "~", "*", "é", "{a,b}", "#", "!!", "\u00a0"}
	var script strings.Builder
	for _, w := range words {
		script.WriteString("printf '%s\\n' " + quoted(w) + "\n")
	}
	out, err := exec.CommandContext(t.Context(), shell, "-c", script.String()).Output()
	if diff := cmp.Diff(strings.Join(words, "\n")+"\n", string(out)); err != nil || diff != "" {
		t.Errorf("%v (-words +the shell's):\n%s", err, diff)
	}
	if got := quoted("a\nb"); got != `"a\nb"` {
		t.Errorf("a word with a line end is %s", got)
	}
}

// TestWriteBroken checks that lint reads the context files that writeBroken writes beside the block.
func TestWriteBroken(t *testing.T) {
	t.Parallel()
	var asked, set []byte
	for kind, to := range map[layout.Kind]*[]byte{layout.IdentifiersKind: &asked, layout.RegSetKind: &set} {
		for i := uint64(0); len(*to) == 0; i++ {
			b, err := fuzz.Model(kind, fuzz.Seed(i), fuzz.Config{}).MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			*to = b
		}
	}
	b := fuzz.Broken{Rule: "v2-some", Kind: layout.QueryDataKind, Block: []byte("no block"), Context: validate.Context{Identifiers: asked, Registrations: [][]byte{set, set}}}
	dir := filepath.Join(t.TempDir(), "made") + "/"
	c := &genCommand{seed: 7}
	c.path, c.given = dir, true
	c.format.value = "hex" // of the broken block; the context files are always binary
	if err := c.writeBroken(b, ""); err != nil {
		t.Fatal(err)
	}
	block := filepath.Join(dir, "v2-some-7.query-data.hex")
	if _, err := os.Stat(block); err != nil {
		t.Error(err)
	}
	var f contextFlags
	for _, flag := range lintFlags(b, block) {
		name, value, _ := strings.Cut(flag, " ")
		if path, err := strconv.Unquote(value); err == nil { // on Windows, the path can be in quotes
			value = path
		}
		switch name {
		case "--identifiers":
			f.identifiers = value
		case "--reginfo":
			f.reginfo = append(f.reginfo, value)
		default:
			t.Errorf("%s is not expected", flag)
		}
	}
	var ctx validate.Context
	if err := f.read(armor.Inputs()[0], &ctx); err != nil {
		t.Fatal(err)
	}
	if string(ctx.Identifiers) != string(asked) || len(ctx.Registrations) != 2 || string(ctx.Registrations[1]) != string(set) {
		t.Errorf("the files have %x, %x", ctx.Identifiers, ctx.Registrations)
	}
}

// TestWriteBrokenToStandardOutput checks that writeBroken writes no context files if it writes the block to standard
// output. A message must say how to get these files.
func TestWriteBrokenToStandardOutput(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	errs := os.Stderr
	os.Stderr = write
	c := &genCommand{}
	c.path, c.format.value = outfile.Stdout, "base64"
	err = c.writeBroken(fuzz.Broken{Rule: "v2-some", Kind: layout.QueryDataKind, Context: validate.Context{Identifiers: []byte{1}}}, "")
	os.Stderr = errs
	write.Close()
	printed, _ := io.ReadAll(read)
	if want := "perfblock: to find the fault that breaks the rule v2-some, lint needs more blocks; with -o FILE, gen writes these blocks too\n"; err != nil || string(printed) != want {
		t.Errorf("%v, %q, want %q", err, printed, want)
	}
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("%v is written", list)
	}
}
