package provider

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/perfblock/perfblock/builder"
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

// Check is the function [Check] with the settings of p.
func (p Probe) Check(collect func(query string, buf []byte) (n, objects int, err error)) Result {
	s := series{probe: p, host: functionHost(collect), places: []place{inside}}
	if err := s.run(); err != nil {
		panic(err) // a host for a function returns no error
	}
	return s.result()
}

// A functionHost is a Collect function in Go.
type functionHost func(query string, buf []byte) (n, objects int, err error)

// guardSize is the number of bytes with a pattern before a buffer, and after it. Perflib uses the same number.
const guardSize = 1024

func (f functionHost) call(c call) (outcome, error) {
	guarded := newGuardedBuffer(make([]byte, guardSize+c.Size+guardSize), guardSize, c.Size)
	buf := guarded.buffer()
	o := outcome{noPointer: true}
	start := time.Now()
	n, objects := f.callCollect(c.Query, buf[:len(buf):len(buf)], &o)
	o.Took = time.Since(start)
	o.Outside = guarded.findChanges()
	o.Bytes, o.Objects = toDWORD(n), toDWORD(objects)
	if o.failure == "" && o.err == "" && o.Status == success {
		o.Data = buf[:min(uint64(o.Bytes), uint64(len(buf)))]
	}
	return o, nil
}

// callCollect calls the function, and sets failure, Status and err of o.
func (f functionHost) callCollect(query string, buf []byte, o *outcome) (n, objects int) {
	defer func() {
		if fault := recover(); fault != nil {
			o.failure = oneLine(fmt.Sprintf("panic: %v", fault))
		}
	}()
	n, objects, err := f(query, buf)
	switch {
	case errors.Is(err, builder.ErrMoreData):
		o.Status = moreData
	case err != nil:
		o.err = err.Error()
	}
	return n, objects
}

// toDWORD converts n to the DWORD that Windows would get. If n is negative or too large, toDWORD returns the
// largest DWORD.
func toDWORD(n int) uint32 { return uint32(min(uint64(n), math.MaxUint32)) }

// A Result has the findings of a probe. The Path of each finding starts with the call. There are two sorts of findings:
//   - A finding of a rule PERF3xxx is about a value in Log, such as a wrong status. It has the line and column of this
//     value.
//   - A finding of any other rule is about the data that a call returned. It has the offset in this data.
//
// Each rule PERF3xxx has at most one finding for each query and function. If no call returned data and there is
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

// errNoData is the error in Unchecked if a result has no data and no findings.
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
		findings := o.Check(&v).Findings
		for i, place := range identity.Of(o.Kind, o.Data, findings) {
			key := findings[i].Rule.ID + " " + place // the same in all outputs
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
