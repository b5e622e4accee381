// Package provider connects a provider of performance counters with Windows, and checks providers.
//
// [Start] makes the counters of a running Go program visible in Windows as counters of version 2:
//
//	p, err := provider.Start(shop.Provider)
//	q, err := shop.Queues.Create(p, "orders")
//	q.Published.Add(1)
//	q.Depth.Store(17)
//	defer p.Close()
//
// The command `perfblock define` generates package shop from a definition. The generated file imports this package,
// builder and layout. Package definition imports this package, to generate the file and to make a [Definition] at run
// time. This package does not import definition, so that a service contains no code that reads YAML or XML.
//
// On Windows, this package allocates the values of an instance outside the Go heap, where Windows reads them. It never
// frees this memory, but reuses it for other instances after Delete or Close. It reuses the memory of an instance only
// after the garbage collector has found that the program no longer refers to the instance. So an Add after Delete or
// Close changes no value that Windows reads, and never faults.
//
// On other systems, this package imitates the functions of Windows, with the checks that Microsoft documents. No other
// program sees the counters there. [Provider.Snapshot] returns the values on all systems.
//
// The counters were tested with Wine, and not yet on Windows.
//
// [Publish] makes finished objects of version 1 visible in Windows, through a DLL in C.
//
// [Check] checks a Collect function without Windows. [Probe.DLL] checks a DLL on Windows. The rules PERF3xxx describe what
// Windows requires of the functions Open, Collect and Close of a provider.
package provider
