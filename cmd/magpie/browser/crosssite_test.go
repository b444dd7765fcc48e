package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestOtherSites lets pages of other origins reach for the dashboard: whatever
// they do is refused, but for a person who follows a link.
func TestOtherSites(t *testing.T) {
	needChromium(t)
	site := newLamps(5, 0)
	defer site.Close()
	s := serving(t, map[string]string{"lamps.yaml": site.job("lamps", "schedule: {cron: \"@daily\"}")})
	attacker := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>elsewhere</title><a href="%[1]s/?by=link">follow</a>
<form method=post action="%[1]s/act?by=form"><input name=start value=lamps><input name=back value="/"></form>`, s.url)
	}))
	defer attacker.Close()
	port := attacker.URL[strings.LastIndex(attacker.URL, ":"):]
	for name, from := range map[string]string{"another site": "http://attacker.localhost" + port, "another port": "http://127.0.0.1" + port} {
		t.Run(name, func(t *testing.T) {
			b := newTab(t, s.url)
			b.expect("") // the console is full of what is refused
			b.try(from + "/")
			out := eval[map[string]string](b, fmt.Sprintf(`(async () => {
				const to = %q, out = {};
				const attempt = async (name, f) => { try { out[name] = String(await f()) } catch (e) { out[name] = 'refused' } };
				const loaded = (name, e, src) => attempt(name, () => new Promise((yes, no) => { e.onload = () => yes('loaded'); e.onerror = no; e.src = to + src; document.body.append(e) }));
				await attempt('read', async () => (await fetch(to + '/?by=read', {credentials: 'include'})).text());
				await attempt('api', async () => (await fetch(to + '/api/v1/jobs?by=api')).text());
				await attempt('put', async () => (await fetch(to + '/api/v1/jobs/lamps?by=put', {method: 'PUT', body: 'x', headers: {'Content-Type': 'application/json'}})).text());
				await attempt('delete', async () => (await fetch(to + '/api/v1/jobs/lamps?by=delete', {method: 'DELETE'})).text());
				await attempt('blind', async () => (await fetch(to + '/act?by=blind', {method: 'POST', mode: 'no-cors', body: new URLSearchParams({start: 'lamps'})})).type);
				await attempt('blind start', async () => (await fetch(to + '/api/v1/jobs/lamps/start?by=blindstart', {method: 'POST', mode: 'no-cors', body: '{}'})).type);
				await loaded('script', document.createElement('script'), '/api/v1/jobs?by=script');
				await loaded('image', document.createElement('img'), '/static/magpie.svg?by=image');
				await attempt('events', () => new Promise((yes, no) => { const e = new EventSource(to + '/events?by=events'); e.onopen = yes; e.onerror = no }));
				const frame = document.createElement('iframe');
				frame.src = to + '/?by=frame';
				document.body.append(frame);
				await new Promise((yes) => { frame.onload = yes; setTimeout(yes, 2000) });
				await attempt('frame', () => frame.contentDocument?.querySelector('h1')?.innerText ?? 'refused');
				return out })()`, s.url))
			for what, got := range out {
				if got != "refused" && got != "opaque" {
					t.Errorf("%s: %.200s", what, got)
				}
			}
			for _, by := range []string{"/?by=read", "/api/v1/jobs?by=api", "/act?by=blind", "/api/v1/jobs/lamps/start?by=blindstart", "/api/v1/jobs?by=script", "/static/magpie.svg?by=image", "/events?by=events", "/?by=frame"} {
				if status, came := b.statusOf(by); came && status != http.StatusForbidden {
					t.Errorf("%s: status %d", by, status)
				}
			}
			b.do(evaluate("document.forms[0].submit()"))
			b.until("the refusal of the form", "location.search === '?by=form'")
			if status, _ := b.statusOf("/act?by=form"); status != http.StatusForbidden {
				t.Errorf("a form: status %d", status)
			}
			b.try(from + "/")
			b.focus("a")
			b.press("\r")
			b.until("the dashboard, by a link", "location.search === '?by=link' && document.querySelector('h1')?.innerText === 'Jobs'")
		})
	}
	t.Run("a name that leads here", func(t *testing.T) {
		b := newTab(t, s.url)
		b.expect("")
		u, err := url.Parse(s.url)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/", "/api/v1/jobs", "/metrics", "/static/app.css"} {
			if status := b.try("http://" + rebound + ":" + u.Port() + path); status != http.StatusMisdirectedRequest {
				t.Errorf("%s: status %d", path, status)
			}
		}
	})
	time.Sleep(200 * time.Millisecond)
	for run, err := range s.store(t).Runs(t.Context(), "lamps") {
		t.Errorf("run %d was started by another site, %v", run.Number, err)
	}
}
