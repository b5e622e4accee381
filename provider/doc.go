// Package provider connects a provider of performance counters with Windows, and checks providers.
//
// [Check] checks a Collect function without Windows. The rules PERF3xxx describe what Windows requires of the functions Open,
// Collect and Close of a provider.
package provider
