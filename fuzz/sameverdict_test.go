package fuzz_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/fuzz"
	"github.com/perfblock/perfblock/internal/rulecase"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
	"github.com/perfblock/perfblock/validate/report"
)

// One block has one verdict: wherever its bytes lie and whatever is behind them, whoever
// judges and whatever was judged before, once or by many at a time. Its report is the
// same byte for byte, in every format.

func TestSameVerdict(t *testing.T) {
	t.Parallel()
	forEachKind(t, func(t *testing.T, kind layout.Kind) {
		j := newJudges(t)
		for seed := range uint64(rounds / 10) {
			texts := someTexts
			if seed == 1 {
				texts = allTexts
			}
			j.same(t, kind, damaged(t, seed, kind), validate.Context{}, texts)
		}
		j.sameSARIF(t)
	})
	t.Run("with a context", func(t *testing.T) {
		t.Parallel()
		j := newJudges(t)
		for _, r := range validate.Rules() {
			for seed := range uint64(1 + rounds/1000) {
				broken, err := fuzz.Break(r.ID, fuzz.Seed(seed), fuzz.Config{})
				fatal(t, err)
				j.same(t, broken.Kind, broken.Block, broken.Context, someTexts)
			}
		}
		for seed := range uint64(rounds / 30) { // what is said of several counters that lack names the first
			q := fuzz.Join(fuzz.Seed(seed), fuzz.Config{})
			for i := range q.Sets {
				for id := range uint32(6) {
					q.Sets[i].Counters = append(q.Sets[i].Counters, builder.CounterRegInfo{CounterId: 0xC0000000 + id*7919%64, Type: layout.PERF_COUNTER_RAWCOUNT})
				}
			}
			ctx, err := q.Context()
			fatal(t, err)
			b, err := q.Data.MarshalBinary()
			fatal(t, err)
			j.same(t, layout.QueryDataKind, b, ctx, someTexts)
		}
		j.sameSARIF(t)
	})
}

func FuzzSameVerdict(f *testing.F) {
	addBlocks(f, []byte{}, []byte{})
	cases, err := rulecase.Load("../testdata/rules")
	fatal(f, err)
	for _, c := range cases {
		for _, registration := range append(c.Context.Registrations, nil) {
			f.Add(uint8(c.Kind), c.Context.Identifiers, registration, c.Broken)
		}
	}
	j := newJudges(f)
	f.Fuzz(func(t *testing.T, kind uint8, identifiers, registration, b []byte) {
		var ctx validate.Context
		if len(identifiers) > 0 {
			ctx.Identifiers = identifiers
		}
		if len(registration) > 0 { // two of them, which only identifiers tell apart
			ctx.Registrations = [][]byte{registration, valid(t, fuzz.Seed(1), layout.RegSetKind)}
		}
		texts := noTexts
		switch input := [][]byte{{kind}, identifiers, registration, b}; {
		case oneIn(4096, input...):
			texts = allTexts
		case oneIn(8, input...):
			texts = someTexts
		}
		j.same(t, kindOf(kind), b, ctx, texts)
		j.said, j.anew = nil, nil
	})
}

// depth says which texts are written of what is found, by two at once. That takes longer than
// to find it, and SARIF, which has every rule each time, as long as hundreds of blocks do.
type depth int

const (
	noTexts depth = iota
	someTexts
	allTexts // SARIF too
)

// judges are validators, one of which stops early. They may have judged others before.
type judges struct {
	all, few   *validate.Validator
	said, anew []report.File // what a new one and they say of each block
}

func newJudges(t testing.TB) *judges { return &judges{all: fresh(t, 0), few: fresh(t, few)} }

// few is how many findings a validator lists that stops early.
const few = 2

// fresh returns a validator that lists so many findings, 0 for the default.
func fresh(t testing.TB, most int) *validate.Validator {
	t.Helper()
	v, err := validate.New(validate.Options{MaxFindings: most})
	fatal(t, err)
	return v
}

