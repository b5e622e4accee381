package samples_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/samples"
)

// An oracleCase is a line that testdata/formulas.py reads.
type oracleCase struct {
	Type string  `json:"type"`
	N0   *uint64 `json:"n0"`
	N1   uint64  `json:"n1"`
	B0   *uint64 `json:"b0"`
	B1   uint64  `json:"b1"`
	D0   *int64  `json:"d0"`
	D1   int64   `json:"d1"`
	F    int64   `json:"f"`
	Wrap bool    `json:"wrap"`

	typ layout.CounterType
	got string // the value or the reason of package samples
	num float64
}

// TestOracle compares the values of random samples with testdata/formulas.py, which computes with exact fractions.
// The author of formulas.py had not seen this package.
func TestOracle(t *testing.T) {
	t.Parallel()
	const python = "python3"
	// Windows without Python also has a program python3, but this program fails.
	if err := exec.Command(python, "-c", "import fractions").Run(); err != nil {
		if os.Getenv("PERFBLOCK_ORACLE") == "require" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	each := long.Seeds(200, 2000)
	var cases []oracleCase
	var lines bytes.Buffer
	random := rand.New(rand.NewPCG(25, 1))
	encoder := json.NewEncoder(&lines)
	for typ := range layout.CounterTypes() {
		for range each {
			if samples.FormulaOf(typ) == nil {
				break
			}
			c := randomCase(random, typ)
			c.compute(t)
			if err := encoder.Encode(c); err != nil {
				t.Fatal(err)
			}
			cases = append(cases, c)
		}
	}
	cmd := exec.Command(python, "testdata/formulas.py")
	cmd.Stdin = &lines
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(bytes.NewReader(out))
	seen, bad := make(map[string]int), 0
	for i := range cases {
		scanner.Scan()
		var want struct{ Value, Unit, Missing string }
		if err := json.Unmarshal(scanner.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		seen[want.Missing]++
		if problem := cases[i].mismatch(want.Value, want.Unit, want.Missing); problem != "" && bad < 20 {
			bad++
			input, _ := json.Marshal(cases[i])
			t.Errorf("%s: %s", input, problem)
		}
	}
	for _, reason := range []string{"", "no-older-sample", "fell-or-wrapped", "base-unchanged", "zero-denominator", "no-time"} {
		if seen[reason] == 0 {
			t.Errorf("no case has the reason %q", reason)
		}
	}
}

// randomCase returns numbers that are often equal, 0, or at the ends of their range.
func randomCase(r *rand.Rand, typ layout.CounterType) oracleCase {
	number := func(bytes uint32) uint64 {
		n := [...]uint64{0, 1, uint64(r.IntN(3)), uint64(r.IntN(1000)), r.Uint64() >> r.IntN(64), math.MaxUint64 - uint64(r.IntN(3))}[r.IntN(6)]
		if bytes == 4 {
			n &= math.MaxUint32
		}
		return n
	}
	width, _ := typ.Width()
	baseWidth := uint32(8)
	if base, ok := typ.Base(); ok {
		baseWidth, _ = base.Width()
	}
	c := oracleCase{Type: typ.String(), typ: typ, N1: number(width), B1: number(baseWidth), D1: 1 + int64(r.Uint64()>>2>>r.IntN(62)), F: int64(r.Uint64() >> 1 >> r.IntN(63)), Wrap: r.IntN(2) == 0}
	if r.IntN(10) == 0 {
		c.F = 0
	}
	if r.IntN(16) == 0 {
		return c
	}
	c.N0, c.B0, c.D0 = new(number(width)), new(number(baseWidth)), new(1+int64(r.Uint64()>>2>>r.IntN(62)))
	if r.IntN(2) == 0 { // the usual case: everything grows
		c.N0, c.B0, c.D0 = new(min(*c.N0, c.N1)), new(min(*c.B0, c.B1)), new(min(*c.D0, c.D1))
	}
	return c
}

// compute stores the result of package samples in the fields num and got.
func (c *oracleCase) compute(t *testing.T) {
	t.Helper()
	var older samples.Sample
	if c.N0 != nil {
		older = c.sample(t, *c.N0, *c.B0, *c.D0)
	}
	v := onlyValue(t, samples.Options{Wrap: c.Wrap}, older, c.sample(t, c.N1, c.B1, c.D1))
	c.num, c.got = v.Number, v.Missing.String()
	if v.Missing == samples.Present {
		c.got = v.Counter.Unit()
		if n, exact := v.Integer(); exact {
			c.got = fmt.Sprint(n)
		}
	}
}

// sample returns a sample with the frequency of the case.
func (c *oracleCase) sample(t *testing.T, value, base uint64, clock int64) samples.Sample {
	t.Helper()
	s := sampleOf(t, c.typ, moment{value, base, clock})
	d, err := layout.ReadDataBlock(s.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []uint32{layout.PERF_DATA_BLOCK.Field("PerfFreq").At, d.HeaderLength() + layout.PERF_OBJECT_TYPE.Field("PerfFreq").At} {
		binary.LittleEndian.PutUint64(s.Bytes[at:], uint64(c.F))
	}
	return s
}

// mismatch returns a message if the results of package samples and of the oracle differ. It returns "" if they agree.
func (c *oracleCase) mismatch(value, unit, missing string) string {
	if missing != "" {
		if c.got != missing {
			return fmt.Sprintf("got %q %v, want %q", c.got, c.num, missing)
		}
		return ""
	}
	exact, ok := new(big.Rat).SetString(value)
	if !ok {
		return "the oracle has no value"
	}
	if whole := strings.TrimSuffix(value, "/1"); whole == c.got {
		return ""
	}
	want, _ := exact.Float64()
	if c.got != unit {
		return fmt.Sprintf("got %q %v, want %s = %v %q", c.got, c.num, value, want, unit)
	}
	if math.Abs(c.num-want) > 1e-12*math.Abs(want) {
		return fmt.Sprintf("got %v, want %s = %v", c.num, value, want)
	}
	return ""
}
