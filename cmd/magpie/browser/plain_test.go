package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestTheme chooses a theme against the system's: it is kept.
func TestTheme(t *testing.T) {
	f := folder(t)
	for _, scripts := range []string{"with scripts", "without scripts"} {
		t.Run(scripts, func(t *testing.T) {
			b := newTab(t, f.url)
			if scripts == "without scripts" {
				b.withoutScripts()
			}
			b.prefer("dark", "no-preference")
			b.open("/")
			ground := func() string {
				return eval[string](b, "getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(document.querySelector('h1')).color")
			}
			dark := ground()
			b.focus("form.theme button")
			b.press(kb.Enter)
			b.until("the light theme", "document.documentElement.dataset.theme === 'light' && document.querySelector('form.theme').innerText.includes('light') && document.cookie.includes('magpie_theme=light')")
			if ground() == dark {
				t.Errorf("the light theme is as dark as before: %s", dark)
			}
			b.open("/jobs/lamps")
			if theme := eval[string](b, "document.documentElement.dataset.theme"); theme != "light" || ground() == dark {
				t.Errorf("on the next page the theme is %s, its colours %s", theme, ground())
			}
		})
	}
}

// withoutScripts turns the scripts of pages off.
func (b *tab) withoutScripts() {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		b.t.Fatal(err)
	}
}

// TestWithoutScripts does by forms and links what scripts make convenient.
func TestWithoutScripts(t *testing.T) {
	f := folder(t)
	b := newTab(t, f.url)
	b.withoutScripts()
	b.open("/")
	if text := b.text("table.jobs"); !strings.Contains(text, "lamps") || !strings.Contains(text, "60") {
		t.Errorf("the overview has %s", text)
	}
	b.focus("#q")
	b.press("shop" + kb.Enter)
	b.until("the filtered overview", "location.search.includes('q=shop')")
	if text := b.text("table.jobs"); !strings.Contains(text, "shop") || strings.Contains(text, "lamps") {
		t.Errorf("filtered, the overview has %s", text)
	}
	b.open("/jobs/lamps/records")
	b.focus("a[rel=next]")
	b.press(kb.Enter)
	b.until("the next records", "location.search.includes('page=2') && document.querySelectorAll('table.records tbody tr').length > 5")
	b.open("/jobs/lamps/edit")
	b.focus("#source")
	b.do(evaluate("document.querySelector('#source').setSelectionRange(0, 0)"))
	b.press("x")
	b.focus(".pager button[value=check]")
	b.press(kb.Enter)
	b.until("the mistake", "document.querySelector('#checked')?.innerText.includes('xname')")
	b.audit("a mistake, without scripts")
	if source := eval[string](b, "document.querySelector('#source').value"); !strings.HasPrefix(source, "xname: lamps\n") {
		t.Errorf("the text is lost: %s", source)
	}
	b.open("/jobs/lamps/live")
	b.open("/jobs/lamps/runs/4")
}
