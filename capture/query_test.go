package capture

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestObjects checks the queries of V1, the members of the bundle and the times of the samples.
func TestObjects(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason  string
		query   Query
		members string
		log     string
		err     string
	}{
		{"a word is queried after the title tables", Query{Objects: []string{"global"}}, "titles/Counter 009.bin titles/Help 009.bin v1/0001.data-block.bin=Global", "Counter 009,Help 009,Global,close key", ""},
		{"indexes and names are one query", Query{Objects: []string{"4", "processor", "THREAD"}}, "titles/Counter 009.bin titles/Help 009.bin v1/0001.data-block.bin=4 238 500 502", "Counter 009,Help 009,4 238 500 502,close key", ""},
		{"a word is a query of its own", Query{Objects: []string{"Costly", "4"}, Languages: []string{}}, "v1/0001-1.data-block.bin=Costly v1/0001-2.data-block.bin=4", "Costly,4,close key", ""},
		{"the interval is between two samples, not before the first", Query{Objects: []string{"4"}, Languages: []string{}, Count: 3, Interval: 5 * time.Second}, "v1/0001.data-block.bin=4 v1/0002.data-block.bin=4 v1/0003.data-block.bin=4", "4,wait 5s,4,wait 5s,4,close key", ""},
		{"the error for a misspelled name suggests the right one", Query{Objects: []string{"Procesor"}}, "", "Counter 009,Help 009,close key", `no title table has the name "Procesor"; use the name of an object in a selected language, or its title index; did you mean Processor?`},
		{"the text of pair 1 is not a name", Query{Objects: []string{"1847x"}}, "", "Counter 009,Help 009,close key", `no title table has the name "1847x"; use the name of an object in a selected language, or its title index`},
	} {
		f := &fake{t: t, v1: registry()}
		b, err := tt.query.run(t.Context(), f)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.err || strings.Join(f.log, ",") != tt.log || memberNames(b) != tt.members {
			t.Errorf("%s: error %q, calls %q, members %q", tt.reason, got, strings.Join(f.log, ","), memberNames(b))
		}
	}
}

func memberNames(b *Bundle) string {
	var names []string
	if b != nil {
		for _, m := range b.Members {
			name := m.Name
			if m.Kind == "data-block" {
				name += "=" + m.Query
			}
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// TestEnd checks that the complete samples are kept when a later sample fails, or when the user stops the capture.
func TestEnd(t *testing.T) {
	t.Parallel()
	query := Query{Objects: []string{"4"}, Languages: []string{}, Count: 3}
	f := &fake{t: t, v1: registry()}
	f.v1.Fail(2, 0)
	f.v1.Fail(1, syscall.Errno(accessDenied))
	b, err := query.run(t.Context(), f)
	if status, _ := errors.AsType[Status](err); status != accessDenied || memberNames(b) != "v1/0001.data-block.bin=4 v1/0002.data-block.bin=4" {
		t.Errorf("a third sample without rights: %v, members %q", err, memberNames(b))
	}
	ctx, cancel := context.WithCancel(t.Context())
	f = &fake{t: t, v1: registry(), cancel: cancel}
	b, err = query.run(ctx, f)
	if !errors.Is(err, context.Canceled) || memberNames(b) != "v1/0001.data-block.bin=4" || !slices.Contains(f.log, "close key") {
		t.Errorf("a capture that is stopped: %v, members %q, calls %q", err, memberNames(b), f.log)
	}
	f = &fake{t: t, v1: registry()}
	f.v1.Fail(1, syscall.Errno(accessDenied))
	if b, err = query.run(t.Context(), f); err == nil || b != nil {
		t.Errorf("no sample: %v, members %q", err, memberNames(b))
	}
}

// TestCheck checks queries that are refused before Windows is called.
func TestCheck(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		query Query
		want  string
	}{
		{Query{}, "the query selects nothing; give at least one object (V1) or counter set (V2)"},
		{Query{Objects: []string{"4"}, Count: -1}, "the number of samples is -1, must be at least 1"},
		{Query{Objects: []string{"4"}, Interval: -1}, "the interval is -1ns, must not be negative"},
		{Query{Objects: []string{"4"}, Languages: []string{"de"}}, ""},
		{Query{Objects: []string{"4"}, Languages: []string{"english"}}, `the language is "english", must be a hexadecimal number such as 009, which is English`},
	} {
		got := ""
		if err := tt.query.check(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
