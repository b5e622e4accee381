package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/armor"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// contextFlags are the flags of lint for data that is not in the block, such as the identifiers of a query.
type contextFlags struct {
	definition  string
	identifiers string
	reginfo     []string
	role        choice
	counters    uint32
}

func (f *contextFlags) flags(cmd *cobra.Command) {
	f.setFlags(cmd)
	f.role.flag(cmd, "role", "the use of identifiers", roles)
	cmd.Flags().Uint32Var(&f.counters, "counters", 0, "the counter set of an instance block has `N` counters")
	noFiles(cmd, "counters")
}

// setFlags adds the flags --definition, --identifiers and --reginfo, which name files that describe counter sets.
func (f *contextFlags) setFlags(cmd *cobra.Command) {
	set := cmd.Flags()
	set.StringVar(&f.definition, "definition", "", "the `FILE` that defines the counters of the provider")
	set.StringVar(&f.identifiers, "identifiers", "", "the `FILE` with the identifiers of the query")
	set.StringArrayVar(&f.reginfo, "reginfo", nil, "a `FILE` with the registration of a counter set")
}

// check returns an error for a flag with an invalid value. It does not read the files.
func (f *contextFlags) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	switch {
	case given("definition") && f.definition == "":
		return errors.New("--definition requires the name of a file")
	case given("identifiers") && f.identifiers == "":
		return errors.New("--identifiers requires the name of a file")
	case slices.Contains(f.reginfo, ""):
		return errors.New("--reginfo requires the name of a file")
	case given("counters") && f.counters == 0:
		return errors.New("--counters is 0, must be at least 1")
	}
	return nil
}

// kindsOfFlags maps a flag to the kinds of block for which the flag is valid.
var kindsOfFlags = map[string][]layout.Kind{
	"query":         {layout.DataBlockKind, layout.ObjectsKind},
	"first-counter": {layout.DataBlockKind, layout.ObjectsKind},
	"last-counter":  {layout.DataBlockKind, layout.ObjectsKind},
	"definition":    definition.ComparedKinds(),
	"identifiers":   {layout.QueryDataKind},
	"reginfo":       {layout.QueryDataKind, layout.IdentifiersKind, layout.StringsKind, layout.InstanceBlockKind},
	"role":          {layout.IdentifiersKind},
	"counters":      {layout.InstanceBlockKind},
}

// checkApplies returns an error for a flag that applies to no file. kinds has the kinds of all blocks.
func checkApplies(flags *pflag.FlagSet, kinds []layout.Kind, hasDefinitions bool) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		applies := kindsOfFlags[f.Name]
		if hasDefinitions && f.Name == "definition" {
			return
		}
		if err == nil && applies != nil && !slices.ContainsFunc(kinds, func(k layout.Kind) bool { return slices.Contains(applies, k) }) {
			err = fmt.Errorf("--%s applies to blocks of kind %s, but no FILE has that kind", f.Name, kindList(applies, "or"))
		}
	})
	return err
}

// files returns the paths in the flags. The path of a flag that is not given is "".
func (f *contextFlags) files() []string {
	return append([]string{f.definition, f.identifiers}, f.reginfo...)
}

// readDefinition returns the definition that --definition names, or nil.
func (f *contextFlags) readDefinition() (*definition.Provider, error) {
	if f.definition == "" {
		return nil, nil
	}
	contents, err := readInput(f.definition)
	if err != nil {
		return nil, err
	}
	file, err := readDefinition(f.definition, contents)
	if err != nil {
		return nil, err
	}
	return file.Provider, nil
}

// read sets the fields of the context from the flags and their files.
func (f *contextFlags) read(in armor.Input, ctx *validate.Context) (err error) {
	if f.identifiers != "" {
		if ctx.Identifiers, err = readContext(f.identifiers, in, layout.IdentifiersKind); err != nil {
			return err
		}
	}
	for _, path := range f.reginfo {
		b, err := readContext(path, in, layout.RegSetKind)
		if err != nil {
			return err
		}
		ctx.Registrations = append(ctx.Registrations, b)
	}
	switch f.role.value {
	case "given":
		ctx.Role = validate.PassedRole
	case "told":
		ctx.Role = validate.ReturnedRole
	}
	ctx.Counters = f.counters
	return nil
}

