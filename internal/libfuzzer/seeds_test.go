package libfuzzer

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why, text string
		want      []any // nil for an error
	}{
		{"bytes with escapes", "go test fuzz v1\n[]byte(\"a\\x00\\xff\\n\")\n", []any{[]byte("a\x00\xff\n")}},
		{"a text in which a line could end", "go test fuzz v1\nstring(\"a\\nb(c)\")\n", []any{"a\nb(c)"}},
		{"numbers with a sign and without", "go test fuzz v1\nint8(-128)\nuint64(18446744073709551615)\nint(3)\n", []any{int8(-128), uint64(1<<64 - 1), 3}},
		{"bytes and runes as characters", "go test fuzz v1\nbyte('\\x01')\nuint8(255)\nrune('é')\n", []any{byte(1), uint8(255), 'é'}},
		{"truths and fractions", "go test fuzz v1\nbool(true)\nbool(false)\nfloat32(1.5)\nfloat64(-2)\n", []any{true, false, float32(1.5), -2.0}},
		{"another version", "go test fuzz v2\n[]byte(\"a\")\n", nil},
		{"no text at all", "", nil},
		{"a number that is too large", "go test fuzz v1\nuint8(256)\n", nil},
		{"one that is too small", "go test fuzz v1\nuint8(-1)\n", nil},
		{"a text for a number", "go test fuzz v1\nint(\"1\")\n", nil},
		{"a number for a text", "go test fuzz v1\nstring(1)\n", nil},
		{"a type that no target takes", "go test fuzz v1\ncomplex64(1)\n", nil},
		{"two values", "go test fuzz v1\nint(1, 2)\n", nil},
		{"a calculation", "go test fuzz v1\nint(1 + 2)\n", nil},
		{"no value", "go test fuzz v1\nx\n", nil},
	} {
		got, err := parse(tt.text)
		if !reflect.DeepEqual(got, tt.want) || (err == nil) != (tt.want != nil) {
			t.Errorf("%s: %#v, %v; want %#v", tt.why, got, err, tt.want)
		}
	}
}

// TestKept reads the inputs that go test keeps beside a target.
func TestKept(t *testing.T) {
	t.Parallel()
	f := new(F)
	f.Fuzz(func(*T, uint8, []byte) {})
	f.Add(uint8(1), []byte("a"))
	if got, err := f.Seeds(); err != nil || !reflect.DeepEqual(got, [][]byte{[]byte("\x01a")}) {
		t.Errorf("%q, %v", got, err)
	}
	dir := t.TempDir()
	if got, err := f.Kept(filepath.Join(dir, "none")); err != nil || len(got) != 0 {
		t.Errorf("none are kept, and there are %q: %v", got, err)
	}
	for _, tt := range []struct {
		why, text string
		want      [][]byte // nil for an error
	}{
		{"the target's arguments", "go test fuzz v1\nbyte('\\x02')\n[]byte(\"b\")\n", [][]byte{[]byte("\x02b")}},
		{"in another order", "go test fuzz v1\n[]byte(\"b\")\nbyte('\\x02')\n", nil},
		{"too few", "go test fuzz v1\n[]byte(\"b\")\n", nil},
		{"no corpus", "b", nil},
	} {
		if err := os.WriteFile(filepath.Join(dir, "kept"), []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := f.Kept(dir); !reflect.DeepEqual(got, tt.want) || (err == nil) != (tt.want != nil) {
			t.Errorf("%s: %q, %v; want %q", tt.why, got, err, tt.want)
		}
	}
	f.Add([]byte("a"), uint8(1))
	if got, err := f.Seeds(); err == nil {
		t.Errorf("arguments of other types are seeds: %q", got)
	}
}
