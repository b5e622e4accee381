// Command structs makes an object of each generated struct, fills it and validates it. It starts each generated
// provider and creates an instance of each of its sets. The test adds packages with the structs, and a file with the
// function main.
package main

import (
	"fmt"
	"os"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/provider"
	"github.com/perfblock/perfblock/validate"
)

// check makes a block with the values of a T, and writes the findings to standard output. least is the lowest severity
// to write.
func check[T any](name string, title uint32, single, clock bool, least validate.Severity) {
	block, err := collect[T](title, single, clock)
	if err == nil {
		err = validate.Bytes(layout.ObjectsKind, block, validate.Context{}).Err(least)
	}
	if err != nil {
		fmt.Fprintf(os.Stdout, "%s: %v\n", name, err)
	}
}

// collect returns an object with three instances, or without instances if single is true. If clock is true, collect
// sets the time of the object.
func collect[T any](title uint32, single, clock bool) ([]byte, error) {
	o, err := builder.Define[T](title)
	if err != nil {
		return nil, err
	}
	if single {
		o.NumInstances = layout.PERF_NO_INSTANCES
	}
	relative, err := o.Compile()
	if err != nil {
		return nil, err
	}
	template, err := relative.Rebase(5000, 5001)
	if err != nil {
		return nil, err
	}
	values, err := builder.Bind[T](template)
	if err != nil {
		return nil, err
	}
	var v T
	f := builder.NewFixedFill(make([]byte, 0, 1<<16))
	f.Object(template)
	if clock {
		f.PerfTime(1_000)
	}
	if single {
		values.Fill(&f, &v)
		return f.Done()
	}
	for _, name := range []string{"one", "two", "three"} {
		values.Instance(&f, name, &v)
	}
	return f.Done()
}

// start starts a provider and returns it.
func start(name string, d provider.Definition) *provider.Provider {
	p, err := provider.Start(d)
	if err != nil {
		fmt.Fprintf(os.Stdout, "%s: %v\n", name, err)
	}
	return p
}

// create creates an instance of a set. least is the lowest severity of the findings to write.
func create[T any](p *provider.Provider, s *provider.CounterSet[T], least validate.Severity) {
	name := "one"
	if s.Info.InstanceType == layout.PERF_COUNTERSET_SINGLE_INSTANCE {
		name = ""
	}
	_, err := s.Create(p, name)
	if err == nil {
		var block []byte
		if block, err = p.Snapshot(); err == nil {
			err = validate.Bytes(layout.QueryDataKind, block, validate.Context{}).Err(least)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stdout, err)
	}
}
