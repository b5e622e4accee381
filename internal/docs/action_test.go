package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestActionsArePinned checks that workflows name actions by commit hash, because a tag can move to another commit.
func TestActionsArePinned(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(root + "/.github/workflows/*.yml")
	if err != nil {
		t.Fatal(err)
	}
	pinned := regexp.MustCompile(`^[a-z-]+/[a-z/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	uses := 0
	for _, file := range append(files, root+"/action.yml") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^ *(?:- )?uses: (.*)$`).FindAllStringSubmatch(string(text), -1) {
			uses++
			if !strings.HasPrefix(m[1], "./") && !pinned.MatchString(m[1]) {
				t.Errorf("%s uses %q, must use the hash of a commit, with a version such as # v1.2.3", file, m[1])
			}
		}
	}
	if uses < 10 {
		t.Errorf("only %d uses of actions were found", uses)
	}
}

// TestActionInputs checks that the action uses each of its inputs.
func TestActionInputs(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(root + "/action.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, inputs, _ := strings.Cut(string(text), "\ninputs:\n")
	inputs, steps, _ := strings.Cut(inputs, "\nruns:\n")
	names := regexp.MustCompile(`(?m)^  (\w+):$`).FindAllStringSubmatch(inputs, -1)
	if len(names) < 4 {
		t.Errorf("only %d inputs were found", len(names))
	}
	for _, name := range names {
		if !strings.Contains(steps, "${{ inputs."+name[1]+" }}") && !strings.Contains(steps, " inputs."+name[1]+" ") {
			t.Errorf("no step uses the input %s", name[1])
		}
	}
}
