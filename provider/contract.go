package provider

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/perfblock/perfblock/internal/identity"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// Check calls a Collect function with a series of queries and buffer sizes. It applies the rules PERF3xxx and the
// rules for objects to the results of each call. Check works on all systems, for example in a test:
//
//	if err := provider.Check(p.Collect).Err(validate.Warning); err != nil {
//		t.Error(err)
//	}
//
// collect writes objects to the start of buf, and returns the number of bytes, the number of objects and nil. If buf is too
// small, collect returns 0, 0 and an error that wraps [builder.ErrMoreData]. If there is no data for the query, collect
// returns 0, 0 and nil. Check recovers panics of collect. Check does not stop a call that hangs.
func Check(collect func(query string, buf []byte) (n, objects int, err error)) Result {
	return Probe{}.Check(collect)
}

// DefaultTimeout is the time that Windows gives a call of Open or Collect.
const DefaultTimeout = 10 * time.Second

// A Probe has the settings of a check. The zero value is the default.
type Probe struct {
	// Timeout is the longest time that a call of Collect may take: the value Collect Timeout of the provider's Performance
	// key. 0 means [DefaultTimeout].
	Timeout time.Duration

	// OpenTimeout is the longest time that a call of Open may take: the value Open Timeout. 0 means Timeout.
	OpenTimeout time.Duration

	// Metadata is true if the value "Collect Supports Metadata" of the Performance key is 1. Windows passes metadata
	// queries only to such providers.
	Metadata bool

	// FirstCounter and LastCounter are values of the Performance key. 0 means not known.
	FirstCounter, LastCounter uint32

	// Validator has the severities of the rules. Nil means the severities of the zero [validate.Options].
	Validator *validate.Validator
}

// Check is the function [Check] with the settings of p.
func (p Probe) Check(collect func(query string, buf []byte) (n, objects int, err error)) Result {
	s := series{probe: p, host: &functionHost{collect}, places: []place{inside}}
	if err := s.run(context.Background()); err != nil {
		panic(err) // a host for a function returns no error
	}
	return s.result()
}

// limit returns the longest time that a call of a function may take. Windows has no limit for functions other than Open
// and Collect.
func (p Probe) limit(function string) time.Duration {
	limit := p.Timeout
	if limit <= 0 {
		limit = DefaultTimeout
	}
	switch {
	case function == "Open" && p.OpenTimeout > 0:
		return p.OpenTimeout
	case function == "Open", function == "Collect":
		return limit
	}
	return max(limit, DefaultTimeout)
}

// A Result has the findings of a probe. The Path of each finding starts with the call. A finding of a rule about calls
// is about a value in Log, such as the status of a call, and has the line and column of this value. A finding of any
// other rule is about the data of a call, and has the offset in this data.
//
// Each rule about calls has at most one finding for each query and function. If no call returned data and there is
// no finding, the field Unchecked has an error, because the probe has checked nothing.
type Result struct {
	validate.Result

	// Log has a line for each call, with the values that it returned.
	Log string

	calls   []validate.Finding // the findings about calls, for CheckCalls
	outputs []Output
}

// CallsForm is the name that reports use for the format of [Result.Log].
const CallsForm = "calls"

// errNoData is the error in Unchecked for a result without data and findings.
var errNoData = errors.New("no query returned data, so the data of the provider was not checked; make the provider count something before the check")

func (s *series) result() Result {
	r := Result{Log: s.log.text.String(), calls: s.log.findings, outputs: s.outputs}
	if s.stopped != "" {
		r.Log += s.stopped + "\n"
	}
	v := s.probe.Validator
	if v == nil {
		v = new(validate.Validator)
	}
	r.Result = r.CheckCalls(v)
	for _, o := range r.Outputs() {
		found := o.Check(v)
		for i := range found.Findings {
			f := &found.Findings[i]
			f.Path = f.Path.In(callPath(o.Call))
		}
		findings := append(r.Findings, found.Findings...) // Add would sort them by offset
		r.Add(found)
		r.Findings = findings
	}
	return r
}

// CheckCalls returns the findings about the calls. The severities are those of v. Lines and columns are those in
// Log.
func (r *Result) CheckCalls(v *validate.Validator) validate.Result {
	result := v.Collect(slices.Clone(r.calls))
	if len(r.outputs) == 0 && result.Counts == (validate.Counts{}) {
		result.Counts.Error, result.Unchecked = 1, errNoData
	}
	return result
}

// Outputs returns the outputs with findings. It leaves out an output if earlier outputs have all its findings.
func (r *Result) Outputs() []Output {
	var list []Output
	known := make(map[string]bool)
	var v validate.Validator
	for _, o := range r.outputs {
		isNew := false
		for _, key := range o.keys(o.Check(&v).Findings) {
			isNew = isNew || !known[key]
			known[key] = true
		}
		if isNew {
			list = append(list, o)
		}
	}
	return list
}

// An Output is the data that a call of Collect returned.
type Output struct {
	Call    string // such as Collect("Global", 65536)
	Kind    layout.Kind
	Data    []byte
	Context validate.Context // the query, and the values of the Performance key
}

// Check returns the findings in the data. The severities are those of v.
func (o *Output) Check(v *validate.Validator) validate.Result {
	return v.Bytes(o.Kind, o.Data, o.Context)
}

// keys returns a text for each finding. If the data of two outputs has the same fault, both outputs have the same text
// for this fault.
func (o *Output) keys(findings []validate.Finding) []string {
	places := identity.Of(o.Kind, o.Data, findings)
	for i := range places {
		places[i] = findings[i].Rule.ID + " " + places[i]
	}
	return places
}

// contents describes the data of a call.
type contents struct {
	header  bool // the data starts with the signature of PERF_DATA_BLOCK
	objects []object
}

// An object describes an object in the data.
type object struct {
	title, length uint32
	instances     int32
	parents       []uint32 // the title indexes of the objects that contain the parents of its instances, sorted
}

// signature is the start of a PERF_DATA_BLOCK.
const signature = "P\x00E\x00R\x00F\x00"

// describe returns the contents of data. The list of objects ends with the first object whose length is not valid.
func describe(data []byte) contents {
	if bytes.HasPrefix(data, []byte(signature)) {
		return contents{header: true}
	}
	var c contents
	for len(data) >= layout.SizeofObjectType {
		o := layout.Object{Span: layout.NewSpan(data[:layout.SizeofObjectType], 0)}
		n := o.TotalByteLength()
		one := object{title: o.ObjectNameTitleIndex(), length: n, instances: o.NumInstances()}
		whole := n >= layout.SizeofObjectType && uint64(n) <= uint64(len(data))
		if whole {
			one.parents = parents(data[:n])
			data = data[n:]
		}
		c.objects = append(c.objects, one)
		if !whole {
			break
		}
	}
	return c
}

// parents returns the ParentObjectTitleIndex of each instance whose parent is in another object.
func parents(data []byte) (titles []uint32) {
	for o, err := range layout.ReadObjects(data) {
		if err != nil {
			break
		}
		for in, err := range o.Instances() {
			if err != nil {
				break
			}
			if t := in.ParentObjectTitleIndex(); t != 0 && t != o.ObjectNameTitleIndex() {
				titles = append(titles, t)
			}
		}
	}
	slices.Sort(titles)
	return slices.Compact(titles)
}

// sum returns the sum of the lengths of the objects.
func (c *contents) sum() (n uint64) {
	for _, o := range c.objects {
		n += uint64(o.length)
	}
	return n
}
