package cfacts

import "os"

// RequireVariable names the environment variable that forbids foreign judges to stay away: set to "require", a test that cannot find
// its C compiler or header fails where it would otherwise be skipped. CI sets it, so that a skip cannot hide there.
const RequireVariable = "PERFBLOCK_ORACLE"

// TB is the part of testing.TB that [Absent] needs.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Skipf(format string, args ...any)
}

// Required reports whether a foreign judge must be there.
func Required() bool { return os.Getenv(RequireVariable) == "require" }

// Absent ends a test whose foreign judge is missing, for the reason given.
func Absent(tb TB, reason string) {
	tb.Helper()
	if Required() {
		tb.Fatalf("%s, and %s=require", reason, RequireVariable)
	}
	tb.Skipf("%s (with %s=require this is a failure)", reason, RequireVariable)
}
