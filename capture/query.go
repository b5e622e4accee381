package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
)

// A Query selects what to capture. It requires Objects or Sets.
type Query struct {
	// Objects selects the objects of V1. An element is one of [Words], such as Global, or a title index such as 238, or
	// a name such as Processor. A sample has one query for all indexes and names, and another query for each word. Run
	// looks up names in the title tables of Languages. If several objects have the same name, Run selects all of them.
	Objects []string

	// Sets selects the counter sets of V2, by GUID or by name. The case of names is ignored.
	Sets []string

	// Languages are the languages of the names and help texts. Each language is a hexadecimal number: 009 is English
	// and 007 is German. nil means English, and an empty list means no title tables. A query with names of objects
	// requires a language.
	Languages []string

	// Count is the number of samples. 0 means 1.
	Count int

	// Interval is the time from the start of one sample to the start of the next sample. 0 means one second. V2
	// providers are designed for intervals of one second or more.
	Interval time.Duration

	// Tool is the name of the program that calls Run. The manifest of the bundle shows this name.
	Tool string
}

// Words returns the words that can be elements of Query.Objects, such as Global.
func Words() []string {
	return []string{"Global", "Costly", "MetadataGlobal", "MetadataCostly", "OLD_Global", "OLD_MetadataGlobal", "OLD_MetadataCostly"}
}

// A run is one capture.
type run struct {
	Query
	sys       system
	languages []uint32
	bundle    *Bundle
	size      int      // of the buffer for the next value
	values    []string // queries of V1
	query     uintptr  // handle of the query of V2
	space     int      // of the buffer for the next query data
}

// Run captures from this computer. If Run fails after the first sample, it returns the error and a bundle with the
// complete samples. If Run fails earlier, the bundle is nil. Run also fails when ctx is done.
//
// If a function of Windows fails, the error wraps a [Status].
func (q Query) Run(ctx context.Context) (*Bundle, error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	sys, err := open()
	if err != nil {
		return nil, err
	}
	return q.run(ctx, sys)
}

// check returns an error for a query that is invalid on any computer.
func (q Query) check() error {
	switch {
	case len(q.Objects) == 0 && len(q.Sets) == 0:
		return errors.New("the query selects nothing; give at least one object (V1) or counter set (V2)")
	case q.Count < 0:
		return fmt.Errorf("the number of samples is %d, must be at least 1", q.Count)
	case q.Interval < 0:
		return fmt.Errorf("the interval is %v, must not be negative", q.Interval)
	}
	_, err := q.languageNumbers()
	return err
}

func (q Query) languageNumbers() ([]uint32, error) {
	if q.Languages == nil {
		return []uint32{9}, nil // English
	}
	var numbers []uint32
	for _, language := range q.Languages {
		number, err := strconv.ParseUint(language, 16, 16)
		if err != nil || number == 0 {
			return nil, fmt.Errorf("the language is %s, must be a hexadecimal number such as 009, which is English", quote.Short(language))
		}
		numbers = append(numbers, uint32(number))
	}
	return numbers, nil
}

func (q Query) run(ctx context.Context, sys system) (*Bundle, error) {
	q.Count, q.Interval = cmp.Or(q.Count, 1), cmp.Or(q.Interval, time.Second)
	languages, err := q.languageNumbers()
	if err != nil {
		return nil, err
	}
	r := &run{Query: q, sys: sys, languages: languages, size: firstSize, space: firstSize}
	r.bundle = &Bundle{Tool: q.Tool, Windows: sys.version(), Computer: sys.computer()}
	defer sys.closeKey()
	if len(q.Objects) > 0 {
		if err := r.prepareObjects(ctx); err != nil {
			return nil, err
		}
	}
	if len(q.Sets) > 0 {
		if err := r.prepareSets(ctx); err != nil {
			return nil, err
		}
		defer sys.closeQuery(r.query)
	}
	for n := range q.Count {
		complete := len(r.bundle.Members)
		err := r.sample(ctx, n)
		if err == nil {
			continue
		}
		if n == 0 {
			return nil, err
		}
		r.bundle.Members = r.bundle.Members[:complete]
		return r.bundle, fmt.Errorf("sample %d of %d: %w", n+1, q.Count, err)
	}
	return r.bundle, nil
}

// sample waits until sample n is due, and adds the buffers of the sample to the bundle. The first sample has n = 0.
func (r *run) sample(ctx context.Context, n int) error {
	if n > 0 {
		due := r.bundle.started.Add(time.Duration(n) * r.Interval)
		if err := r.sys.wait(ctx, max(0, due.Sub(r.sys.now()))); err != nil {
			return err
		}
	} else {
		r.bundle.started = r.sys.now()
	}
	for i, value := range r.values {
		at := r.sys.now()
		b, err := r.readValue(ctx, value)
		if err != nil {
			return fmt.Errorf("the query %q: %w", value, err)
		}
		name := fmt.Sprintf("v1/%04d", n+1)
		if len(r.values) > 1 {
			name += fmt.Sprintf("-%d", i+1)
		}
		r.add(Member{Name: memberName(name, layout.DataBlockKind), Kind: layout.DataBlockKind.String(), Time: at, Query: value, Sample: n + 1, Bytes: b})
	}
	if len(r.Sets) > 0 {
		at := r.sys.now()
		b, err := r.fill(&r.space, func(buf []byte) (int, Status) { return r.sys.queryCounterData(r.query, buf) })
		if err != nil {
			return fmt.Errorf("PerfQueryCounterData: %w", err)
		}
		r.add(Member{Name: memberName(fmt.Sprintf("v2/%04d", n+1), layout.QueryDataKind), Kind: layout.QueryDataKind.String(), Time: at, Sample: n + 1, Bytes: b})
	}
	if r.bundle.size() > maxBytes {
		return fmt.Errorf("the samples have more than %d MiB in all; capture fewer samples or objects", maxBytes>>20)
	}
	return nil
}

func (r *run) add(m Member) { r.bundle.Members = append(r.bundle.Members, m) }

func memberName(base string, kind layout.Kind) string { return base + "." + kind.String() + ".bin" }
