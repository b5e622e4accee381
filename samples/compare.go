package samples

import (
	"cmp"
	"fmt"
	"iter"
	"strings"

	"github.com/perfblock/perfblock/internal/quote"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

var (
	timeRule = &validate.Rule{
		ID: "PERF5005", Name: "pair-time", Severity: validate.Warning,
		Doc:     "each clock of the newer sample is later than in the older sample",
		Why:     "Rates and percentages are divided by the time between the samples. If no time has passed, there is no value to display. If PerfTime is earlier, the samples are in the wrong order or the computer has restarted, so the counters are not compared.",
		Fix:     "Read the clock for each sample. If the samples are in the wrong order, exchange them.",
		Sources: []validate.Source{calculating, sourceOf(&layout.PERF_DATA_BLOCK, "PerfTime"), sourceOf(&layout.PERF_DATA_HEADER, "PerfTimeStamp")},
	}
	frequencyRule = &validate.Rule{
		ID: "PERF5006", Name: "pair-frequency", Severity: validate.Warning,
		Doc:     "the frequency of a clock is the same in both samples",
		Why:     "Consumers divide the ticks between the samples by one frequency. If the frequency in the header changes, the samples are from different computers, so the counters are not compared.",
		Fix:     "Write the result of QueryPerformanceFrequency, which does not change while the computer runs. For the clock of an object, use one frequency.",
		Sources: []validate.Source{calculating, sourceOf(&layout.PERF_DATA_BLOCK, "PerfFreq"), sourceOf(&layout.PERF_DATA_HEADER, "PerfFreq")},
	}
	computerRule = &validate.Rule{
		ID: "PERF5010", Name: "pair-computer", Severity: validate.Warning,
		Doc:     "both samples have the same system name",
		Why:     "Each computer has its own clocks and counters. Differences between two computers have no meaning, so nothing else is compared.",
		Fix:     "Compare two blocks of one computer.",
		Sources: []validate.Source{sourceOf(&layout.PERF_DATA_BLOCK, "SystemNameOffset"), calculating},
		Forms:   []string{layout.DataBlockKind.String()},
	}
)

// Compare reports where two samples of one source contradict each other, by the rules PERF5xxx of [Rules]. It does
// not validate the samples themselves. The offset of a finding is in the newer sample. The text of a finding has the
// value and the offset in the older sample, except for pair-total, which compares values of the newer sample.
//
// Objects, results, counters and instances match as in [Values]. But the definitions and ids of counters are compared
// by position. Compare skips:
//   - all objects of the same title, if the samples have different numbers of objects with this title
//   - the values of results without identifiers, if the samples have different numbers of results
//   - instances whose parent is not certain, or whose identity is not unique in the sample
//   - objects, results and instances that only one sample has
//
// The values of query data require Registrations, as in Values.
//
// If the samples have different system names, ignoring case, this is the only finding. If PerfTime (PerfTimeStamp in
// query data) goes back in the header, or PerfFreq changes there, Compare does not compare values.
//
// If the kinds differ, if the kind has no values, or if the header or the context of a sample cannot be read, Compare
// compares nothing and sets Unchecked. Compare skips other parts that cannot be read. Time and memory are linear in
// the length of the samples.
func Compare(v *validate.Validator, older, newer Sample) validate.Result {
	c, err := newComparison(&older, &newer)
	if err != nil {
		return validate.Result{Counts: validate.Counts{Error: 1}, Unchecked: err}
	}
	return v.CollectSeq(c.findings())
}

// A comparison yields the findings about two samples, in the order of their offsets.
type comparison struct {
	older, newer *block
	name         string // of the older sample
	// yield may call its second argument only before yield returns, because the argument reads the current row.
	yield   func(*validate.Rule, func() validate.Finding) bool
	stopped bool

	before, now rowList // of the current group
	checks      rowChecks
}

func newComparison(older, newer *Sample) (*comparison, error) {
	if older.Kind != newer.Kind {
		return nil, fmt.Errorf("the older sample is %v and the newer one is %v", older.Kind, newer.Kind)
	}
	a, err := open(older)
	if err != nil {
		return nil, fmt.Errorf("older sample: %w", err)
	}
	b, err := open(newer)
	if err != nil {
		return nil, fmt.Errorf("newer sample: %w", err)
	}
	return &comparison{older: a, newer: b, name: cmp.Or(older.Name, "the older sample")}, nil
}

func (c *comparison) findings() iter.Seq2[*validate.Rule, func() validate.Finding] {
	return func(yield func(*validate.Rule, func() validate.Finding) bool) {
		c.yield = yield
		was, is := strings.ToUpper(text(c.older.system)), strings.ToUpper(text(c.newer.system))
		if was != "" && is != "" && was != is {
			c.reportSystemName()
			return
		}
		withValues := c.checkClocks()
		if c.newer.kind == layout.QueryDataKind {
			c.compareResults(withValues)
		} else {
			c.compareObjects(withValues)
		}
	}
}

// report reports that the newer sample violates the rule r. The function describe returns the finding. If the result
// lists the finding, describe is called before report returns. Otherwise, describe is not called.
func (c *comparison) report(r *validate.Rule, describe func() validate.Finding) {
	if !c.stopped {
		c.stopped = !c.yield(r, func() validate.Finding {
			f := describe()
			f.Rule = r
			return f
		})
	}
}

// olderPlace returns an offset in the older sample for the text of a finding, such as "0x90 of the older sample".
func (c *comparison) olderPlace(off int64) string { return fmt.Sprintf("0x%x of %s", off, c.name) }

// A record has the path and the offset of a structure in a block, such as a PERF_OBJECT_TYPE. reportField computes the
// place of a finding from them.
type record interface {
	Path() layout.Path
	Off() int64
}

// header is the record of a PERF_DATA_BLOCK or PERF_DATA_HEADER, at offset 0.
type header struct{}

func (header) Path() layout.Path { return layout.Path{} }
func (header) Off() int64        { return 0 }

// reportField reports that a field of a record in the newer sample breaks the rule r. The function want returns what the
// field must be.
func (c *comparison) reportField(r *validate.Rule, of *layout.Record, at record, field string, is any, want func() string) {
	c.report(r, func() validate.Finding {
		d := of.Field(field)
		return validate.Finding{
			Path: at.Path().Field(field), Off: at.Off() + int64(d.At), Len: int(d.Type.Size()),
			Got: fmt.Sprintf("%s is %v", field, is), Want: want(),
		}
	})
}

// fieldIn returns the offset of a field in the older sample, as text: see [comparison.olderPlace]. off is the offset of
// the record with the field.
func (c *comparison) fieldIn(of *layout.Record, off int64, field string) string {
	return c.olderPlace(off + int64(of.Field(field).At))
}

// reportDifference reports a field whose value must be the same in both samples. off is the offset of the record in the
// older sample.
func (c *comparison) reportDifference(r *validate.Rule, of *layout.Record, off int64, newer record, field string, was, is any) {
	c.reportField(r, of, newer, field, is, func() string {
		return fmt.Sprintf("must be %v, as at %s", was, c.fieldIn(of, off, field))
	})
}

// A clock is a field with a time or a frequency, with its values in the older and the newer sample.
type clock struct {
	field     string
	frequency bool
	was, is   int64
}

// reportClock reports a clock that does not advance, or a frequency that changes.
func (c *comparison) reportClock(of *layout.Record, older, newer record, k clock) {
	switch {
	case k.frequency && k.is != k.was:
		c.reportDifference(frequencyRule, of, older.Off(), newer, k.field, k.was, k.is)
	case !k.frequency && k.is <= k.was:
		c.reportField(timeRule, of, newer, k.field, k.is, func() string {
			return fmt.Sprintf("must be more than %d, the time at %s", k.was, c.fieldIn(of, older.Off(), k.field))
		})
	}
}

// checkClocks checks the clocks of the header. It returns false if values cannot be compared: the computer has
// restarted, or the samples are in the wrong order or from different computers.
func (c *comparison) checkClocks() bool {
	a, b := c.older, c.newer
	if !a.clock || !b.clock {
		return true
	}
	of := &layout.PERF_DATA_BLOCK
	all := []clock{{"PerfTime", false, a.tick, b.tick}, {"PerfFreq", true, a.freq, b.freq}, {"PerfTime100nSec", false, a.time, b.time}}
	if b.kind == layout.QueryDataKind {
		of = &layout.PERF_DATA_HEADER
		all = []clock{{"PerfTimeStamp", false, a.tick, b.tick}, {"PerfTime100NSec", false, a.time, b.time}, {"PerfFreq", true, a.freq, b.freq}}
	}
	for _, k := range all { // in the order of the fields
		c.reportClock(of, header{}, header{}, k)
	}
	return b.tick >= a.tick && b.freq == a.freq
}

// reportSystemName reports that the two samples have different system names. The caller has compared the names.
func (c *comparison) reportSystemName() {
	c.report(computerRule, func() validate.Finding {
		was, is := c.older.system, c.newer.system
		return validate.Finding{
			Path: layout.Path{}.Field("SystemName"), Off: is.Off(), Len: is.Len(),
			Got:  "the system name is " + quote.Short(text(is)),
			Want: fmt.Sprintf("must be %s, as at %s", quote.Short(text(was)), c.olderPlace(was.Off())),
		}
	})
}
