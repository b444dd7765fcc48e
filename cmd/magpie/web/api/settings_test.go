package api

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// testSettings has settings refused and taken up, and trial messages sent the
// ways that they and a job name.
func testSettings(s *server, t *testing.T) {
	await := func(what string, ok func(machine.Settings) bool) {
		t.Helper()
		for end := time.Now().Add(steadytest.Patience); ; time.Sleep(20 * time.Millisecond) {
			now := get[machine.Settings](s, t, "getSettings", "")
			if ok(now) {
				return
			} else if time.Now().After(end) {
				t.Fatalf("%s: %+v", what, now)
			}
		}
	}
	await("with a mistake", func(m machine.Settings) bool {
		return m.File == "serve.yaml" && strings.Contains(m.Fault, "serve.yaml:1:8: token must not stand in serve.yaml") && !strings.Contains(m.Fault, "very-secret")
	})
	s.refused(t, 404, "testNotify", "", "", nil)
	var mu sync.Mutex
	var got []string
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if got = append(got, string(text)); r.URL.Path == "/refuses" {
			http.Error(w, "no\x1b[2J", http.StatusForbidden)
		}
	}))
	defer hook.Close()
	s.write("serve.yaml", "notify: {webhook: \""+hook.URL+"/takes\", template: '{{.Subject}}'}\n")
	await("mended", func(m machine.Settings) bool { return m.Fault == "" && len(m.Notify) == 1 && m.Since != nil })
	s.ask(t, "putFile", "", "start: http://127.0.0.1:1/\nnotify: {webhook: \""+hook.URL+"/refuses\", template: '{{.Subject}}'}\n", nil, "told.yaml")

	s.refused(t, 400, "testNotify", "", `{"jop": "demo"}`, nil)
	s.refused(t, 404, "testNotify", "", `{"job": "nobody"}`, nil)
	s.refused(t, 409, "testNotify", "", `{"job": "wrong.yaml"}`, nil)
	if resp, text := s.ask(t, "testNotify", "", "", nil); resp.StatusCode != 200 || strings.Count(string(text), `"ok":`) != 2 ||
		!strings.Contains(string(text), `"jobs":["serve.yaml"],"ok":true`) || !strings.Contains(string(text), `"jobs":["told"],"ok":false,"error":"it answered 403 Forbidden: no`) {
		t.Errorf("%s: %s", resp.Status, text)
	}
	if slices.Sort(got); len(got) != 2 || got[0] != got[1] || !strings.Contains(got[0], "trial") {
		t.Errorf("sent %q", got)
	}
	resp, _ := s.ask(t, "testNotify", "", `{"job": "demo"}`, nil)
	if wait := resp.Header.Get("Retry-After"); resp.StatusCode != http.StatusTooManyRequests || wait != "3" || len(got) != 2 {
		t.Errorf("at once again: %s, to wait %q, sent %q", resp.Status, wait, got)
	}
}
