package browser

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/perfblock/perfblock/validate/report/page"
)

// litBytes is a JavaScript expression for the text of the highlighted bytes.
const litBytes = `[...document.querySelectorAll(".columns mark")].map((e) => e.textContent).join(" ")`

func (p *tab) checkSelection(what, status, bytes, field string) {
	p.Helper()
	if got := p.text("#selection"); got != status {
		p.Errorf("%s: the status is %q, want %q", what, got, status)
	}
	if got := eval[string](p, litBytes); got != bytes {
		p.Errorf("%s: the bytes %q are lit, want %q", what, got, bytes)
	}
	if got := p.text("[aria-selected=true]"); got != field {
		p.Errorf("%s: the field %q is selected, want %q", what, got, field)
	}
}

// TestSelect checks that findings, bytes and fields select each other, by click and by key.
func TestSelect(t *testing.T) {
	p := open(t, pageOf(t, small(t)), device{})
	scale := []string{"0x00bc, 4 bytes: object[0].counter[0].DefaultScale = 9", "09 00 00 00", "DefaultScale = 9"}
	title := []string{"0x00d8, 4 bytes: object[0].counter[1].CounterNameTitle = 1", "01 00 00 00", "CounterNameTitle = 1"}
	version := []string{"0x000c, 4 bytes: Version = 7", "07 00 00 00", "Version = 7"}
	first := []string{"0x0000, 8 bytes: Signature = \"PERF\"", "50 00 45 00 52 00 46 00", "Signature = \"PERF\""}
	second := []string{"0x0008, 4 bytes: LittleEndian = 1   little-endian", "01 00 00 00", "LittleEndian = 1   little-endian"}
	revision := []string{"0x0010, 4 bytes: Revision = 1", "01 00 00 00", "Revision = 1"}
	for _, tt := range []struct {
		what    string
		do      func()
		want    []string
		address string
	}{
		{"the first finding is selected at the start", func() {}, scale, ""},
		{"a click selects a finding", func() { p.click(`[id="0xd8"] a`, 0.5) }, title, "#0xd8"},
		{"a click on the text of a finding selects it", func() { p.click(`[id="0xc"] code`, 0.5) }, version, "#0xc"},
		{"key n selects the next finding", func() { p.keys("n") }, title, "#0xd8"},
		{"key p selects the previous finding", func() { p.keys("p", "p") }, scale, "#0xbc"},
		{"Down selects the next finding of the list", func() { p.keys(kb.ArrowDown) }, version, "#0xc"},
		{"Up selects the previous finding of the list", func() { p.keys(kb.ArrowUp) }, scale, "#0xbc"},
		{"a click selects the first byte", func() { p.click(".row .columns", 0.01) }, first, "#0x0"},
		{"Right in the bytes stays in the field", func() { p.keys(kb.ArrowRight) }, first, "#0x1"},
		{"Down selects the byte 16 bytes later", func() { p.keys(kb.ArrowDown) }, revision, "#0x11"},
		{"Up and Left select earlier bytes", func() { p.keys(kb.ArrowUp, kb.ArrowLeft) }, first, "#0x0"},
		{"a click in the middle of a line selects the byte there", func() { p.click(".row .columns", 0.55) }, second, "#0x8"},
		{"a click selects a character", func() { p.click(".row .ascii", 0.98) }, version, "#0xf"},
		{"Home selects the first byte", func() { p.keys(kb.End, kb.Home) }, first, "#0x0"},
		{"a click selects a field", func() { p.click("#field-1", 0.1) }, second, "#LittleEndian"},
		{"Down selects the next field", func() { p.keys(kb.ArrowDown) }, version, "#Version"},
		{"Up and Home select earlier fields", func() { p.keys(kb.End, kb.PageUp, kb.PageDown, kb.ArrowUp, kb.Home) }, first, "#Signature"},
	} {
		tt.do()
		p.checkSelection(tt.what, tt.want[0], tt.want[1], tt.want[2])
		if tt.address != "" {
			p.wait(`location.hash === "` + tt.address + `"`)
		}
	}
	if got := eval[string](p, `[...document.querySelectorAll(".columns .fault")].map((e) => e.className + " " + e.textContent).join(", ")`); got !=
		"fault warning 07 00 00 00, fault error 09 00 00 00, fault warning 01 00 00 00, fault warning 28 00" {
		t.Errorf("the bytes with findings are %s", got)
	}
	p.click(".record", 0.1)
	if got := p.text("#selection"); got != "0x0024, 16 bytes: SystemTime" {
		t.Errorf("click on a record selects %q", got)
	}
}

