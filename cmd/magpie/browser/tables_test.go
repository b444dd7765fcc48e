package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// TestTables filters, sorts and turns pages, by keyboard.
func TestTables(t *testing.T) {
	f := folder(t)
	b := newTab(t, f.url)
	first := "document.querySelector('table.records tbody tr')"
	t.Run("filter records", func(t *testing.T) {
		b.t = t
		b.open("/jobs/lamps/records")
		b.do(chromedp.SetValue("#f0", "maker"), chromedp.SetValue("#op0", "="))
		b.focus("#v0")
		b.press("Maker 2")
		b.press(kb.Enter)
		b.until("the filter", "location.search.includes('Maker') && "+first)
		got := eval[[]string](b, "[...document.querySelectorAll('table.records tbody tr')].map((r) => r.innerText)")
		for _, row := range got {
			if !strings.Contains(row, "Maker 2") {
				t.Errorf("row %q", row)
			}
		}
		if text := b.text("#h-list"); !strings.HasPrefix(text, fmt.Sprint(len(got))+" ") {
			t.Errorf("%d rows, but it says %q", len(got), text)
		}
	})
	t.Run("sort records", func(t *testing.T) {
		b.t = t
		b.open("/jobs/lamps/records")
		b.do(chromedp.SetValue("#sort", "price"), chromedp.SetValue("#desc", "1"))
		b.focus("form.records-form button")
		b.press(kb.Enter)
		b.until("the dearest lamp", "location.search.includes('price') && "+first+"?.innerText.includes('Lamp no. 59')")
		if got := eval[string](b, "document.querySelector('th[aria-sort]').innerText"); !strings.Contains(got, "price") {
			t.Errorf("sorted by %q", got)
		}
	})
	t.Run("turn pages", func(t *testing.T) {
		b.t = t
		b.open("/jobs/lamps/records")
		was := eval[string](b, first+".innerText")
		b.focus("a[rel=next]")
		b.press(kb.Enter)
		b.until("the second page", first+" && "+first+".innerText !== "+fmt.Sprintf("%q", was)+".replace(/\\\\t/g, '\\t')")
		b.focus("a[rel=prev]")
		b.press(kb.Enter)
		b.until("the first page", first+"?.innerText.includes('Lamp no. 0')")
	})
	t.Run("filter pages", func(t *testing.T) {
		b.t = t
		b.open("/jobs/lamps/runs/4")
		b.focus("a[href*='reason=http-404']")
		b.press(kb.Enter)
		b.until("the pages", "location.pathname.endsWith('/pages') && document.querySelector('tbody tr')")
		for _, row := range eval[[]string](b, "[...document.querySelectorAll('tbody tr')].map((r) => r.innerText)") {
			if !strings.Contains(row, "404") {
				t.Errorf("row %q", row)
			}
		}
	})
	t.Run("filter jobs", func(t *testing.T) {
		b.t = t
		b.open("/")
		b.focus("#show")
		b.press("w") // With problems; a script sends the form
		b.until("the problems", "location.search.includes('problems') && document.querySelector('table.jobs')?.innerText.includes('wrong')")
		if text := b.text("table.jobs"); strings.Contains(text, "slow") {
			t.Errorf("problems: %s", text)
		}
	})
	b.t = t
}

// TestDownloads saves an export and a stored body.
func TestDownloads(t *testing.T) {
	f := folder(t)
	b := newTab(t, f.url)
	b.open("/jobs/lamps/exports")
	dir := t.TempDir()
	if _, err := chromedp.CallBrowser(b.ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID, DownloadPath: dir}); err != nil {
		t.Fatal(err)
	}
	for _, d := range []struct{ name, page, control, pattern, has string }{
		{"a file of the job's", "/jobs/lamps/exports", "a[href$='lamps.csv']", "lamps.csv", "Lamp no. 7"},
		{"export now", "/jobs/lamps/exports", "main form button", "lamp-*.csv", "Lamp no. 7"},
		{"found records", "/jobs/lamps/records?f=maker&op=%3D&v=Maker+1", "a[href*=jsonl]", "lamp-*.jsonl", `"maker":"Maker 1"`},
		{"a stored body", "/jobs/lamps/page?url=" + f.lamps.URL + "/lamp/7", "a[href*='/page/body']", "*7*", "<h1>Lamp no. 7</h1>"},
	} {
		t.Run(d.name, func(t *testing.T) {
			b.t = t
			b.open(d.page)
			b.focus(d.control)
			b.press(kb.Enter)
			steadytest.Await(t, "a file with "+d.has, func() bool {
				files, _ := filepath.Glob(filepath.Join(dir, d.pattern))
				if len(files) != 1 {
					return false
				}
				text, _ := os.ReadFile(files[0])
				return strings.Contains(string(text), d.has)
			})
			if at := eval[string](b, "location.pathname + location.search"); !strings.HasPrefix(d.page, at) && at != d.page {
				t.Errorf("the page left for %s", at)
			}
		})
	}
	b.t = t
}
