package alert

import (
	"strings"
	"testing"
	"time"
)

// TestWebhook looks at what a webhook is sent.
func TestWebhook(t *testing.T) {
	t.Run("template and headers", func(t *testing.T) {
		hook := newReceiver(t)
		t.Setenv("TOKEN", "geheim")
		d := newDesk(t, hooked(hook, `, group: 0s, headers: {Authorization: "Bearer ${TOKEN}"}, template: '{"text": {{json .Text}}, "jobs": {{json .Jobs}}}'`))
		d.ends(d.job("books", "", ""), `a "quote" and <b>`, 0)
		d.pass(time.Minute)
		m := hook.take()[0]
		if want := `{"text": "books failed: a \"quote\" and \u003cb\u003e\n  2026-03-01 00:00 UTC\n  https://magpie.example/jobs/books\n", "jobs": ["books"]}`; m.body != want {
			t.Errorf("%s, want %s", m.body, want)
		}
		if m.header.Get("Content-Type") != "application/json" || m.header.Get("Authorization") != "Bearer geheim" {
			t.Errorf("%v", m.header)
		}
	})
	t.Run("a template of plain text", func(t *testing.T) {
		hook, d := hookedDesk(t, `, group: 0s, template: '{{.Subject}}!'`)
		d.ends(d.job("books", "", ""), "no", 0)
		d.pass(time.Minute)
		if m := hook.take()[0]; m.body != "books failed!" || m.header.Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("%s, %v", m.body, m.header)
		}
	})
	t.Run("what the URL holds is not told", func(t *testing.T) {
		hook := newReceiver(t)
		t.Setenv("HOOK_PATH", "geheim")
		settings := strings.Replace(hooked(hook, ", group: 0s"), hook.URL, hook.URL+"/${HOOK_PATH}", 1)
		d := newDesk(t, settings)
		hook.Close()
		d.ends(d.job("books", "", ""), "no", 0)
		d.pass(time.Minute)
		if pending, err := d.pending(); err != nil || len(pending) != 1 || !strings.Contains(pending[0].Error, "refused") || strings.Contains(pending[0].Error+pending[0].Name+pending[0].Channel, "geheim") {
			t.Errorf("%+v, %v", pending, err)
		}
	})
}