// TestAddresses changes the fragment of the page's address, such as #0xc, and checks the selection.
func TestAddresses(t *testing.T) {
	url := pageOf(t, small(t))
	p := open(t, url, device{})
	for _, tt := range []struct{ address, want, reason string }{
		{"#0xc", "0x000c, 4 bytes: Version = 7", "an offset selects the finding there"},
		{"#0x1a4", "0x01a4, 4 bytes: object[0].instance[2].NameLength = 26", "an offset selects the field there"},
		{"#0x1A6", "0x01a4, 4 bytes: object[0].instance[2].NameLength = 26", "an offset may be in upper case, and inside a field"},
		{"#object[0].counter[1]", "0x00d0, 40 bytes: object[0].counter[1]", "a path selects a record"},
		{"#object%5B0%5D.counter%5B1%5D.CounterType", "0x00ec, 4 bytes: object[0].counter[1].CounterType = 0x00010100   PERF_COUNTER_LARGE_RAWCOUNT", "browsers may escape an address"},
		{"#object[0].instance[1]", "0x0130, 96 bytes: object[0].instance[1]", "a record includes the record in it"},
		{"#object[9]", "0x0130, 96 bytes: object[0].instance[1]", "an address of a missing record keeps the selection"},
		{"#0xfffffff", "0xfffffff, 1 byte: object[0].instance[2].block.value[1] = 6   PERF_COUNTER_LARGE_RAWCOUNT", "an offset after the end shows the end"},
		{"#%", "0xfffffff, 1 byte: object[0].instance[2].block.value[1] = 6   PERF_COUNTER_LARGE_RAWCOUNT", "an invalid address keeps the selection"},
		{"#findings", "0xfffffff, 1 byte: object[0].instance[2].block.value[1] = 6   PERF_COUNTER_LARGE_RAWCOUNT", "a link of the page keeps the selection"},
	} {
		p.follow(tt.address)
		if got := p.text("#selection"); got != tt.want {
			t.Errorf("%s selects %q, want %q: %s", tt.address, got, tt.want, tt.reason)
		}
	}
	p = open(t, url+"#object[0].counter[1].CounterSize", device{})
	p.checkSelection("the address of a new page", "0x00f0, 4 bytes: object[0].counter[1].CounterSize = 8", "08 00 00 00", "CounterSize = 8")
}

// TestFilter checks which findings each filter shows.
func TestFilter(t *testing.T) {
	p := open(t, pageOf(t, small(t)), device{})
	shown := func(what, want string) {
		t.Helper()
		got := eval[string](p, `[...document.querySelectorAll(".rule li a")].filter((e) => e.checkVisibility()).map((e) => e.textContent).join(" ")`)
		if got != want {
			t.Errorf("%s shows %q, want %q", what, got, want)
		}
	}
	all := "0x00bc 0x000c 0x00d8 0x0162"
	shown("no filter", all)
	p.click("[value=error]", 0.5)
	shown("without errors", "0x000c 0x00d8 0x0162")
	p.keys("n")
	p.checkSelection("key n skips hidden findings", "0x000c, 4 bytes: Version = 7", "07 00 00 00", "Version = 7")
	p.keys("/")
	eval[any](p, `document.activeElement.value = ""`) // the driver types a key even if the page handles it
	for _, key := range "COUNTER[" {
		p.keys(string(key))
	}
	shown("a path", "0x00d8")
	if got := p.text("#shown"); got != "1 of 4 shown" {
		t.Errorf("the filter says %q", got)
	}
	p.click("[value=error]", 0.5)
	shown("a path, with errors", "0x00bc 0x00d8")
	eval[any](p, `(() => { const rule = document.getElementById("rule"); rule.value = "PERF1331"; rule.dispatchEvent(new Event("input", { bubbles: true })); })()`)
	shown("a path and a rule", "0x00bc")
	p.click("#path", 0.3)
	p.keys("n")
	if got := eval[string](p, `document.getElementById("path").value`); !strings.Contains(got, "n") {
		t.Errorf("key n in the filter is not typed: %q", got)
	}
	shown("a path that no finding has", "")
	p.click(`#keys summary`, 0.02)
	p.click("#letters", 0.5)
	p.keys("/")
	if eval[bool](p, `document.activeElement.id === "path"`) {
		t.Error("key / works after it was turned off")
	}
}

// TestExplain checks that a click on a rule shows its explanation.
func TestExplain(t *testing.T) {
	p := open(t, pageOf(t, small(t)), device{})
	p.click(".rule summary", 0.1)
	if got := eval[string](p, `document.querySelector(".rule pre").innerText`); !strings.HasPrefix(got, "PERF1331 ctr-default-scale") || !strings.Contains(got, "\nwhy ") {
		t.Errorf("the explanation is %q", got)
	}
}

