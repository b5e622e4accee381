package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/block"
	"github.com/perfblock/perfblock/internal/outfile"
	"github.com/perfblock/perfblock/internal/terminal"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
)

// expectedFile is the name of the file with the displayed values of a series.
const expectedFile = "expected.json"

// writeSeries writes the blocks of a series, and the displayed values.
func (c *genCommand) writeSeries(path string) error {
	base, err := c.base(path)
	if err != nil {
		return err
	}
	if base.model.Kind() == layout.QueryDataKind && base.sets == nil {
		return fmt.Errorf("%s: query data has no counter types, which a series requires; use a definition with --kind %v, or --workload v2-gpu", block.NameOf(path), layout.QueryDataKind)
	}
	s, err := fuzz.NewSeries(base.model, fuzz.SeriesOptions{Interval: c.interval, Seed: c.seed, Identifiers: base.identifiers, Sets: base.sets})
	if err != nil {
		return fmt.Errorf("cannot make a series from %s: %w", base.name, err)
	}
	c.names = base.names
	others, flags, err := c.queryFiles(base)
	if err != nil {
		return err
	}
	w := &seriesWriter{genCommand: c, base: base, series: s, kind: base.model.Kind()}
	if err := w.checkOthers(path); err != nil {
		return err
	}
	expected := filepath.Join(c.path, expectedFile)
	if err := writeError([]string{c.path, expected}, w.write(expected, others)); err != nil {
		return err
	}
	if len(flags) > 0 {
		complain(fmt.Errorf("cook requires %s for these blocks", strings.Join(flags, " ")))
	}
	return nil
}

// queryFiles returns the files that describe query data, and the flags with which cook reads these files.
func (c *genCommand) queryFiles(base *genBase) (files []outfile.File, flags []string, err error) {
	if base.model.Kind() != layout.QueryDataKind {
		return nil, nil, nil
	}
	context, err := fuzz.Joined{Identifiers: base.identifiers, Sets: base.sets}.Context()
	if err != nil {
		return nil, nil, err
	}
	to := filepath.Join(c.path, "query.bin")
	for _, f := range contextFiles(fuzz.Broken{Kind: layout.QueryDataKind, Context: context}, to) {
		files, flags = append(files, outfile.Bytes(f.path, f.b)), append(flags, f.flag+" "+quoted(f.path))
	}
	return files, flags, nil
}

// A seriesWriter writes the files of a series.
type seriesWriter struct {
	*genCommand
	base   *genBase
	series *fuzz.Series
	kind   layout.Kind
}

// blockName returns the name of block n, counted from 1. Sorting the names gives the order of the blocks.
func (w *seriesWriter) blockName(n int) string {
	return fmt.Sprintf("%0*d", len(strconv.Itoa(w.count)), n)
}

// checkOthers returns an error if the folder has blocks of another series, or if a block would overwrite FILE.
func (w *seriesWriter) checkOthers(path string) error {
	entries, err := os.ReadDir(w.path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return plainError(w.path, err)
	}
	numbered := regexp.MustCompile("^([0-9]+)" + regexp.QuoteMeta(filepath.Base(w.blockFile("", w.kind))) + "$")
	for _, e := range entries {
		m := numbered.FindStringSubmatch(e.Name())
		if m == nil {
			continue
		}
		old := filepath.Join(w.path, e.Name())
		// Refuse a block of another series, because expected.json would not have the values of this block.
		if n, err := strconv.Atoi(m[1]); err != nil || n < 1 || n > w.count || m[1] != w.blockName(n) {
			return fmt.Errorf("%s belongs to another series; remove the file, or write to another folder", old)
		}
		if err := checkSame([]string{old}, []string{path}); err != nil {
			return err
		}
	}
	return nil
}

// write writes all files or none. It keeps only one block in memory.
func (w *seriesWriter) write(expected string, others []outfile.File) error {
	batch, err := outfile.Begin(w.folders(), []string{expected})
	if err != nil {
		return err
	}
	defer batch.Discard()
	to := bufio.NewWriter(batch.Writer(0))
	j := &cookedJSON{cookedOutput: cookedOutput{w: &stickyWriter{w: to}, names: w.names.Lookup(english), sets: w.base.setNames}}
	var older samples.Sample
	for n := 1; n <= w.count; n++ {
		m, err := w.series.Next()
		if err != nil {
			return fmt.Errorf("cannot make a series of %d blocks from %s: %w", w.count, w.base.name, err)
		}
		file, b, err := w.modelFile(w.blockName(n), m)
		if err != nil {
			return err
		}
		// Cook shows this name if it runs in the output folder.
		newer := samples.Sample{Name: filepath.Base(file.Path), Kind: w.kind, Bytes: b}
		if err := batch.Add(file); err != nil {
			return writeError([]string{file.Path}, err)
		}
		if n > 1 || w.count == 1 {
			j.begin(samplePair{older, newer})
			for d := range w.series.Values() {
				j.line(j.expected(&d))
			}
			if err := j.end(); err != nil {
				return err
			}
		}
		older = newer
	}
	for _, f := range others {
		if err := batch.Add(f); err != nil {
			return writeError([]string{f.Path}, err)
		}
	}
	if err := j.close(); err != nil {
		return err
	}
	if err := to.Flush(); err != nil {
		return err
	}
	return batch.Commit()
}

// expected returns the value d in the form in which cook writes values.
func (j *cookedJSON) expected(d *fuzz.Displayed) cookedValue {
	in := samples.Instance{Object: d.Object, Set: d.Set, Single: d.Single, Name: d.Name, Parent: d.Parent, ID: d.ID}
	v := j.instance(&in)
	v.State, v.Missing = d.State, d.Missing
	if d.State == "gone" {
		return v
	}
	v.Counter, v.Type, v.Scale, v.Unit = &d.Counter, d.Type.String(), d.Scale, d.Unit
	v.CounterName, _ = j.counterName(&in, d.Counter)
	switch {
	case d.Missing != "":
	case d.Integer != nil:
		v.Value = terminal.JSON(*d.Integer, "")
	default:
		v.Value = terminal.JSON(d.Value, "")
	}
	return v
}
