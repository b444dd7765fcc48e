package browser

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
)

// figure is a tile's number on the live page.
const figure = `Number([...document.querySelectorAll('.tile')].find((t) => t.querySelector('.name').textContent === %NAME%)?.querySelector('.figure').innerText.replace(/\D/g, ''))`

func figureOf(name string) string { return strings.ReplaceAll(figure, "%NAME%", "'"+name+"'") }

// TestRunByKeyboard starts a job by keyboard, sees it run in the overview and
// on its live page, and stops it, without a mouse and without reloading.
func TestRunByKeyboard(t *testing.T) {
	needChromium(t)
	site := newLamps(4000, 20*time.Millisecond)
	defer site.Close()
	s := serving(t, map[string]string{"slow.yaml": site.job("slow", "schedule: {cron: \"@daily\"}")})
	b, watcher := newTab(t, s.url), newTab(t, s.url)
	watcher.open("/")
	b.open("/jobs/slow/live")
	if text := b.text("main"); !strings.Contains(text, "Nothing crawls this job now") {
		t.Errorf("before the run the live page says %q", text)
	}
	b.open("/jobs/slow")
	b.focus("button[name=start]")
	b.press(kb.Enter)
	b.until("the notice that it is started", "document.querySelector('.notice.is-ok')?.innerText.includes('started')")

	t.Run("the overview tells of it by itself", func(t *testing.T) {
		watcher.t = t
		watcher.until("the word Running", "document.querySelector('table.jobs').innerText.includes('Running')")
		watcher.until("the button Stop", "document.querySelector('button[name=stop]')")
	})
	b.open("/jobs/slow/live")
	b.until("figures", "document.querySelector('[data-fragment=figures]')")
	t.Run("figures change", func(t *testing.T) {
		b.t = t
		b.until("a live stream", "document.querySelector('[data-live-status]').innerText.startsWith('Live')")
		before := eval[int](b, figureOf("Pages"))
		b.do(evaluate("window.unloaded = false; document.querySelector('button[name=stop]').focus()"))
		b.until("more pages", figureOf("Pages")+" > "+itoa(before+20))
		b.until("a rate", figureOf("Pages a second")+" > 0 && "+figureOf("Queue")+" > 0")
		b.until("the site's host", "document.querySelector('[data-fragment=hosts]').innerText.includes('"+strings.TrimPrefix(site.URL, "http://")+"')")
		b.until("answers by status", "document.querySelector('[data-fragment=classes]').innerText.includes('200')")
		if !eval[bool](b, "window.unloaded === false && document.activeElement.name === 'stop'") {
			t.Error("the page was loaded anew, or the focus moved")
		}
	})
	t.Run("looks", func(t *testing.T) {
		b.t = t
		b.auditLooks()
		b.auditTree(landmarks...)
		b.auditMotion()
	})
	b.t = t
	t.Run("stop", func(t *testing.T) {
		b.t = t
		b.focus("button[name=stop]")
		b.press(" ")
		b.until("the end", "document.querySelector('main').innerText.includes('Nothing crawls this job now')")
		b.until("the live page of no run", "document.querySelector('[data-live]')")
		run, err := s.store(t).Run(t.Context(), "slow", 1)
		if err != nil || run.Counters.Pages == 0 || run.Pending == 0 {
			t.Errorf("the stopped run is %+v, %v", run, err)
		}
	})
	b.t = t
	t.Run("pause and resume", func(t *testing.T) {
		watcher.t = t
		watcher.until("the button Pause", "document.querySelector('button[name=pause]') && document.querySelector('button[name=start]')")
		for _, w := range []struct{ button, then, word string }{{"pause", "resume", "paused"}, {"resume", "pause", "on again"}} {
			watcher.focus("button[name=" + w.button + "]")
			watcher.press(kb.Enter)
			watcher.until("the button "+w.then, "document.querySelector('button[name="+w.then+"]')")
			if text := watcher.text(".notice"); !strings.Contains(text, w.word) {
				t.Errorf("after %s the page says %q", w.button, text)
			}
		}
		watcher.t = t
	})
	watcher.t = t
}

// TestRunEndsLive watches a run to its end: the live page says so by itself.
func TestRunEndsLive(t *testing.T) {
	needChromium(t)
	site := newLamps(30, 0)
	site.gate = make(chan struct{})
	defer site.Close()
	goOn := sync.OnceFunc(func() { close(site.gate) })
	defer goOn()
	s := serving(t, map[string]string{"short.yaml": site.job("short", "")})
	b := newTab(t, s.url)
	b.open("/jobs/short/live")
	b.do(evaluate("window.before = true"))
	starter := newTab(t, s.url)
	starter.open("/jobs/short")
	starter.focus("button[name=start]")
	starter.press(kb.Enter)
	b.until("figures, when the run begins", "!window.before && document.querySelector('[data-fragment=figures]')")
	goOn()
	b.until("the word of the end", "document.querySelector('main').innerText.includes('Nothing crawls this job now')")
	if link := eval[string](b, "document.querySelector('main .notice a').getAttribute('href')"); link != "/jobs/short/runs/1" {
		t.Errorf("the page leads to %q", link)
	}
	b.open("/jobs/short/runs/1")
	if text := b.text(".head"); !strings.Contains(text, "Finished") {
		t.Errorf("the run's page says %q", text)
	}
}