func (j *judges) same(t *testing.T, kind layout.Kind, b []byte, ctx validate.Context, texts depth) {
	t.Helper()
	want, stopped := validate.Bytes(kind, b, ctx), fresh(t, few).Bytes(kind, b, ctx)
	for _, v := range []*validate.Validator{j.all, j.few} { // what was judged before is alike and is not the same
		v.Bytes(kind, b[:len(b)/4*3], ctx)
		v.Bytes(kindOf(uint8(kind)+1), b, validate.Context{})
	}
	for _, shift := range []int{0, 1 + int(crc32.ChecksumIEEE(b)%7)} {
		moved, around := moved(shift, b, ctx)
		before := bytes.Clone(moved[:cap(moved)])
		got := j.all.Bytes(kind, moved, around)
		sameResult(t, got, want)
		if shift == 0 && want.Unchecked == nil {
			path := fmt.Sprintf("%d.bin", len(j.said))
			j.said = append(j.said, report.File{Path: path, Kind: kind, Block: b, Result: want})
			j.anew = append(j.anew, report.File{Path: path, Kind: kind, Block: moved, Result: got})
		}
		sameResult(t, j.few.Bytes(kind, moved, around), stopped)
		if !bytes.Equal(before, moved[:cap(moved)]) {
			t.Fatal("judging changed the block or what is behind it")
		}
	}
	if texts == noTexts {
		return
	}
	text := reports(t, kind, b, want, texts)
	done := make(chan []string)
	for range 2 {
		go func() { done <- reports(t, kind, b, validate.Bytes(kind, b, ctx), texts) }()
	}
	for range 2 {
		if diff := unlike(text, <-done); diff != "" {
			t.Errorf("two reports of one block:\n%s\n% x", diff, b)
		}
	}
}

// sameSARIF holds one report of all blocks to be the same as another. SARIF has every rule each
// time, which takes as long as hundreds of blocks do.
func (j *judges) sameSARIF(t *testing.T) {
	t.Helper()
	var texts [2]bytes.Buffer
	sarif, err := report.FormatNamed("sarif")
	fatal(t, err)
	for i, files := range [][]report.File{j.said, j.anew} {
		fatal(t, sarif.Write(&texts[i], files, report.Options{}))
	}
	if diff := unlike(texts[0].String(), texts[1].String()); diff != "" || len(j.said) == 0 {
		t.Errorf("two reports of %d blocks:\n%s", len(j.said), diff)
	}
}

// moved returns the block and its context at another place in memory, with other bytes
// behind them.
func moved(shift int, b []byte, ctx validate.Context) ([]byte, validate.Context) {
	move := func(b []byte) []byte {
		if b == nil {
			return nil
		}
		all := append(bytes.Repeat([]byte{0xA5}, shift), b...)
		return append(all, bytes.Repeat([]byte{byte(37 * shift)}, 3*shift)...)[shift:][:len(b)]
	}
	ctx.Identifiers, ctx.Registrations = move(ctx.Identifiers), slices.Clone(ctx.Registrations)
	for i, r := range ctx.Registrations {
		ctx.Registrations[i] = move(r)
	}
	return move(b), ctx
}

// sameResult fails the test unless two results say the same.
func sameResult(t *testing.T, got, want validate.Result) {
	t.Helper()
	if slices.Equal(got.Findings, want.Findings) && got.Counts == want.Counts && got.Truncated == want.Truncated && fmt.Sprint(got.Unchecked) == fmt.Sprint(want.Unchecked) {
		return
	}
	t.Fatalf("there are two verdicts of one block\n%+v, and\n%+v", want, got)
}

// reports returns the findings, and the texts of them that are asked for.
func reports(t *testing.T, kind layout.Kind, b []byte, r validate.Result, texts depth) (list []string) {
	for _, f := range r.Findings {
		list = append(list, f.String())
	}
	for _, format := range report.Formats() {
		if format.Name == "sarif" && texts != allTexts {
			continue
		}
		var out bytes.Buffer
		err := format.Write(&out, []report.File{{Path: "a.bin", Kind: kind, Block: b, Result: r}}, report.Options{})
		if (err != nil) != (r.Unchecked != nil) {
			t.Errorf("%s: %v, %v", format.Name, err, r.Unchecked)
		}
		list = append(list, out.String())
	}
	return list
}
