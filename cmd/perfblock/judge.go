package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/config"
)

// A judge judges blocks, each under the configuration that holds for its folder,
// with what flags say on top. The zero value minds what it finds and nothing else.
type judge struct {
	over       config.Config // of flags
	file       string        // the configuration for all of them; "" is to look for one
	unconfined bool          // by no configuration
	context    validate.Context

	folders map[string]string  // the configuration of each, "" for none
	rulings map[string]*ruling // by configuration
}

// A ruling is how the blocks of one configuration are judged, or why they are not.
type ruling struct {
	config    config.Config
	validator *validate.Validator
	err       error
}

// A verdict is what was found in a block.
type verdict struct {
	validate.Result
	config config.Config
}

// fails returns how many of the findings fail the block.
func (v verdict) fails() int { return v.Counts.AtLeast(v.config.Threshold()) }

// block judges the block that the file at path gives. An error is about the
// configuration.
func (j *judge) block(path string, kind layout.Kind, b []byte) (verdict, error) {
	from, err := j.configOf(path)
	if err != nil {
		return verdict{}, err
	}
	r := j.ruling(from)
	if r.err != nil {
		return verdict{}, r.err
	}
	return verdict{r.validator.Bytes(kind, b, j.context), r.config}, nil
}

// configOf returns the path of the configuration that holds for the file at path,
// "" for none.
func (j *judge) configOf(path string) (string, error) {
	if j.unconfined || j.file != "" {
		return j.file, nil
	}
	folder := "."
	if path != stdinPath {
		folder = filepath.Dir(path)
	}
	if found, known := j.folders[folder]; known {
		return found, nil
	}
	found, err := config.Find(folder)
	if err != nil {
		return "", configError(err)
	}
	if j.folders == nil {
		j.folders = make(map[string]string)
	}
	j.folders[folder] = near(found)
	return j.folders[folder], nil
}

// ruling returns how to judge by the configuration at path, "" for none.
func (j *judge) ruling(path string) *ruling {
	if r := j.rulings[path]; r != nil {
		return r
	}
	if j.rulings == nil {
		j.rulings = make(map[string]*ruling)
	}
	r := &ruling{}
	j.rulings[path] = r
	if path != "" {
		if r.config, r.err = config.Read(path); r.err != nil {
			r.err = configError(r.err)
			return r
		}
	}
	r.config = r.config.With(j.over)
	r.validator, r.err = validate.New(r.config.Options())
	return r
}

// configs returns the configurations that were read.
func (j *judge) configs() []string {
	var paths []string
	for path := range j.rulings {
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// profile returns the one by which all was judged, or the default where there are several.
func (j *judge) profile() validate.Profile {
	var one *validate.Profile
	for _, r := range j.rulings {
		if r.err != nil {
			continue // nothing was judged by it
		}
		p := r.config.Options().Profile
		if one != nil && *one != p {
			return validate.Profiles()[0]
		}
		one = &p
	}
	if one == nil {
		return validate.Profiles()[0]
	}
	return *one
}

// configError says what is wrong with a configuration, without the name of a system call.
func configError(err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", near(at.Path), at.Err)
	}
	return err
}

// near returns the path of a file as seen from the working folder, where it is in that.
func near(path string) string {
	here, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	if short, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(short) {
		return short
	}
	return path
}
