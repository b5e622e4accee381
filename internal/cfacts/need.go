package cfacts

import "os"

// RequireVariable is the environment variable that makes missing programs an error. If it is "require", a test that does not find its C
// compiler or header fails instead of being skipped. CI sets it.
const RequireVariable = "PERFBLOCK_ORACLE"

// TB is the part of testing.TB that [Absent] needs.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Skipf(format string, args ...any)
}

// Required reports whether a missing program is an error.
func Required() bool { return os.Getenv(RequireVariable) == "require" }

// Absent skips or fails a test whose program is missing.
func Absent(tb TB, reason string) {
	tb.Helper()
	if Required() {
		tb.Fatalf("%s, and %s=require", reason, RequireVariable)
	}
	tb.Skipf("%s (with %s=require this is a failure)", reason, RequireVariable)
}
