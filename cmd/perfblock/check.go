package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

// A checker validates blocks, each with the configuration of its folder. Flags override the
// configuration. The zero value uses no flags and no context.
type checker struct {
	over     config.Config // the settings of flags
	file     string        // the configuration for all blocks; "" searches from each folder
	noConfig bool          // use no configuration
	context  validate.Context

	folders  map[string]string    // the path of each folder's configuration, "" for none
	settings map[string]*settings // by path of the configuration
}

// settings hold a configuration and the validator made from it, or the error in it.
type settings struct {
	config    config.Config
	validator *validate.Validator
	err       error
}

// A verdict is the result of validating a block, and the configuration that applied.
type verdict struct {
	validate.Result
	config config.Config
}

// fails returns how many of the findings fail the block.
func (v verdict) fails() int { return v.Counts.AtLeast(v.config.Threshold()) }

// block validates the block in the file at path. It returns an error if the configuration of the
// block is invalid.
func (c *checker) block(path string, kind layout.Kind, b []byte) (verdict, error) {
	from, err := c.configOf(path)
	if err != nil {
		return verdict{}, err
	}
	s := c.settingsOf(from)
	if s.err != nil {
		return verdict{}, s.err
	}
	return verdict{s.validator.Bytes(kind, b, c.context), s.config}, nil
}

// configOf returns the path of the configuration for the file at path, or "" for none.
func (c *checker) configOf(path string) (string, error) {
	if c.noConfig || c.file != "" {
		return c.file, nil
	}
	folder := "."
	if path != stdinPath {
		folder = filepath.Dir(path)
	}
	if found, known := c.folders[folder]; known {
		return found, nil
	}
	found, err := config.Find(folder)
	if err != nil {
		return "", configError(err)
	}
	if c.folders == nil {
		c.folders = make(map[string]string)
	}
	c.folders[folder] = relative(found)
	return c.folders[folder], nil
}

// settingsOf returns the settings for the configuration at path. If path is "", only flags
// apply.
func (c *checker) settingsOf(path string) *settings {
	if s := c.settings[path]; s != nil {
		return s
	}
	if c.settings == nil {
		c.settings = make(map[string]*settings)
	}
	s := &settings{}
	c.settings[path] = s
	if path != "" {
		if s.config, s.err = config.Read(path); s.err != nil {
			s.err = configError(s.err)
			return s
		}
	}
	s.config = s.config.With(c.over)
	s.validator, s.err = validate.New(s.config.Options())
	return s
}

// configs returns the paths of the configurations that were read.
func (c *checker) configs() []string {
	var paths []string
	for path := range c.settings {
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// configError returns err without the name of a system call, and with a short path.
func configError(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", relative(at.Path), at.Err)
	}
	return err
}

// relative returns a path inside the working folder relative to it, and any other path as
// it is.
func relative(path string) string {
	here, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	if short, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(short) {
		return short
	}
	return path
}

// checkFlags are the flags of lint that control validation.
type checkFlags struct {
	profile, failOn choice
	rules           overrideFlag
	most            uint32
	file, query     string
	none            bool
	first, last     uint32
	context         contextFlags
}

func (f *checkFlags) flags(cmd *cobra.Command) {
	f.profile, f.failOn = choice{options: profiles()}, choice{options: failOns()}
	f.profile.flag(cmd, "profile", "the severities of the rules; strict by default")
	f.rules.flag(cmd, "rule", "set the severity of a rule; off ignores it")
	f.failOn.flag(cmd, "fail-on", "the lowest severity that fails a block; error by default")
	set := cmd.Flags()
	set.StringVar(&f.file, "config", "", "use the configuration in `FILE` for all blocks")
	set.BoolVar(&f.none, "no-config", false, "use no configuration file")
	set.Uint32Var(&f.most, "max-findings", validate.DefaultMaxFindings, "list `N` of each severity, 0 for all")
	set.StringVar(&f.query, "query", "", "the query, `TEXT` such as Global or \"238 6\"")
	set.Uint32Var(&f.first, "first-counter", 0, "First Counter of the provider's Performance key, `N`")
	set.Uint32Var(&f.last, "last-counter", 0, "Last Counter of the same key, `N`")
	noFiles(cmd, "max-findings", "query", "first-counter", "last-counter")
	f.context.flags(cmd)
}

// checkQuery returns an error unless the text is a query that returns blocks: words of winperf.h
// in upper or lower case, or title indexes of objects. After the word Foreign, any text is a
// computer name. The empty query is the same as Global.
func checkQuery(text string) error {
	known := []string{"Global", "Costly", "Foreign", "Metadata", "MetadataGlobal", "MetadataCostly"}
	for word := range strings.FieldsSeq(text) {
		plain := word
		if len(word) > len("OLD_") && strings.EqualFold(word[:len("OLD_")], "OLD_") {
			plain = word[len("OLD_"):]
		}
		_, err := strconv.ParseUint(word, 10, 32)
		switch {
		case strings.EqualFold(word, "Foreign"):
			return nil
		case err != nil && !slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, plain) }):
			return fmt.Errorf("--query: %q is not a word of a query%s; a query is Global, Costly, MetadataGlobal, MetadataCostly, "+
				"Foreign COMPUTER, or title indexes of objects with spaces between them, such as \"238 6\"", word, didYouMean(word, known))
		}
	}
	return nil
}

// checker returns the checker with the settings of the flags.
func (f *checkFlags) checker(cmd *cobra.Command) (*checker, error) {
	given := cmd.Flags().Changed
	c := &checker{file: f.file, noConfig: f.none, over: config.Config{Rules: f.rules.list}}
	switch {
	case given("config") && f.file == "":
		return nil, errors.New("--config requires the name of a file")
	case given("config") && f.none:
		return nil, errors.New("--config and --no-config exclude each other")
	case given("first-counter") != given("last-counter"):
		return nil, errors.New("--first-counter and --last-counter require each other: they are the ends of a range")
	case given("first-counter") && (f.first == 0 || f.first > f.last):
		return nil, fmt.Errorf("--first-counter is %d, must be from 1 to --last-counter, which is %d", f.first, f.last)
	}
	if err := checkQuery(f.query); err != nil {
		return nil, err
	}
	if given("profile") {
		p, err := validate.ParseProfile(f.profile.value)
		if err != nil {
			return nil, err
		}
		c.over.Profile = &p
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
	if given("query") {
		c.context.Query = &f.query
	}
	c.context.FirstCounter, c.context.LastCounter = f.first, f.last
	return c, f.context.check(cmd)
}
