package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

// A checker validates blocks, each with the configuration of its folder. The zero value uses no flags and no context.
// The methods are safe for concurrent use.
type checker struct {
	over     config.Config // the settings of flags, which override the configuration
	file     string        // the path of the configuration for all blocks; "": search from the folder of each block
	noConfig bool          // use no configuration
	context  validate.Context

	definition *definition.Provider // compared with each block, unless it is nil

	// lastCounter is computed from the definition. It applies only to the kind objects, because data blocks also have
	// objects of other providers.
	lastCounter uint32

	suppressor *suppressor // nil: nothing is suppressed

	mu       sync.Mutex         // guards the rest
	folders  map[string]*policy // by the folder of the blocks
	policies map[string]*policy // by path of the configuration
}

// A policy is the contents of a configuration file, or the error from reading the file. If only flags apply, path is
// "".
type policy struct {
	path     string
	config   config.Config
	err      error
	settings map[string]*settings // by the overrides of the configuration that apply to a block
}

// settings have the configuration of one or more blocks, and validators that use this configuration.
type settings struct {
	config     config.Config
	known      *knownFindings // nil: nothing is suppressed
	validators sync.Pool
}

// A verdict is the result of validating a block, and the settings that applied.
type verdict struct {
	validate.Result
	settings   *settings
	suppressed int  // the number of findings removed from the result
	compared   bool // whether the block was compared with an older sample
}

// A check validates a file with a validator.
type check func(*validate.Validator) (validate.Result, error)

// fails returns the number of findings that fail the block.
func (v verdict) fails() int { return v.Counts.AtLeast(v.settings.config.Threshold()) }

// block validates a block. It returns an error if the configuration of the block is invalid.
func (c *checker) block(b block.Source, kind layout.Kind) (verdict, error) {
	return c.check(b, c.blockCheck(kind, b.Bytes), placesIn(kind, b.Bytes))
}

// placesIn returns a function that returns the structural path of each finding in the block b.
func placesIn(kind layout.Kind, b []byte) func([]validate.Finding) []string {
	return func(findings []validate.Finding) []string { return identity.Of(kind, b, findings) }
}

// blockCheck returns a function that validates a block. If there is a definition, the function also compares the block
// with the definition.
func (c *checker) blockCheck(kind layout.Kind, b []byte) check {
	return func(v *validate.Validator) (validate.Result, error) {
		context := c.context
		if kind == layout.ObjectsKind && context.LastCounter == 0 {
			context.LastCounter = c.lastCounter
		}
		result := v.Bytes(kind, b, context)
		if c.definition == nil || result.Unchecked != nil {
			return result, nil
		}
		differences, err := c.definition.Compare(v, kind, b, c.context)
		switch {
		case err == nil:
			result.Add(differences)
		case errors.Is(err, definition.ErrUnreadable): // result has a finding about the header
			err = nil
		}
		return result, err
	}
}

// completeRange computes lastCounter from the definition if FirstCounter is set and LastCounter is not.
func (c *checker) completeRange() error {
	first := c.context.FirstCounter
	if c.definition == nil || first == 0 || c.context.LastCounter != 0 {
		return nil
	}
	most := uint32(0)
	for _, t := range c.definition.Titles() {
		most = max(most, t.Number)
	}
	if most > math.MaxUint32-first {
		return fmt.Errorf("--first-counter is %d, must be at most %d, because the definition has names up to First Counter + %d", first, math.MaxUint32-most, most)
	}
	c.lastCounter = first + most
	return nil
}

// check validates a file, and removes the suppressed findings. An invalid configuration is an error. The callback
// places(findings) returns the structural paths of the findings.
func (c *checker) check(b block.Source, do check, places func([]validate.Finding) []string) (verdict, error) {
	v, err := c.checkAll(b, do)
	if err == nil {
		c.suppressKnown(b, &v, places)
	}
	return v, err
}

// checkAll is like [checker.check], but keeps suppressed findings.
func (c *checker) checkAll(b block.Source, do check) (verdict, error) {
	s, err := c.settingsFor(b)
	if err != nil {
		return verdict{}, err
	}
	if s.known != nil && s.known.err != nil {
		return verdict{}, configFault{s.known.err}
	}
	v := verdict{settings: s}
	if v.Result, err = s.validate(do); err != nil {
		return verdict{}, err
	}
	return v, nil
}

// validate calls the function do with a validator that has the settings s.
func (s *settings) validate(do check) (validate.Result, error) {
	options := s.config.Options()
	if s.known != nil {
		options.MaxFindings = mostSuppressed
	}
	validator, ok := s.validators.Get().(*validate.Validator)
	if !ok {
		var err error
		if validator, err = validate.New(options); err != nil {
			return validate.Result{}, err
		}
	}
	defer s.validators.Put(validator)
	return do(validator)
}