// TestPrint checks that a printed page has the findings with their explanations, and no controls.
func TestPrint(t *testing.T) {
	p := open(t, pageOf(t, small(t)), device{media: "print"})
	eval[any](p, `dispatchEvent(new Event("beforeprint"))`)
	if text := eval[string](p, "document.body.innerText"); strings.Count(text, "\nwhy ") != 4 || !strings.Contains(text, "DefaultScale is 9") {
		t.Errorf("the printed page is:\n%s", text)
	}
	if got := eval[[]string](p, `["filter", "keys", "panes", "dump"].filter((id) => document.getElementById(id).checkVisibility())`); len(got) > 0 {
		t.Errorf("the printed page has %v", got)
	}
}

// TestWithoutScript checks that a page without scripts shows the findings and no controls.
func TestWithoutScript(t *testing.T) {
	p := open(t, pageOf(t, small(t)), device{noScript: true})
	text := eval[string](p, "document.body.innerText")
	for _, want := range []string{
		"0x00bc object[0].counter[0].DefaultScale: DefaultScale is 9, must be -7 to 7", "Fix: Write 0.", "PERF1331 ctr-default-scale",
		"0x000c Version: Version is 7, must be 1", "0x0162 object[0].instance[1].Name", "1 error, 3 warnings", "All fields as text",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %q:\n%s", want, text)
		}
	}
	if eval[bool](p, `document.getElementById("filter").checkVisibility() || document.getElementById("panes").checkVisibility()`) {
		t.Error("the page shows controls that need scripts")
	}
}

// TestHostile checks that the page shows names of a block as text, not as markup.
func TestHostile(t *testing.T) {
	p := open(t, pageOf(t, small(t)), device{})
	if n := eval[int](p, `document.querySelectorAll("script").length`); n != 1 {
		t.Errorf("the page has %d scripts", n)
	}
	p.follow("#object[0].instance[1].Name")
	p.checkSelection("a name", `0x0148, 52 bytes: object[0].instance[1].Name = "<script>alert(1)</script>"`,
		"3c 00 73 00 63 00 72 00 69 00 70 00 74 00 3e 00 61 00 6c 00 65 00 72 00 74 00 28 00 31 00 29 00 3c 00 2f 00 73 00 63 00 72 00 69 00 70 00 74 00 3e 00 00 00",
		`Name = "<script>alert(1)</script>"`)
	p.follow("#object[0].instance[2].Name")
	if got := p.text("[aria-selected=true]"); got != `Name = "evil\u202egpj.exe"` {
		t.Errorf("the name is %s", got)
	}
}

// TestLarge opens the page of a block of more than 10 MB with 100,000 findings.
func TestLarge(t *testing.T) {
	f := many(t, 100_000, 100_000)
	if n := len(f.Result.Findings); len(f.Block) < 10<<20 || n < 100_000 {
		t.Fatalf("the block has %d bytes and %d findings", len(f.Block), n)
	}
	url := pageOf(t, f)
	info, err := os.Stat(strings.TrimPrefix(url, "file://"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > page.MaxBytes {
		t.Errorf("the page has %d bytes", info.Size())
	}
	p := open(t, url, device{})
	const nodes = `(() => { const all = document.createNodeIterator(document); let n = 0; while (all.nextNode()) { n++; } return n; })()`
	for _, where := range []string{"", "#object[0].instance[1999].Name"} {
		if where != "" {
			p.follow(where)
		}
		if n := eval[int](p, nodes); n > 20_000 {
			t.Errorf("the page has %d nodes", n)
		}
	}
	if got := p.text("#selection"); !strings.Contains(got, `object[0].instance[1999].Name = "a/1999"`) {
		t.Errorf("the last finding is %s", got)
	}
	if n := eval[int](p, `document.querySelectorAll(".rule li").length`); n != page.MaxFindings {
		t.Errorf("the page lists %d findings", n)
	}
	if got := p.text("table"); !strings.Contains(got, "98000") {
		t.Errorf("the table of the others is %q", got)
	}
	p.click("#bytes", 0.5)
	for _, tt := range []struct{ key, want string }{
		{kb.Home, "#0x0"}, {kb.ArrowDown, "#0x10"}, {kb.ArrowDown, "#0x20"}, {kb.ArrowDown, "#0x30"}, {kb.ArrowDown, "#0x1c0"}, {kb.ArrowLeft, "#0x3f"}, {kb.ArrowRight, "#0x1c0"},
	} {
		p.keys(tt.key)
		p.wait(`location.hash === "` + tt.want + `"`)
	}
	p.follow("#object[0].instance[1999].Name")
	p.keys("p")
	p.checkSelection("key p", "0x36bd2, 2 bytes: object[0].instance[1998].Name = \"a/1998\"", "2f 00", `Name = "a/1998"`)
}
