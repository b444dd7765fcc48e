package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// TestEditor writes a job file as people do.
func TestEditor(t *testing.T) {
	needChromium(t)
	site := newLamps(5, 0)
	defer site.Close()
	s := serving(t, map[string]string{"lamps.yaml": site.job("lamps", "")})
	b := newTab(t, s.url)
	b.open("/jobs/lamps/edit")

	t.Run("a mistake is shown while one types", func(t *testing.T) {
		b.t = t
		if text := b.text("#checked"); !strings.Contains(text, "No mistakes") {
			t.Errorf("at first it says %q", text)
		}
		b.focus("#source")
		b.do(evaluate("{ const e = document.querySelector('#source'); e.setSelectionRange(e.value.indexOf('retry'), e.value.indexOf('retry')) }"))
		b.press("x")
		b.until("the mistake", "document.querySelector('#checked').innerText.includes('xretry')")
		if got := eval[string](b, "[...document.querySelectorAll('.editor-rows .wrong')].map((e) => e.innerText).join()"); got != "4" {
			t.Errorf("lines %q are marked, want 4", got)
		}
		b.audit("with a mistake")
		b.screenshot("mistake")
		b.focus("#checked a")
		b.press(kb.Enter)
		if got := eval[string](b, "(() => { const e = document.activeElement; return e.id + ' ' + e.value.slice(e.selectionStart, e.selectionStart + 6) })()"); got != "source xretry" {
			t.Errorf("the mistake's link leads to %q", got)
		}
		b.press(kb.Delete)
		b.until("no mistakes", "document.querySelector('#checked').innerText.includes('No mistakes')")
	})
	t.Run("try on a page", func(t *testing.T) {
		b.t = t
		b.focus("#page")
		b.do(evaluate("document.querySelector('#page').select()"))
		b.focus("#page")
		b.press(site.URL + "/lamp/2")
		b.press(kb.Enter)
		b.until("the record", "document.querySelector('[data-part=tried]').innerText.includes('12.50 GBP')")
		b.do(evaluate("document.querySelector('[data-part=tried] details').open = true"))
		if text := b.text("[data-part=tried]"); !strings.Contains(text, "Lamp no. 2") || !strings.Contains(text, ".price") {
			t.Errorf("tried: %s", text)
		}
		b.auditLooks()
	})
	t.Run("save", func(t *testing.T) {
		b.t = t
		b.focus("#source")
		b.do(evaluate("{ const e = document.querySelector('#source'); e.setSelectionRange(0, 0) }"))
		b.press("schedule: {cron: '@hourly'}\r")
		b.focus(".pager button[value=save]")
		b.press(kb.Enter)
		b.until("the daemon's next run", "!document.querySelector('#source') || document.querySelector('.notice[role=status]')")
		source, err := os.ReadFile(filepath.Join(s.dir, "jobs", "lamps.yaml"))
		if err != nil || !strings.HasPrefix(string(source), "schedule: {cron: '@hourly'}\n") {
			t.Errorf("the file is %q, %v", source, err)
		}
		b.open("/jobs/lamps")
		b.until("the schedule", "document.querySelector('#h-schedule') || (location.reload(), false)")
		if text := b.text("main"); !strings.Contains(text, "@hourly") {
			t.Errorf("the job's page says %s", text)
		}
	})
	t.Run("a file that changed meanwhile is not overwritten", func(t *testing.T) {
		b.t = t
		b.open("/jobs/lamps/edit")
		if err := s.write("lamps.yaml", site.job("lamps", "# theirs")); err != nil {
			t.Fatal(err)
		}
		b.focus("#source")
		b.press("#")
		b.expect("status of 409")
		b.focus(".pager button[value=save]")
		b.press(kb.Enter)
		b.until("the trouble", "document.querySelector('.notice.is-bad')?.innerText.includes('# theirs')")
		if eval[string](b, "document.querySelector('#source').value")[0] != '#' {
			t.Error("what was typed is lost")
		}
		b.audit("with trouble")
	})
	t.Run("a new job", func(t *testing.T) {
		b.t = t
		b.answer = true // leave what was typed
		b.expect("dialog beforeunload")
		b.open("/new")
		b.focus("#draft")
		b.press(site.URL + "/lamp/1")
		b.press(kb.Enter)
		b.until("a draft", "document.querySelector('#source')?.value.includes('start:')")
		b.focus("#source")
		b.do(evaluate("document.querySelector('#source').select()"))
		b.press(strings.ReplaceAll(fmt.Sprintf("name: second\nstart: [%s/]\n", site.URL), "\n", "\r"))
		b.focus("#file")
		b.do(evaluate("document.querySelector('#file').select()"))
		b.press("second.yaml")
		b.focus(".pager button[value=save]")
		b.press(kb.Enter)
		b.until("the job", "location.pathname.startsWith('/jobs/second')")
		steadytest.Await(t, "the new job", func() bool { return b.try("/jobs/second") == 200 })
	})
	b.t = t
}
