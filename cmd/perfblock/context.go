package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// contextFlags are the flags of lint for what a buffer of perflib.h does not contain.
type contextFlags struct {
	identifiers string
	reginfo     []string
	role        choice
	counters    uint32
}

func (f *contextFlags) flags(cmd *cobra.Command) {
	f.role = choice{options: roles()}
	set := cmd.Flags()
	set.StringVar(&f.identifiers, "identifiers", "", "the identifiers of the query for query data, in `FILE`")
	set.StringArrayVar(&f.reginfo, "reginfo", nil, "the registration of a counter set, a reg-set in `FILE`")
	f.role.flag(cmd, "role", "the use of identifiers")
	set.Uint32Var(&f.counters, "counters", 0, "the set of an instance block has `N` counters")
	noFiles(cmd, "counters")
}

// check returns an error for flags that are wrong. It reads no file.
func (f *contextFlags) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	switch {
	case given("identifiers") && f.identifiers == "":
		return errors.New("--identifiers requires the name of a file")
	case given("counters") && f.counters == 0:
		return errors.New("--counters is 0, must be at least 1")
	}
	if slices.Contains(f.reginfo, "") {
		return errors.New("--reginfo requires the name of a file")
	}
	return nil
}

// files returns the files that read reads.
func (f *contextFlags) files() []string {
	if f.identifiers == "" {
		return f.reginfo
	}
	return append([]string{f.identifiers}, f.reginfo...)
}

// read sets the fields of the context from the flags and the files.
func (f *contextFlags) read(input string, ctx *validate.Context) (err error) {
	if f.identifiers != "" {
		if ctx.Identifiers, err = readContext(f.identifiers, input, layout.IdentifiersKind); err != nil {
			return err
		}
	}
	for _, path := range f.reginfo {
		b, err := readContext(path, input, layout.RegSetKind)
		if err != nil {
			return err
		}
		ctx.Registrations = append(ctx.Registrations, b)
	}
	switch f.role.value {
	case "given":
		ctx.Role = validate.GivenRole
	case "told":
		ctx.Role = validate.ToldRole
	}
	ctx.Counters = f.counters
	return nil
}

// readContext reads a block of a V2 kind. It must read completely as that kind: otherwise
// a valid block would get findings.
func readContext(path, input string, kind layout.Kind) ([]byte, error) {
	s, err := readBlock(path, input)
	switch {
	case err != nil:
		return nil, err
	case len(s.b) == 0:
		return nil, empty(path)
	}
	if layout.HasSignature(s.b) { // the lengths of a data block may fit by chance
		return nil, fmt.Errorf("%s: has the PERF signature of a %v, must be %v", s.name, layout.DataBlockKind, kind)
	}
	for p := range layout.Walk(kind, s.b) {
		switch {
		case p.Err != nil:
			return nil, fmt.Errorf("%s: does not read as %v: %w", s.name, kind, p.Err)
		case p.Sort == layout.UnreadPart:
			return nil, fmt.Errorf("%s: does not read as %v: %d bytes follow the end at 0x%x", s.name, kind, p.Len(), p.Off())
		}
	}
	return s.b, nil
}

// A contextFile is a block that gen writes for a flag of lint.
type contextFile struct {
	flag, path string
	b          []byte
}

// contextFiles returns the files that lint needs beside the block at a path: for
// dir/cpu.query-data.bin they are dir/cpu.identifiers.bin, dir/cpu.1.reg-set.bin,
// dir/cpu.2.reg-set.bin and so on.
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

// lintFlags returns the flags that lint needs to find the fault in the block at a path.
func lintFlags(b fuzz.Broken, to string) []string {
	var flags []string
	if kind, err := kindOf(source{path: to, b: b.Block}, ""); err != nil || kind != b.Kind {
		flags = append(flags, "--kind "+b.Kind.String())
	}
	if b.Context.Query != nil {
		flags = append(flags, "--query "+strconv.Quote(*b.Context.Query))
	}
	if first, last := b.Context.FirstCounter, b.Context.LastCounter; first != 0 || last != 0 {
		flags = append(flags, fmt.Sprintf("--first-counter %d", first), fmt.Sprintf("--last-counter %d", last))
	}
	for _, f := range contextFiles(b, to) {
		flags = append(flags, f.flag+" "+quoted(f.path))
	}
	switch b.Context.Role {
	case validate.GivenRole:
		flags = append(flags, "--role given")
	case validate.ToldRole:
		flags = append(flags, "--role told")
	}
	if n := b.Context.Counters; n != 0 {
		flags = append(flags, fmt.Sprintf("--counters %d", n))
	}
	return flags
}

// quoted returns a path, in quotes if a shell would interpret it.
func quoted(path string) string {
	special := func(r rune) bool { return r <= ' ' || strings.ContainsRune("\"'`$&|;<>()*?[]{}!#~", r) }
	if strings.ContainsFunc(path, special) {
		return strconv.Quote(path)
	}
	return path
}
