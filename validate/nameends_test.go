package validate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/validate"
)

// TestNameEnds has names of each length, with a NUL and without: the place that is told of
// depends on it, and whether anything is must not.
func TestNameEnds(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 255; n++ {
		letters := strings.Repeat("x", n)
		for _, tt := range []struct {
			reason   string
			codePage uint32
			name     string
			want     []string
		}{
			{"UTF-16 and a NUL", 0, text(letters + "\x00"), nil},
			{"UTF-16", 0, text(letters), []string{fmt.Sprintf("name-terminated %d+2", 2*n-2)}},
			{"UTF-16 and half a NUL", 0, text(letters[1:]) + "\x00\x41", []string{fmt.Sprintf("name-terminated %d+2", 2*n-2)}},
			{"bytes and a NUL", 1252, letters + "\x00", []string{"name-codepage"}},
			{"bytes", 1252, letters, []string{"name-codepage", fmt.Sprintf("name-terminated %d+1", n-1)}},
			{"bytes, the last as large as can be", 65001, letters[1:] + "\xFF", []string{"name-codepage", fmt.Sprintf("name-terminated %d+1", n-1)}},
		} {
			got := aboutInstances(aNamed(t, tt.codePage, 24, tt.name), 64+40+24)
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s, %d letters: %q, want %q", tt.reason, n, got, tt.want)
			}
		}
	}
}

// TestNameFillsItsInstance has names to the last byte of ByteLength.
func TestNameFillsItsInstance(t *testing.T) {
	t.Parallel()
	for n := 8; n <= 256; n += 8 {
		for _, tt := range []struct {
			reason   string
			codePage uint32
			name     string
			want     []string
		}{
			{"UTF-16 and a NUL", 0, text(strings.Repeat("x", n/2-1) + "\x00"), nil},
			{"UTF-16", 0, text(strings.Repeat("x", n/2)), []string{fmt.Sprintf("name-terminated %d+2", n-2)}},
			{"bytes and a NUL", 1252, strings.Repeat("x", n-1) + "\x00", []string{"name-codepage"}},
			{"bytes", 1252, strings.Repeat("x", n), []string{"name-codepage", fmt.Sprintf("name-terminated %d+1", n-1)}},
		} {
			if n == 256 && tt.codePage != 0 && len(tt.want) > 1 {
				continue // it is too long as well
			}
			b := aNamed(t, tt.codePage, 24, tt.name)
			end := 64 + 40 + 24 + n
			end += copy(b[end:], b[64+40+4096:])
			put(t, b, "instance[0].ByteLength", uint32(24+n))
			put(t, b, "TotalByteLength", uint32(end))
			b = b[:end]
			got := aboutInstances(b, 64+40+24)
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("%s, %d of them: %q, want %q", tt.reason, n, got, tt.want)
			}
		}
	}
}

// TestNamedEnds has names of each length in lists, answers and identifiers. Without a NUL they
// are a multiple of 8 bytes long, as padding would end them.
func TestNamedEnds(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 260; n++ {
		letters := strings.Repeat("x", n)
		for _, name := range []string{letters + "\x00", letters, letters[1:] + "\u0100"} {
			if !strings.HasSuffix(name, "\x00") && n%4 != 0 {
				continue
			}
			in := aName(1, text(name))
			for _, tt := range []struct {
				kind layout.Kind
				b    []byte
				at   int // where the name is
				rule string
			}{
				{layout.InstancesKind, in, 8, "v2-instance-name-unterminated"},
				{layout.InstancesKind, slices.Concat(plainInstanceHeaders(), in, aName(2, text("a\x00"))), 16 + 8, "v2-instance-name-unterminated"},
				{layout.QueryDataKind, aQuery(anAnswer(layout.PERF_MULTIPLE_INSTANCES, aTable(1, in, values(8)))), 48 + 16 + 8 + 8, "v2-instance-name-unterminated"},
				{layout.QueryDataKind, aQuery(anAnswer(layout.PERF_COUNTERSET, someIDs(4), aTable(1, in, values(8)))), 48 + 16 + 16 + 8 + 8, "v2-instance-name-unterminated"},
				{layout.IdentifiersKind, askedFor(name), 40, "v2-identifier-name-unterminated"},
				{layout.IdentifiersKind, askedFor(name, "*\x00"), 40, "v2-identifier-name-unterminated"},
			} {
				var got, want []string
				for _, f := range validate.Bytes(tt.kind, tt.b, validate.Context{}).Findings {
					got = append(got, fmt.Sprintf("%s %d+%d", f.Rule.Name, f.Off, f.Len))
				}
				switch {
				case strings.HasSuffix(name, "\x00"):
				case tt.kind == layout.IdentifiersKind:
					want = []string{fmt.Sprintf("%s %d+2", tt.rule, tt.at+2*n-2)}
				default:
					want = []string{fmt.Sprintf("%s %d+%d", tt.rule, tt.at, 2*n)}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%v, %d letters, %q: %q, want %q", tt.kind, n, name[len(name)-1:], got, want)
				}
			}
		}
	}
}
