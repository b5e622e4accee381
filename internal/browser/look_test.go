package browser

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/perfblock/perfblock/validate/report"
)

// TestPictures writes pictures of pages for reviewers, if the flag -artifacts is set.
func TestPictures(t *testing.T) {
	if flag.Lookup("test.artifacts").Value.String() != "true" {
		t.Skip("go test -run Pictures -v -artifacts -outputdir DIR writes pictures for reviewers")
	}
	for _, tt := range []struct {
		name string
		url  string
		device
	}{
		{"light", pageOf(t, small(t)), device{}},
		{"dark", pageOf(t, small(t)), device{scheme: "dark"}},
		{"medium", pageOf(t, small(t)), device{width: 1200, height: 900}},
		{"narrow", pageOf(t, small(t)), device{width: 390, height: 844}},
		{"large", pageOf(t, many(t, 5000, 5000)), device{}},
		{"clean", pageOf(t, clean(t)), device{}},
		{"index", folder(t, []report.Unchecked{{Path: "gone.bin", Err: errors.New("gone.bin: no such file")}}, small(t), clean(t), many(t, 100, 100)), device{}},
		{"indexdark", folder(t, nil, small(t), clean(t), many(t, 100, 100)), device{scheme: "dark"}},
		{"print", pageOf(t, small(t)), device{media: "print", width: 800, height: 1100}},
		{"noscript", pageOf(t, small(t)), device{noScript: true}},
	} {
		p := open(t, tt.url, tt.device)
		picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(t.ArtifactDir(), tt.name+".png"), picture, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
