package browser

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// tab is a window with cookies of its own. What pages must never do is noted:
// errors in the console, violations of the Content-Security-Policy,
// exceptions, dialogs, requests elsewhere.
type tab struct {
	t      *testing.T
	ctx    context.Context
	origin string // "http://127.0.0.1:1234"

	mu       sync.Mutex
	faults   []string
	expected []string // parts of faults that a test brings about itself
	status   map[string]int64
	answer   bool // what dialogs are answered
}

// newTab opens a tab for a server. At the end of the test it is closed and
// what was noted is told.
func newTab(t *testing.T, origin string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(needChromium(t), chromedp.WithNewBrowserContext())
	b := &tab{t: t, ctx: ctx, origin: strings.TrimSuffix(origin, "/"), status: map[string]int64{}}
	t.Cleanup(cancel)
	t.Cleanup(b.tell)
	if err := chromedp.Listen(ctx, b.note); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(1280, 900))
	return b
}

// tell reports what was noted since the last time.
func (b *tab) tell() {
	b.t.Helper()
	for _, f := range b.taken() {
		b.t.Error(f)
	}
}

// taken are the faults noted since the last time.
func (b *tab) taken() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	faults := b.faults
	b.faults = nil
	return faults
}

// expect names a part of faults that the test brings about.
func (b *tab) expect(part string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected = append(b.expected, part)
}

func (b *tab) fault(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	text := fmt.Sprintf(format, args...)
	for _, part := range b.expected {
		if strings.Contains(text, part) {
			return
		}
	}
	b.faults = append(b.faults, text)
}

func (b *tab) note(ev any) {
	switch e := ev.(type) {
	case *log.EventEntryAdded:
		b.fault("%s of %s at %s: %s", e.Entry.Level, e.Entry.Source, e.Entry.URL, e.Entry.Text)
	case *runtime.EventExceptionThrown:
		b.fault("exception: %s %s", e.ExceptionDetails.Text, e.ExceptionDetails.Exception.Description)
	case *runtime.EventConsoleAPICalled:
		b.fault("the console was written to: %s", e.Type)
	case *page.EventJavascriptDialogOpening:
		b.fault("dialog %s: %s", e.Type, e.Message)
		go chromedp.Call(b.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: b.answer})
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; !strings.HasPrefix(u, b.origin+"/") && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "about:") {
			b.fault("request elsewhere: %s", u)
		}
	case *network.EventResponseReceived:
		b.mu.Lock()
		b.status[strings.TrimPrefix(e.Response.URL, b.origin)] = e.Response.Status
		b.mu.Unlock()
	}
}

// do does actions one after the other.
func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, steadytest.Patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// open goes to a page of the server and waits until it is loaded.
func (b *tab) open(path string) {
	b.t.Helper()
	if status := b.try(path); status != http.StatusOK {
		b.t.Fatalf("%s: status %d", path, status)
	}
}

// try goes to a page and returns its status; -1: it did not come.
func (b *tab) try(path string) int64 {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, steadytest.Patience)
	defer cancel()
	if strings.HasPrefix(path, "/") {
		path = b.origin + path
	}
	r, err := chromedp.Run(ctx, chromedp.NavigateResponse(path))
	if err != nil || r == nil {
		b.t.Errorf("go to %s: %v", path, err)
		return -1
	}
	return r.Status
}

// eval evaluates an expression in the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, steadytest.Patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("evaluate %.80q: %v", expression, err)
	}
	return v
}

// text is the visible text of the first element that a selector matches.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", selector))
}

// until waits until an expression is true; a page may be loaded meanwhile.
func (b *tab) until(what, expression string) {
	b.t.Helper()
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(b.ctx, steadytest.Patience)
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		cancel()
		if err == nil && ok {
			return
		}
		if time.Since(began) > steadytest.Patience {
			b.t.Fatalf("%s did not come about within %v (%v); the page is\n%.2000s", what, steadytest.Patience, err, b.text("body"))
		}
	}
}

// press presses keys, such as kb.Tab, and types texts. Each key is one event
// that brings its text along: what a page does when the key goes down decides
// whether that is typed, as with a real keyboard.
func (b *tab) press(keys string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, steadytest.Patience)
	defer cancel()
	for _, r := range keys {
		events := kb.Encode(r)
		down, up := *events[0], *events[len(events)-1]
		if down.Type = input.DispatchKeyEventTypeRawKeyDown; len(events) == 3 {
			down.Type, down.Text, down.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, events[1].Text, events[1].UnmodifiedText
		}
		for _, event := range []input.DispatchKeyEventParams{down, up} {
			if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, event); err != nil {
				b.t.Fatalf("press %q: %v", r, err)
			}
		}
	}
}

// focus moves the keyboard's focus by script, where getting there is not what
// is tested.
func (b *tab) focus(selector string) {
	b.t.Helper()
	if !eval[bool](b, fmt.Sprintf("(() => { const e = document.querySelector(%q); e?.focus(); return e !== null && document.activeElement === e })()", selector)) {
		b.t.Fatalf("%s can't be focused; the page is\n%.2000s", selector, b.text("body"))
	}
}

// width sets how wide the window is, in CSS pixels.
func (b *tab) width(px int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(px, 900))
}

// prefer sets what the person has chosen in their system.
func (b *tab) prefer(scheme, motion string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion}}})
	if err != nil {
		b.t.Fatal(err)
	}
}

// evaluate is an action that evaluates an expression for what it does.
func evaluate(expression string) chromedp.Action[chromedp.Void] {
	return chromedp.Evaluate[chromedp.Void](expression)
}

func itoa(n int) string { return strconv.Itoa(n) }

// statusOf is the status that a request for a path of the server was answered
// with.
func (b *tab) statusOf(path string) (status int64, came bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	status, came = b.status[path]
	return status, came
}
