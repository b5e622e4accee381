// Package libfuzzer runs the fuzz targets of this module, which are written for
// "go test -fuzz", under libFuzzer and the services built on it.
//
// The tools for this give a target's body to libFuzzer to be run whole for every
// input, seeds and all, know only targets that are no test of another package, and
// write arguments in a form in which a small change of the input is a large one of
// the arguments. So [T] and [F] stand in for the types of package testing in a copy
// of the module, which the command in prepare makes and ossfuzz/build.sh compiles.
// A target's body runs once; then its function runs for every input, with arguments
// as [Encode] writes them.
package libfuzzer
