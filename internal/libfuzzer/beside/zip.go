package beside

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
)

// zipped writes inputs to an archive, each once and under its hash: same inputs, same
// archive. The empty one is no file of a corpus: libFuzzer always tries it.
func zipped(path string, inputs [][]byte) error {
	slices.SortFunc(inputs, bytes.Compare)
	inputs = slices.CompactFunc(inputs, bytes.Equal)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, input := range inputs {
		if len(input) == 0 {
			continue
		}
		f, err := w.Create(fmt.Sprintf("%x", sha256.Sum256(input)))
		if err != nil {
			return err
		}
		if _, err := f.Write(input); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o666)
}
