package crawl_test

import (
	"fmt"
	"net/http"
	"testing"
)

// TestCanonical stores the address that a page gives itself, and follows it.
func TestCanonical(t *testing.T) {
	s, db := newSite(t), openStore(t)
	for path, head := range map[string]string{
		"/":      `<link rel=canonical href=/home>`,
		"/home":  `<link rel=canonical href=/home>`,
		"/plain": ``,
		"/based": `<base href=/x/><link rel="shortlink canonical" href=y>`,
	} {
		s.pages[path] = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<title>t</title>%s<h1>x</h1><a href=/plain>a</a><a href=/based>b</a>", head)
		}
	}
	s.page("/x/y")
	run(t, db, quick(t, s, nil))
	for path, want := range map[string]string{"/": s.URL + "/home", "/home": "", "/plain": "", "/based": s.URL + "/x/y", "/x/y": ""} {
		t.Run(path, func(t *testing.T) {
			p, err := db.Page(t.Context(), "test", s.URL+path, 0)
			if err != nil {
				t.Fatal(err)
			}
			if p.Response == nil || p.Response.Canonical != want {
				t.Errorf("%+v, want the canonical address %q", p.Response, want)
			}
		})
	}
}
