package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/perfblock/perfblock/definition"
	"github.com/perfblock/perfblock/internal/inputs"
)

// A siblings finds the files to which a definition refers, in the folder or in the archive of the definition. It
// reads each folder and each archive once. Several goroutines may call its methods.
type siblings struct {
	ctx context.Context

	mu       sync.Mutex
	folders  map[string]map[string]bool // by folder: the files that definitions in the folder name, in lower case
	archives map[string]*packed         // by path on disk
	order    []string                   // paths of the archives, in the order in which they were read
}

// A packed has what definitions in an archive need. parts has the contents of files that belong to a definition, such
// as headers. named has the paths of the files to which definitions refer. Paths are in lower case, because Windows
// ignores case.
type packed struct {
	parts map[string][]byte
	named map[string]bool
	bytes int // of parts
}

const (
	mostBeside   = 1 << 20  // bytes of a file beside a definition; longer files are not read
	mostPacked   = 64 << 20 // bytes of all parts in an archive
	mostArchives = 4        // archives whose parts are kept
)

func newSiblings(ctx context.Context) *siblings {
	return &siblings{ctx: ctx, folders: make(map[string]map[string]bool), archives: make(map[string]*packed)}
}

// read returns the contents of the file with the given name in the folder of a member.
func (s *siblings) read(m inputs.Member, name string) ([]byte, error) {
	if !m.Packed() {
		return readBeside(filepath.Dir(filepath.FromSlash(m.File())), name)
	}
	if m.File() == stdinPath {
		return nil, fmt.Errorf("%s cannot be read, because standard input is read once; unpack the archive", name)
	}
	beside := m.Path[:strings.LastIndexByte(m.Path, '/')+1] + name
	contents, ok := s.archive(m.File()).parts[strings.ToLower(beside)]
	if !ok {
		return nil, fmt.Errorf("%s: no such file in the archive, or a file with more than %d bytes", beside, mostBeside)
	}
	return contents, nil
}

// named reports whether a definition in the same folder or archive refers to the member.
func (s *siblings) named(m inputs.Member) bool {
	switch {
	case !m.Packed():
		file := filepath.FromSlash(m.File())
		return s.folder(filepath.Dir(file))[strings.ToLower(filepath.Base(file))]
	case m.File() == stdinPath:
		return false
	}
	return s.archive(m.File()).named[strings.ToLower(m.Path)]
}

// folder returns the names of the files to which the definitions in a folder refer, in lower case.
func (s *siblings) folder(folder string) map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if named, known := s.folders[folder]; known {
		return named
	}
	named := make(map[string]bool)
	s.folders[folder] = named
	entries, _ := os.ReadDir(folder) // lint reports the error
	for _, e := range entries {
		if !definesAlone(e.Name()) {
			continue
		}
		file := filepath.Join(folder, e.Name())
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > mostBeside {
			continue
		}
		if contents, err := readInput(file); err == nil {
			addNames(named, "", file, contents)
		}
	}
	return named
}

// archive returns the parts of definitions in an archive on disk.
func (s *siblings) archive(file string) *packed {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.archives[file]; p != nil {
		return p
	}
	p := &packed{parts: make(map[string][]byte), named: make(map[string]bool)}
	if len(s.order) == mostArchives {
		delete(s.archives, s.order[0])
		s.order = slices.Delete(s.order, 0, 1)
	}
	s.archives[file], s.order = p, append(s.order, file)
	for m, err := range (inputs.List{Args: []string{filepath.FromSlash(file)}}).All(s.ctx) {
		if err == nil && m.Skipped == "" && m.Size() <= mostBeside {
			p.add(m)
		}
	}
	return p
}

// add stores the contents of a part. For a definition, it stores the paths of the files to which the definition refers.
func (p *packed) add(m inputs.Member) {
	form, err := definition.FormOf(m.Path)
	if err != nil || form.IsPart() && p.bytes > mostPacked {
		return
	}
	contents, err := m.Read()
	if err != nil {
		return // lint reports the error
	}
	if form.IsPart() {
		p.bytes += len(contents)
		p.parts[strings.ToLower(m.Path)] = slices.Clone(contents)
		return
	}
	folder, _ := path.Split(m.Path)
	addNames(p.named, folder, m.Path, contents)
}

// definesAlone reports whether the name of a file is that of a definition, and not of a part such as a header.
func definesAlone(name string) bool {
	form, err := definition.FormOf(name)
	return err == nil && !form.IsPart()
}

// addNames adds the paths of the files to which a definition refers.
func addNames(to map[string]bool, folder, file string, contents []byte) {
	if _, is := definition.Detect(file, contents); !is {
		return
	}
	_, _ = definition.Read(file, contents, func(name string) ([]byte, error) { // lint reports the error
		to[strings.ToLower(folder+name)] = true
		return nil, errors.New("is not read here")
	})
}
