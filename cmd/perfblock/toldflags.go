package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// toldFlags are the flags that tell what the bytes of a buffer of perflib.h do not.
type toldFlags struct {
	identifiers string
	reginfo     []string
	role        choice
	counters    uint32
}

func (f *toldFlags) flags(cmd *cobra.Command) {
	f.role = choice{options: roles()}
	set := cmd.Flags()
	set.StringVar(&f.identifiers, "identifiers", "", "what query data answers: the identifiers in `FILE`")
	set.StringArrayVar(&f.reginfo, "reginfo", nil, "what is registered of a counter set: the reg-set in `FILE`")
	f.role.flag(cmd, "role", "what identifiers are for")
	set.Uint32Var(&f.counters, "counters", 0, "an instance block is of a set of `N` counters")
	noFiles(cmd, "counters")
}

// check reports what is wrong with the flags before any file is read.
func (f *toldFlags) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	switch {
	case given("identifiers") && f.identifiers == "":
		return errors.New("--identifiers wants the name of a file")
	case given("counters") && f.counters == 0:
		return errors.New("--counters is 1 at least, as a counter set has one")
	}
	if slices.Contains(f.reginfo, "") {
		return errors.New("--reginfo wants the name of a file")
	}
	return nil
}

// files returns the files that are to be read.
func (f *toldFlags) files() []string {
	if f.identifiers == "" {
		return f.reginfo
	}
	return append([]string{f.identifiers}, f.reginfo...)
}

// read tells the context what the flags say and what is in the files.
func (f *toldFlags) read(input string, ctx *validate.Context) (err error) {
	if f.identifiers != "" {
		if ctx.Identifiers, err = readTold(f.identifiers, input, layout.IdentifiersKind); err != nil {
			return err
		}
	}
	for _, path := range f.reginfo {
		b, err := readTold(path, input, layout.RegSetKind)
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

// readTold reads a block that the flags say is of that kind, which is V2's. All of it
// must read as such: what is not understood would be held against a sound block.
func readTold(path, input string, kind layout.Kind) ([]byte, error) {
	s, err := readBlock(path, input)
	switch {
	case err != nil:
		return nil, err
	case len(s.b) == 0: // which tells nothing
		return nil, empty(path)
	}
	if layout.HasSignature(s.b) { // lengths of a data block may well fit
		return nil, fmt.Errorf("%s: it has the PERF signature, so it is a %v and no %v", s.name, layout.DataBlockKind, kind)
	}
	for p := range layout.Walk(kind, s.b) {
		switch {
		case p.Err != nil:
			return nil, fmt.Errorf("%s: it does not read as %v: %w", s.name, kind, p.Err)
		case p.Sort == layout.UnreadPart:
			return nil, fmt.Errorf("%s: it does not read as %v: at 0x%x: %d bytes are behind what is there of it", s.name, kind, p.Off(), p.Len())
		}
	}
	return s.b, nil
}
