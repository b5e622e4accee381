package armor

import (
	"bufio"
	"encoding/base64"
	"slices"
)

// What is written to a bufio.Writer is not checked here: the first error stays in
// it, and Flush returns it.

const (
	hexLine    = 16 // bytes
	base64Line = 57 // bytes, which make 76 characters
	sourceLine = 12 // bytes, which keep a line below 80 columns
	digits     = "0123456789abcdef"
)

func writeBinary(w *bufio.Writer, _ string, b []byte) { _, _ = w.Write(b) }

func writeHex(w *bufio.Writer, _ string, b []byte) {
	var line []byte
	for part := range slices.Chunk(b, hexLine) {
		line = line[:0]
		for _, c := range part {
			line = append(line, digits[c>>4], digits[c&15], ' ')
		}
		line[len(line)-1] = '\n'
		_, _ = w.Write(line)
	}
}

func writeBase64(w *bufio.Writer, _ string, b []byte) {
	var line []byte
	for part := range slices.Chunk(b, base64Line) {
		line = append(base64.StdEncoding.AppendEncode(line[:0], part), '\n')
		_, _ = w.Write(line)
	}
}

// writeBytes writes the bytes as the elements of an array in C or Go.
func writeBytes(w *bufio.Writer, indent string, b []byte) {
	var line []byte
	for part := range slices.Chunk(b, sourceLine) {
		line = append(line[:0], indent...)
		for i, c := range part {
			if i > 0 {
				line = append(line, ' ')
			}
			line = append(line, '0', 'x', digits[c>>4], digits[c&15], ',')
		}
		_, _ = w.Write(append(line, '\n'))
	}
}
