package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/perfblock/perfblock/internal/long"
)

// TestSetUp follows docs/tutorial-definition.md in an empty folder: it runs the commands of the tutorial, writes
// the files and runs the tests.
func TestSetUp(t *testing.T) {
	t.Parallel()
	if !long.Enabled() {
		t.Skip("the commands take 5 seconds; set PERFBLOCK_LONG=1")
	}
	b, err := os.ReadFile(filepath.Join(root, "docs", "tutorial-definition.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(b), "\r\n", "\n")
	clone, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	module := t.TempDir()
	folder := filepath.Join(module, "shop")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	// command runs the first command of the tutorial that starts with prefix. replaced has pairs of strings: a
	// string in the command and its replacement.
	command := func(dir, prefix string, replaced ...string) {
		line := regexp.MustCompile("(?:`|(?m)^[$] )(" + regexp.QuoteMeta(prefix) + "[^`\n]*)").FindStringSubmatch(text)
		if line == nil {
			t.Fatalf("the tutorial has no command %s", prefix)
		}
		args := strings.Fields(line[1])
		for i := range args {
			args[i] = strings.NewReplacer(replaced...).Replace(args[i])
		}
		run(t, dir, args[0], args[1:]...)
	}
	perfblock := filepath.Join(t.TempDir(), "perfblock.exe")
	run(t, root, "go", "build", "-ldflags=-s -w", "-o", perfblock, "./cmd/perfblock")
	command(module, "go mod init")
	command(module, "go mod edit", "CLONE", clone)
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		if name := named.FindStringSubmatch(text[:m[0]]); name != nil {
			if err := os.WriteFile(filepath.Join(folder, name[1]), []byte(text[m[4]:m[5]]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	command(folder, "perfblock define shop.yaml --write-guids", "perfblock", perfblock)
	command(folder, "perfblock define shop.yaml -o .", "perfblock", perfblock)
	command(module, "go mod tidy")
	command(module, "go test ./shop")
}
