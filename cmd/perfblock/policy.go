package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

// policyFlags are the flags of lint and config that override a configuration.
type policyFlags struct {
	profile, failOn choice
	rules           overrideFlag
	most            uint32
	file            string
	none            bool
}

func (f *policyFlags) flags(cmd *cobra.Command) {
	f.profile.flag(cmd, "profile", "the profile, which sets severities; strict by default", profiles())
	f.rules.flag(cmd)
	f.failOn.flag(cmd, "fail-on", "the lowest severity that fails a block; error by default", failOns())
	set := cmd.Flags()
	set.StringVar(&f.file, "config", "", "use the configuration in `FILE` for all blocks")
	set.BoolVar(&f.none, "no-config", false, "use no configuration file")
	set.Uint32Var(&f.most, "max-findings", validate.DefaultMaxFindings, "list `N` of each severity, 0 lists all")
	noFiles(cmd, "max-findings")
}

// policyHelp is a part of the help of several commands. It describes the profiles and the words of --fail-on.
func policyHelp() string {
	return profileHelp() + section("Findings that fail a block, for each value of --fail-on", failOns())
}

func profileHelp() string {
	return section("Profiles, which set the severity of each rule", profiles())
}

func (f *policyFlags) checker(cmd *cobra.Command) (*checker, error) {
	given := cmd.Flags().Changed
	c := &checker{file: f.file, noConfig: f.none, over: config.Config{Rules: f.rules.list()}}
	switch {
	case given("config") && f.file == "":
		return nil, errors.New("--config requires the name of a file")
	case given("config") && f.none:
		return nil, errors.New("--config and --no-config exclude each other")
	}
	if given("profile") {
		c.over.Profile = new(validate.Profiles()[f.profile.chosen()])
	}
	if given("fail-on") {
		s, err := config.ParseFailOn(f.failOn.value)
		if err != nil {
			return nil, err
		}
		c.over.FailOn = &s
	}
	if given("max-findings") {
		c.over.MaxFindings = new(int(min(f.most, math.MaxInt32)))
	}
	return c, nil
}

// checkFlags are the flags of lint that control validation.
type checkFlags struct {
	policyFlags
	query       string
	first, last uint32
	context     contextFlags
	suppress    suppressFlags
}

func (f *checkFlags) flags(cmd *cobra.Command) {
	f.policyFlags.flags(cmd)
	f.suppress.flags(cmd)
	set := cmd.Flags()
	set.StringVar(&f.query, "query", "", "the query was `TEXT`, such as Global or \"238 6\"")
	set.Uint32Var(&f.first, "first-counter", 0, "First Counter is `N` in the provider's Performance key")
	set.Uint32Var(&f.last, "last-counter", 0, "Last Counter is `N` in the provider's Performance key")
	noFiles(cmd, "query", "first-counter", "last-counter")
	f.context.flags(cmd)
}

// checkQuery returns an error if the text is not a query for blocks. For example, "Costly" and "238 6" are queries for
// blocks. An empty text is the query Global.
func checkQuery(text string) error {
	known := []string{"Global", "Costly", "Foreign", "Metadata", "MetadataGlobal", "MetadataCostly"}
	for word := range strings.FieldsSeq(text) {
		plain := strings.TrimPrefix(strings.ToUpper(word), "OLD_")
		_, err := strconv.ParseUint(word, 10, 32)
		switch {
		case strings.EqualFold(word, "Foreign"):
			return nil // the rest is the name of a computer
		case err != nil && !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, plain) }):
			return fmt.Errorf("--query: %q is not a word of a query%s; a query is Global, Costly, MetadataGlobal, MetadataCostly, "+
				"Foreign COMPUTER, or title indexes of objects with spaces between them, such as \"238 6\"", word, didYouMean(word, known))
		}
	}
	return nil
}

func (f *checkFlags) checker(cmd *cobra.Command) (*checker, error) {
	given := cmd.Flags().Changed
	first, last := given("first-counter"), given("last-counter")
	switch {
	case first && !last && f.context.definition != "": // completeRange computes Last Counter from the definition
		if f.first == 0 {
			return nil, errors.New("--first-counter is 0, must be at least 1")
		}
	case first != last:
		return nil, errors.New("--first-counter and --last-counter require each other: they are the ends of a range; with --definition, --first-counter is enough")
	case first && (f.first == 0 || f.first > f.last):
		return nil, fmt.Errorf("--first-counter is %d, must be from 1 to --last-counter, which is %d", f.first, f.last)
	}
	if err := checkQuery(f.query); err != nil {
		return nil, err
	}
	c, err := f.policyFlags.checker(cmd)
	if err != nil {
		return nil, err
	}
	if c.suppressor, err = f.suppress.suppressor(cmd); err != nil {
		return nil, err
	}
	if given("query") {
		c.context.Query = &f.query
	}
	c.context.FirstCounter, c.context.LastCounter = f.first, f.last
	return c, f.context.check(cmd)
}