// readContext returns the block in the file of a flag such as --identifiers. A faulty block is an error, because it
// would cause wrong findings.
func readContext(path string, in armor.Input, kind layout.Kind) ([]byte, error) {
	s, err := readBlock(path, in)
	switch {
	case err != nil:
		return nil, err
	case len(s.Bytes) == 0:
		return nil, block.Empty(path)
	}
	if layout.HasSignature(s.Bytes) { // by chance, a data block can be readable as this kind
		return nil, fmt.Errorf("%s: has the PERF signature of a %v, must be %v", s.Name(), layout.DataBlockKind, kind)
	}
	for p := range layout.Walk(kind, s.Bytes) {
		switch {
		case p.Err != nil:
			return nil, fmt.Errorf("%s: cannot be read as %v: %w", s.Name(), kind, p.Err)
		case p.Sort == layout.UnreadPart:
			return nil, fmt.Errorf("%s: cannot be read as %v: has %s after its end at 0x%x", s.Name(), kind, quote.Count(p.Len(), "byte"), p.Off())
		}
	}
	return s.Bytes, nil
}

// A contextFile is a block that gen writes beside a broken block. The path of the file is the value of a flag of lint,
// such as --identifiers.
type contextFile struct {
	flag, path string
	b          []byte
}

// contextFiles returns the files that lint reads with the block, because its flags name them. For the block dir/cpu.query-data.bin they are
// dir/cpu.identifiers.bin, dir/cpu.1.reg-set.bin, dir/cpu.2.reg-set.bin and so on.
func contextFiles(b fuzz.Broken, to string) []contextFile {
	base := strings.TrimSuffix(to, filepath.Ext(to))
	base = strings.TrimSuffix(base, "."+b.Kind.String())
	var files []contextFile
	if b.Context.Identifiers != nil {
		files = append(files, contextFile{"--identifiers", fmt.Sprintf("%s.%v.bin", base, layout.IdentifiersKind), b.Context.Identifiers})
	}
	for i, set := range b.Context.Registrations {
		files = append(files, contextFile{"--reginfo", fmt.Sprintf("%s.%d.%v.bin", base, i+1, layout.RegSetKind), set})
	}
	return files
}

// lintFlags returns the flags that lint needs to find the fault in the block at a path. Each flag has its value, in
// quotes if a shell requires them.
func lintFlags(b fuzz.Broken, to string) []string {
	var flags []string
	for flag := range slices.Chunk(lintArgs(b, to), 2) {
		flags = append(flags, flag[0]+" "+quoted(flag[1]))
	}
	return flags
}

// lintArgs returns the arguments that lint needs to find the fault in the block at a path: flags, each followed by its
// value.
func lintArgs(b fuzz.Broken, to string) []string {
	flags := []string{}
	if kind, _, err := (block.Source{Path: to, Bytes: b.Block}).Kind(""); err != nil || kind != b.Kind {
		flags = append(flags, "--kind", b.Kind.String())
	}
	if b.Context.Query != nil {
		flags = append(flags, "--query", *b.Context.Query)
	}
	if first, last := b.Context.FirstCounter, b.Context.LastCounter; first != 0 || last != 0 {
		flags = append(flags, "--first-counter", fmt.Sprint(first), "--last-counter", fmt.Sprint(last))
	}
	for _, f := range contextFiles(b, to) {
		flags = append(flags, f.flag, f.path)
	}
	switch b.Context.Role {
	case validate.PassedRole:
		flags = append(flags, "--role", "given")
	case validate.ReturnedRole:
		flags = append(flags, "--role", "told")
	}
	if n := b.Context.Counters; n != 0 {
		flags = append(flags, "--counters", fmt.Sprint(n))
	}
	return flags
}

// quoted returns a word as the user must type it in a shell: in quotes if it is empty or has characters that are
// special in a shell. A word with control characters cannot be typed, so quoted escapes it as in Go.
func quoted(word string) string {
	special := func(r rune) bool {
		return r <= ' ' || strings.ContainsRune("\"'`$&|;<>()*?[]{}!#~", r) || r == '\\' && os.PathSeparator == '/'
	}
	switch {
	case strings.ContainsFunc(word, unicode.IsControl):
		return strconv.Quote(word)
	case word != "" && !strings.ContainsFunc(word, special):
		return word
	case os.PathSeparator == '/':
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	// Use double quotes, because cmd.exe does not support single quotes. A Windows file name cannot contain double
	// quotes. Double the backslashes at the end of the word: a single backslash would escape the last quote.
	return `"` + word + word[len(strings.TrimRight(word, `\`)):] + `"`
}
