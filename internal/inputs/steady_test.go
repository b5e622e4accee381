package inputs

import (
	"io"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestChangedWhileRead checks that Read returns an error if a file changes after it is opened and
// before its end is read.
func TestChangedWhileRead(t *testing.T) {
	day := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		reason string
		change func(*fstest.MapFile)
		fails  bool
	}{
		{"a file that does not change is read", func(*fstest.MapFile) {}, false},
		{"a file that is overwritten with as many bytes is an error", func(f *fstest.MapFile) { f.ModTime = day.Add(1) }, true},
		{"a file that grows is an error", func(f *fstest.MapFile) { f.Data = append(f.Data, '4') }, true},
		{"a file that shrinks is an error", func(f *fstest.MapFile) { f.Data = f.Data[:1] }, true},
	} {
		file := &fstest.MapFile{Data: []byte("123"), ModTime: day}
		fs := fstest.MapFS{"a": file}
		f, err := fs.Open("a")
		if err != nil {
			t.Fatal(err)
		}
		copied := *file
		info, err := (fstest.MapFS{"a": &copied}).Stat("a")
		if err != nil {
			t.Fatal(err)
		}
		row.change(file)
		_, err = io.ReadAll(&steadyFile{f, info})
		if (err != nil) != row.fails || err != nil && !strings.HasPrefix(err.Error(), "changed while it was read") {
			t.Errorf("%s: %v", row.reason, err)
		}
	}
}
