package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
)

// twoProcesses returns a small host. wantBytes has the bytes of its block.
func twoProcesses() *host {
	at := time.Date(2000, 1, 1, 0, 0, 10, 0, time.UTC)
	return &host{name: "HOST", at: at, processes: []proc{
		{
			name: "zsh", pid: 7, started: at.Add(-10 * time.Second),
			user: 0x11, privileged: 0x22, virtual: 0x33_0000_0000, workingSet: 0x44, workingSetPrivate: 0x55, committed: 0x66,
			pageFaults: 0xFFFF_FFFF, handles: 0x77, priority: 8, threadCount: 1,
			readOps: 0x100, writeOps: 0x200, readSize: 0x300, writeSize: 0x400,
			threads: []thread{{id: 7, pid: 7, user: 0x11, privileged: 0x22}},
		},
		{
			name: "größe", pid: 300, parent: 7,
			user: 1, privileged: 2, virtual: 3, workingSet: 4, workingSetPrivate: 5, committed: 6,
			pageFaults: 2, handles: 8, priority: 9, threadCount: 2,
			readOps: 10, writeOps: 11, readSize: 12, writeSize: 13,
			threads: []thread{{id: 300, pid: 300, user: 1}, {id: 301, pid: 300, privileged: 2}},
		},
	}}
}

// encode returns the block of h.
func encode(t *testing.T, h *host) []byte {
	t.Helper()
	c, err := newCollector()
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.append(nil, h)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decoded decodes the block of h, and checks that the model encodes to the same block.
func decoded(t *testing.T, h *host) builder.DataBlock {
	t.Helper()
	b := encode(t, h)
	var d builder.DataBlock
	if err := d.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	again, err := d.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b, again); diff != "" {
		t.Fatalf("the decoded model encodes to another block (-block +model):\n%s", diff)
	}
	return d
}

// TestModelOfTheBlock checks that a block decodes, even if instances have the same name.
func TestModelOfTheBlock(t *testing.T) {
	t.Parallel()
	duplicates := twoProcesses()
	duplicates.processes[1].name = "ZSH" // readers compare names ignoring case
	total := twoProcesses()
	total.processes[1].name = "_total" // a program can have this name
	for _, c := range []struct {
		label      string
		host       *host
		duplicates bool
	}{
		{"two processes have two names", twoProcesses(), false},
		{"names that differ only in case are duplicates", duplicates, true},
		{"a process may have the name _total", total, true},
		{"a host may have no processes", &host{name: "HOST", at: time.Unix(1, 0)}, false},
	} {
		t.Run(c.label, func(t *testing.T) {
			t.Parallel()
			if got := decoded(t, c.host).Objects[0].DuplicateNames; got != c.duplicates {
				t.Errorf("DuplicateNames is %t", got)
			}
		})
	}
}

// TestNames checks the names of instances.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, want, reason string }{
		{"größe", "größe", "the name has letters outside ASCII"},
		{"日本語", "日本語", "each letter has three bytes in UTF-8"},
		{"🦀", "🦀", "the letter has two units in UTF-16"},
		{"(sd-pam)", "(sd-pam)", "parentheses stay, although a counter path cannot contain them"},
		{"caf\xc3", "caf\uFFFD", "the last character is truncated"},
		{"a\x00b", "ab", "a NUL would end the name"},
		{"", "unknown", "the name could not be read"},
	} {
		h := twoProcesses()
		h.processes[1].name = c.name
		if got := decoded(t, h).Objects[0].Instances[1].Name; got != c.want {
			t.Errorf("%q becomes %q, want %q: %s", c.name, got, c.want, c.reason)
		}
	}
}

// TestParents checks that the parent of each thread is its process.
func TestParents(t *testing.T) {
	t.Parallel()
	d := decoded(t, twoProcesses())
	processes, threads := d.Objects[0].Instances, d.Objects[1].Instances
	var got []string
	for _, in := range threads {
		if in.ParentObjectTitleIndex != titleProcess {
			t.Errorf("the parent of %q is in object %d", in.Name, in.ParentObjectTitleIndex)
		}
		got = append(got, processes[in.ParentObjectInstance].Name+"/"+in.Name)
	}
	if want := "zsh/0 größe/0 größe/1 _Total/_Total"; strings.Join(got, " ") != want {
		t.Errorf("the threads are %q, want %q", got, want)
	}
}

// TestNoThreads checks that a block has no Thread object if no process has threads.
func TestNoThreads(t *testing.T) {
	t.Parallel()
	h := twoProcesses()
	for i := range h.processes {
		h.processes[i].threads = nil
	}
	if d := decoded(t, h); len(d.Objects) != 1 {
		t.Errorf("%d objects", len(d.Objects))
	}
}

// TestStart checks the values of Elapsed Time.
func TestStart(t *testing.T) {
	t.Parallel()
	h := twoProcesses()
	now := layout.FileTime(h.at)
	for _, c := range []struct {
		started time.Time
		want    int64
		reason  string
	}{
		{h.at.Add(-time.Second), now - 1e7, "the process started one second ago"},
		{time.Time{}, now, "the start is unknown"},
		{h.at.Add(time.Second), now, "a coarse clock says that the process started after the time of the block"},
	} {
		if got := elapsed(now, &proc{started: c.started}); got != uint64(c.want) {
			t.Errorf("got %d, want %d: %s", got, c.want, c.reason)
		}
	}
}

// TestBufferIsUsedAgain checks that a collector can write a second block into the buffer of the first block.
func TestBufferIsUsedAgain(t *testing.T) {
	t.Parallel()
	c, err := newCollector()
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.append(nil, twoProcesses())
	if err != nil {
		t.Fatal(err)
	}
	other := twoProcesses()
	other.processes = other.processes[1:]
	again, err := c.append(b[:0], other)
	if err != nil || &again[0] != &b[0] {
		t.Fatalf("error %v, or a new buffer was allocated", err)
	}
	if diff := cmp.Diff(encode(t, other), again); diff != "" {
		t.Errorf("the block differs in a used buffer (-new +used):\n%s", diff)
	}
}
