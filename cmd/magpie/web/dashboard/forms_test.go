package dashboard

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestFiltersStay: a condition is what it was after the form is sent again, also
// where its value has characters that pages don't show.
func TestFiltersStay(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for i := range 2 * recordsShown {
			fmt.Fprintf(w, "<p><b>Lamp no. %d</b></p>", i)
		}
	}))
	defer site.Close()
	s := serveJobs(t, fmt.Sprintf("name: lamps\nstart: %s/\npoliteness: {robots: ignore}\nitems: {lamp: {each: p, key: [name], fields: {name: b}}}\n", site.URL))
	const value = "\u200fz\u202e"
	for path, want := range map[string]int{
		"/?q=%s": 1, "/jobs/lamps/records?f=name&op=<&v=%s": 2, "/jobs/lamps/search?q=%s": 1, "/jobs/lamps/pages?url=%s": 1, "/jobs/lamps/pages?host=%s": 1,
	} {
		t.Run(path, func(t *testing.T) {
			_, _, body := get(t, s.URL+fmt.Sprintf(path, url.QueryEscape(value+"\x1b")))
			checkPage(t, body)
			if n := strings.Count(body, `value="`+value+`"`); n != want {
				t.Errorf("the value stands in %d of %d forms\n%s", n, want, body)
			}
		})
	}
}

// TestLargeForms: forms that are too large are told as that.
func TestLargeForms(t *testing.T) {
	s := serveJobs(t)
	large := url.Values{"source": {strings.Repeat("x", maxForm)}}
	for _, path := range []string{"/jobs/never/edit", "/new", "/act", "/theme", "/jobs/never/trial"} {
		t.Run(path, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(large.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			answer := httptest.NewRecorder()
			s.Config.Handler.ServeHTTP(answer, r)
			if answer.Code != http.StatusRequestEntityTooLarge {
				t.Errorf("status %d\n%s", answer.Code, answer.Body)
			}
			checkPage(t, answer.Body.String())
		})
	}
}
