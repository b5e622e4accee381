package main

import (
	"errors"
	"math"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

// judgeFlags are the flags that say how blocks are judged.
type judgeFlags struct {
	profile, failOn choice
	rules           overrideFlag
	most            uint32
	file, query     string
	none            bool
	first, last     uint32
	told            toldFlags
}

func (f *judgeFlags) flags(cmd *cobra.Command) {
	f.profile, f.failOn = choice{options: profiles()}, choice{options: failOns()}
	f.profile.flag(cmd, "profile", "what to hold the blocks against; strict by default")
	f.rules.flag(cmd, "rule", "set a rule to a severity; of two the later holds")
	f.failOn.flag(cmd, "fail-on", "the least that makes the exit status 1; error by default")
	set := cmd.Flags()
	set.StringVar(&f.file, "config", "", "the configuration for all, in `FILE`; none is looked for")
	set.BoolVar(&f.none, "no-config", false, "look for no configuration")
	set.Uint32Var(&f.most, "max-findings", validate.DefaultMaxFindings, "list `N` of each severity, 0 for all")
	set.StringVar(&f.query, "query", "", "what was asked for: `TEXT` such as Global or \"238 6\"")
	set.Uint32Var(&f.first, "first-counter", 0, "First Counter of the provider's Performance key, `N`")
	set.Uint32Var(&f.last, "last-counter", 0, "Last Counter of the same, `N`")
	for _, name := range []string{"max-findings", "query", "first-counter", "last-counter"} {
		noFiles(cmd, name)
	}
	f.told.flags(cmd)
}

// judge returns the judge that the flags ask for.
func (f *judgeFlags) judge(cmd *cobra.Command) (*judge, error) {
	given := cmd.Flags().Changed
	j := &judge{file: f.file, unconfined: f.none, over: config.Config{Rules: f.rules.list}}
	switch {
	case given("config") && f.file == "":
		return nil, errors.New("--config wants the name of a file")
	case given("config") && f.none:
		return nil, errors.New("--config or --no-config, not both")
	case given("first-counter") != given("last-counter"):
		return nil, errors.New("--first-counter goes with --last-counter: they are the two ends of a range")
	case given("first-counter") && (f.first == 0 || f.first > f.last):
		return nil, errors.New("--first-counter is 1 at least, and --last-counter no less than it")
	}
	if given("profile") {
		p, err := validate.ParseProfile(f.profile.value)
		if err != nil {
			return nil, err
		}
		j.over.Profile = &p
	}
	if given("fail-on") {
		s, err := config.ParseFailOn(f.failOn.value)
		if err != nil {
			return nil, err
		}
		j.over.FailOn = &s
	}
	if given("max-findings") {
		j.over.MaxFindings = new(int(min(f.most, math.MaxInt32)))
	}
	if given("query") {
		j.context.Query = &f.query
	}
	j.context.FirstCounter, j.context.LastCounter = f.first, f.last
	return j, f.told.check(cmd)
}