// kindOf returns the kind of a block, as [block.Source.Kind] does. If the user named no kind, kindOf uses the kind in
// the configuration.
func (c *checker) kindOf(b block.Source, named string) (kind layout.Kind, detected bool, err error) {
	s, broken := c.settingsFor(b)
	set := named == "" && broken == nil && s.config.Kind != nil && *s.config.Kind != config.Titles
	if set {
		named = s.config.Kind.String()
	}
	kind, detected, err = b.Kind(named)
	switch {
	case err == nil:
	case broken != nil:
		err = fmt.Errorf("%s: not validated: %w", b.Name(), broken)
	case set && len(b.Bytes) > 0:
		err = fmt.Errorf("%w; %v sets the kind %s", err, s.config.Origin("kind"), named)
	}
	return kind, detected, err
}

// exclusion reports whether the configuration excludes a file or folder. configPath is "" if there is no configuration.
func (c *checker) exclusion(path string) (excluded bool, configPath string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := block.At(path)
	p, err := c.policyFor(s.File)
	if err != nil {
		return false, "", err
	}
	return len(p.config.Exclude) > 0 && p.config.Excluded(p.relative(s)), p.path, nil
}

// excludes reports whether the configuration excludes a file or folder. It is the function Exclude of an [inputs.List].
func (c *checker) excludes(path string, _ bool) bool {
	excluded, _, err := c.exclusion(path)
	return excluded && err == nil // lint reads a file with an invalid configuration, and reports the error
}

// A configFault is an error in a configuration or in a list of suppressions. All blocks with the same
// configuration have the same error.
type configFault struct{ error }

func (e configFault) Unwrap() error { return e.error }

// settingsFor returns the settings for a block. It uses only the Path and the File of b, so b needs no
// bytes.
func (c *checker) settingsFor(b block.Source) (*settings, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p, err := c.policyFor(b.File)
	if err != nil {
		return nil, configFault{err}
	}
	inside := ""
	if len(p.config.Overrides) > 0 {
		inside = p.relative(b)
	}
	key := fmt.Sprint(p.config.Overriding(inside))
	s := p.settings[key]
	if s == nil {
		s = &settings{config: p.config.For(inside).With(c.over)}
		if c.suppressor != nil {
			s.known = c.suppressor.listFor(p, s.config)
		}
		p.settings[key] = s
	}
	return s, nil
}

// policyFor returns the policy for the file at path. The caller must hold c.mu.
func (c *checker) policyFor(path string) (*policy, error) {
	if c.policies == nil {
		c.policies, c.folders = make(map[string]*policy), make(map[string]*policy)
	}
	if c.noConfig || c.file != "" {
		p := c.policyAt(c.file)
		return p, p.err
	}
	folder := "."
	if path != stdinPath {
		folder = filepath.Dir(path)
	}
	p := c.folders[folder]
	if p == nil {
		if found, err := config.Find(folder); err != nil {
			p = &policy{err: configError(err)}
		} else {
			p = c.policyAt(relative(found))
		}
		c.folders[folder] = p
	}
	return p, p.err
}

// policyAt returns the policy with the configuration at path. If path is "", the policy has no configuration.
func (c *checker) policyAt(path string) *policy {
	p := c.policies[path]
	if p == nil {
		p = &policy{path: path, settings: make(map[string]*settings)}
		if path != "" {
			p.config, p.err = config.Read(path)
			p.err = configError(p.err)
		}
		c.policies[path] = p
	}
	return p
}

// relative returns the path of a block relative to the folder of the configuration, with slashes. It
// returns "" for standard input.
func (p *policy) relative(b block.Source) string {
	if b.File == stdinPath {
		return ""
	}
	return relativeTo(p.path, b)
}

// readConfig reads the configuration file and the list of suppressions that flags name. It returns an error if a file
// is invalid.
func (c *checker) readConfig() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.file != "" {
		if _, err := c.policyFor(""); err != nil {
			return err
		}
	}
	if c.suppressor != nil && c.suppressor.file != "" {
		return c.suppressor.listFor(nil, config.Config{}).err
	}
	return nil
}

// configs returns the paths of the configurations and lists of suppressions that were read.
func (c *checker) configs() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	paths := slices.DeleteFunc(slices.Sorted(maps.Keys(c.policies)), func(path string) bool { return path == "" })
	if c.suppressor != nil {
		paths = slices.AppendSeq(paths, maps.Keys(c.suppressor.lists))
	}
	return paths
}

// configError returns err without the name of a system call. A path in the working folder becomes relative to this
// folder.
func configError(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", relative(at.Path), at.Err)
	}
	return err
}

// relative returns a path in the working folder as a path relative to this folder. It returns any other path unchanged.
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
