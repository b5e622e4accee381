package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/perfblock/perfblock/internal/cfacts"
)

// browserContext is the context of the browser that all tests use.
var browserContext context.Context

func TestMain(m *testing.M) {
	options := slices.Clone(chromedp.DefaultExecAllocatorOptions[:])
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // the sandbox of Chromium refuses root
	}
	if path := chromium(); path != "" {
		options = append(options, chromedp.ExecPath(path))
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	var cancel context.CancelFunc
	browserContext, cancel = chromedp.NewContext(allocator)
	code := m.Run()
	cancel()
	stop()
	os.Exit(code)
}

// chromium returns the path of Chromium or Chrome, or "".
func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

var start sync.Once // starts the browser

// A tab is an open page.
type tab struct {
	*testing.T
	ctx context.Context

	mutex    sync.Mutex
	problems []string // requests, exceptions, and messages in the console or the log
}

// A device has the properties of a browser that a page can query. The zero value is a wide window with a
// light colour scheme and scripts.
type device struct {
	width, height int64
	scheme        string // dark or light
	media         string // print or screen
	noScript      bool
}

// open opens the page at the URL. The test fails at its end if the page requested a URL other than a file, threw an
// exception, or caused a message in the console or the log.
func open(t *testing.T, url string, d device) *tab {
	t.Helper()
	if chromium() == "" {
		cfacts.Absent(t, "no Chromium")
	}
	start.Do(func() {
		if err := chromedp.Do(browserContext); err != nil {
			t.Fatal(err)
		}
	})
	p := &tab{T: t}
	var cancel context.CancelFunc
	p.ctx, cancel = chromedp.NewContext(browserContext)
	t.Cleanup(func() {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		for _, problem := range p.problems {
			t.Errorf("%s: %s", url, problem)
		}
		cancel()
	})
	p.do()
	if err := chromedp.Listen(p.ctx, p.listen); err != nil {
		t.Fatal(err)
	}
	if d.width == 0 {
		d.width, d.height = 1600, 1000
	}
	if d.scheme == "" {
		d.scheme = "light"
	}
	p.must(chromedp.Call(p.ctx, network.Enable, network.EnableParams{}))
	p.must(chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: d.noScript}))
	p.must(chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media: d.media, Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: d.scheme}},
	}))
	p.do(chromedp.EmulateViewport(d.width, d.height), chromedp.Navigate(url))
	return p
}

// listen records an event that a page must not cause, such as a request to a server.
func (p *tab) listen(event any) {
	problem := ""
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "file://") {
			problem = "requests " + e.Request.URL
		}
	case *runtime.EventExceptionThrown:
		problem = "exception: " + fmt.Sprint(e.ExceptionDetails.Text, e.ExceptionDetails.Exception)
	case *runtime.EventConsoleAPICalled:
		problem = fmt.Sprintf("console: %v %v", e.Type, e.Args)
	case *log.EventEntryAdded:
		problem = fmt.Sprintf("log: %v %s", e.Entry.Level, e.Entry.Text)
	}
	if problem != "" {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.problems = append(p.problems, problem)
	}
}

func (p *tab) must(_ any, err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.Fatal(err)
	}
}

// eval returns the value of an expression of JavaScript.
func eval[T any](p *tab, expression string) T {
	p.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return v
}

// follow sets the fragment of the page's address to another one, and waits until the page has handled the change.
func (p *tab) follow(fragment string) {
	p.Helper()
	// The page has added its own listener before, so the browser calls this one after it.
	eval[any](p, `globalThis.followed = false; addEventListener("hashchange", () => { followed = true }, {once: true}); location.hash = "`+fragment+`"`)
	p.wait("followed")
}

// wait waits until an expression of JavaScript is true.
func (p *tab) wait(expression string) {
	p.Helper()
	if _, err := chromedp.Run(p.ctx, chromedp.Poll[bool](expression)); err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
}

// text returns the text of the first element that the selector matches.
func (p *tab) text(selector string) string {
	p.Helper()
	return eval[string](p, fmt.Sprintf("document.querySelector(%q)?.textContent ?? 'no element'", selector))
}

// click clicks the first element that the selector matches. share is the position of the click as a
// fraction of the width.
func (p *tab) click(selector string, share float64) {
	p.Helper()
	box := eval[[]float64](p, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		e.scrollIntoView({ block: "center" });
		const { left, top, width, height } = e.getBoundingClientRect();
		return [left + width * %g, top + height / 2];
	})()`, selector, share))
	p.do(chromedp.MouseClickXY(box[0], box[1]))
}

func (p *tab) keys(keys ...string) {
	p.Helper()
	for _, key := range keys {
		p.do(chromedp.KeyEvent(key))
	}
}
