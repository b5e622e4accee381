package spec

import "testing"

// AppendYAML keeps a text of exactly MaxBytes and drops a longer one.
func TestLongestText(t *testing.T) {
	most := reader.MaxBytes
	w := writer{b: make([]byte, 3+most), start: 3}
	if w.bound(); w.len() != most || len(w.b) != 3+most {
		t.Errorf("%d bytes of a text of %d are kept", len(w.b)-3, w.len())
	}
	w.b = append(w.b, 0)
	if w.bound(); w.len() != most+1 || len(w.b) != 3 {
		t.Errorf("%d bytes of a text of %d are kept", len(w.b)-3, w.len())
	}
}
