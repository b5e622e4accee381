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

// siblings reads the files to which definitions refer, such as a header in the same folder or archive. Several
// goroutines may call the methods.
type siblings struct {
	ctx context.Context

	mu    sync.Mutex
	known map[string]*siblingFiles // by the path of a folder or an archive on disk
	order []string                 // the paths, in the order in which they were read
}

// siblingFiles are the files to which the definitions in a folder or in an archive refer. Paths are in lower case, because
// Windows ignores case.
type siblingFiles struct {
	named map[string]bool   // the paths of the files
	parts map[string][]byte // in an archive, the contents of files such as headers, by path
	bytes int               // the length of all parts
}

const (
	mostBeside = 1 << 20  // bytes of a file beside a definition; longer files are not read
	mostPacked = 64 << 20 // bytes of all parts in an archive
	mostKnown  = 4        // folders and archives whose siblingFiles are kept in memory
)

func newSiblings(ctx context.Context) *siblings {
	return &siblings{ctx: ctx, known: make(map[string]*siblingFiles)}
}

// read returns the contents of the file with the given name in the folder of a member.
func (s *siblings) read(m inputs.Member, name string) ([]byte, error) {
	if !m.Packed() {
		return readBeside(filepath.Dir(filepath.FromSlash(m.File())), name)
	}
	if m.File() == stdinPath {
		return nil, fmt.Errorf("%s cannot be read from an archive on standard input; unpack the archive", name)
	}
	beside := m.Path[:strings.LastIndexByte(m.Path, '/')+1] + name
	contents, ok := s.filesOf(m.File(), s.readArchive).parts[strings.ToLower(beside)]
	if !ok {
		return nil, fmt.Errorf("%s: is not in the archive, or has more than %d bytes", beside, mostBeside)
	}
	return contents, nil
}

// named reports whether a definition in the same folder or archive refers to the member.
func (s *siblings) named(m inputs.Member) bool {
	switch {
	case !m.Packed():
		file := filepath.FromSlash(m.File())
		return s.filesOf(filepath.Dir(file), s.readFolder).named[strings.ToLower(filepath.Base(file))]
	case m.File() == stdinPath:
		return false
	}
	return s.filesOf(m.File(), s.readArchive).named[strings.ToLower(m.Path)]
}

// filesOf returns the files of the folder or archive at path. If they are not in memory, filesOf calls load to read
// them.
func (s *siblings) filesOf(path string, load func(path string, to *siblingFiles)) *siblingFiles {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.known[path]
	if p == nil {
		p = &siblingFiles{parts: make(map[string][]byte), named: make(map[string]bool)}
		if len(s.order) == mostKnown {
			delete(s.known, s.order[0])
			s.order = slices.Delete(s.order, 0, 1)
		}
		s.known[path], s.order = p, append(s.order, path)
		load(path, p)
	}
	return p
}

func (s *siblings) readFolder(folder string, to *siblingFiles) {
	entries, _ := os.ReadDir(folder) // lint reports the error
	for _, e := range entries {
		file := filepath.Join(folder, e.Name())
		if form, err := definition.FormOf(file); err != nil || form.IsPart() {
			continue
		}
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > mostBeside {
			continue
		}
		if contents, err := readInput(file); err == nil {
			to.addNames("", file, contents)
		}
	}
}

func (s *siblings) readArchive(file string, to *siblingFiles) {
	for m, err := range (inputs.List{Args: []string{filepath.FromSlash(file)}}).All(s.ctx) {
		if err == nil && m.Skipped == "" && m.Size() <= mostBeside {
			to.add(m)
		}
	}
}

// add stores the contents of m if m is a part of a definition, such as a header. If m is a definition, add stores the
// paths of the files to which m refers.
func (p *siblingFiles) add(m inputs.Member) {
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
	p.addNames(folder, m.Path, contents)
}

// addNames adds the paths of the files to which a definition refers.
func (p *siblingFiles) addNames(folder, file string, contents []byte) {
	if _, is := definition.Detect(file, contents); !is {
		return
	}
	for _, name := range referred(file, contents) {
		p.named[strings.ToLower(folder+name)] = true
	}
}

// referred returns the names of the files to which a definition refers.
func referred(file string, contents []byte) (names []string) {
	_, _ = definition.Read(file, contents, func(name string) ([]byte, error) { // the caller or lint reports the error
		names = append(names, name)
		return nil, errors.New("is not read here")
	})
	return names
}

// withHeaders adds the paths of headers to the paths of inputs: a command that reads an .ini file also reads its
// header.
func withHeaders(paths []string) []string {
	all := slices.Clone(paths)
	for _, path := range paths {
		if form, err := definition.FormOf(path); err != nil || form != definition.INI {
			continue
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue // a pipe can be read once
		}
		contents, _ := readInput(path) // the command reports the error
		for _, name := range referred(path, contents) {
			all = append(all, pathBeside(filepath.Dir(path), name))
		}
	}
	return all
}
