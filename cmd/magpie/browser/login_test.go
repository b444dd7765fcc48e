package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestLogin gets in by the token and out again, by keyboard.
func TestLogin(t *testing.T) {
	needChromium(t)
	const token = "0123456789abcdef0123456789"
	site := newLamps(5, 0)
	defer site.Close()
	s := serving(t, map[string]string{"lamps.yaml": site.job("lamps", "")}, "MAGPIE_TOKEN="+token)
	b := newTab(t, s.url)
	b.open("/jobs/lamps")
	if at := eval[string](b, "location.pathname + location.search"); at != "/login?next=%2Fjobs%2Flamps" {
		t.Fatalf("without a session the job's page leads to %s", at)
	}
	b.auditLooks()
	b.auditTree("main")
	b.auditKeyboard()
	b.expect("status of 401")
	b.focus("#token")
	b.press("wrong wrong wrong" + kb.Enter)
	b.until("the refusal", "document.querySelector('#fault')?.innerText.includes('wrong')")
	b.audit("after a wrong token")
	b.screenshot("wrong")
	b.focus("#token")
	b.press(token + kb.Enter)
	b.until("the job's page", "location.pathname === '/jobs/lamps' && document.querySelector('h1').innerText === 'lamps'")
	if cookies := eval[string](b, "document.cookie"); strings.Contains(cookies, "session") || len(cookies) > 40 {
		t.Errorf("scripts can read the cookies %q", cookies)
	}
	b.focus("button[name=start]")
	b.press(kb.Enter)
	b.until("the notice that it is started", "document.querySelector('.notice.is-ok')")
	b.auditLooks()
	b.focus("form[action='/logout'] button")
	b.press(kb.Enter)
	b.until("the login", "location.pathname === '/login'")
	b.open("/")
	if at := eval[string](b, "location.pathname"); at != "/login" {
		t.Errorf("after logging out / leads to %s", at)
	}
}
