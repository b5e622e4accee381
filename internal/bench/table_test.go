package main

import (
	"math"
	"testing"
)

func TestDigits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		f    float64
		want string
	}{
		{0, "0.00"}, {1, "1.00"}, {1.234, "1.23"}, {12.34, "12.3"}, {123.4, "123"}, {12345.6, "12346"},
		{0.5, "0.500"}, {0.01234, "0.0123"}, {0.00012345, "0.000123"}, {9.99, "9.99"}, {0.9999, "1.00"}, {9.999, "10.0"}, {99.99, "100"}, {math.NaN(), "NaN"}, {math.Inf(1), "+Inf"},
	} {
		if got := digits(tt.f); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.f, got, tt.want)
		}
	}
}

func TestGrouped(t *testing.T) {
	t.Parallel()
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 123456: "123,456", 1234567: "1,234,567"} {
		if got := grouped(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

func TestFigureTable(t *testing.T) {
	t.Parallel()
	one := spread{1, 0.5, 2}
	got := figureTable([]figure{
		{workload: "w", bytes: 1234, subject: "copy", perByte: one, toCopy: one},
		{workload: "w", bytes: 1234, subject: "fill", perByte: one, allocations: 5000, toCopy: one, c: hasTwin, perByteC: spread{3, 3, 3}, toC: spread{0.25, 0.2, 0.3}},
		{workload: "w", bytes: 1234, subject: "fill", perByte: one, toCopy: one, c: noCompiler},
	}).String()
	const want = `| workload | bytes | what | ns/byte | allocations | to copy | C, ns/byte | to C |
| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |
| w | 1,234 | copy | 1.00 (0.500..2.00) | 0 | 1.00 (0.500..2.00) |  |  |
| w | 1,234 | fill | 1.00 (0.500..2.00) | 5,000 | 1.00 (0.500..2.00) | 3.00 (3.00..3.00) | 0.250 (0.200..0.300) |
| w | 1,234 | fill | 1.00 (0.500..2.00) | 0 | 1.00 (0.500..2.00) | no C compiler | no C compiler |
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestCommandTable(t *testing.T) {
	t.Parallel()
	ms, none := spread{4, 3, 5}, spread{}
	version := commandFigure{command: command{line: "perfblock version", rounds: 10}, time: ms, cpu: ms, peak: spread{2 << 20, 1 << 20, 3 << 20}}
	lint := commandFigure{command: command{line: "perfblock lint", rounds: 10}, time: ms, cpu: ms, peak: spread{9 << 20, 9 << 20, 9 << 20}, toReading: ms}
	absent := commandFigure{command: command{line: "cat", rounds: 10}, absent: "no cat"}
	got := commandTable([]commandFigure{version, absent, lint}).String()
	const want = "| command | runs | time, ms | processor, ms | peak, MiB | to cat and start |\n" +
		"| --- | ---: | ---: | ---: | ---: | ---: |\n" +
		"| `perfblock version` | 10 | 4.00 (3.00..5.00) | 4.00 (3.00..5.00) | 3.00 |  |\n" +
		"| `cat` | 0 | no cat |  |  |  |\n" +
		"| `perfblock lint` | 10 | 4.00 (3.00..5.00) | 4.00 (3.00..5.00) | 9.00 | 4.00 (3.00..5.00) |\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}

	version.peak = none
	got = commandTable([]commandFigure{version}).String()
	const silent = "| command | runs | time, ms | processor, ms | to cat and start |\n" +
		"| --- | ---: | ---: | ---: | ---: |\n" +
		"| `perfblock version` | 10 | 4.00 (3.00..5.00) | 4.00 (3.00..5.00) |  |\n"
	if got != silent {
		t.Errorf("a system that tells no memory: got\n%swant\n%s", got, silent)
	}
}
