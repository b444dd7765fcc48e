package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// A site of 40 pages whose template changes, with text that always does: the
// crawl of a URL, without a job file, tells of it.
func TestTemplateDrift(t *testing.T) {
	var visit, redesigned atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/" {
			for i := range 40 {
				fmt.Fprintf(w, "<a href=/shop/thing-%d>%[1]d</a> ", i)
			}
			return
		}
		n, class := visit.Add(1), ""
		if redesigned.Load() == 1 {
			class = "new-"
		}
		fmt.Fprintf(w, `<!DOCTYPE html><title>%d</title><header class="%[2]stop"><nav class="%[2]smenu"><ul class="%[2]slist"><li class="%[2]sentry">x</ul></nav></header>
			<main class="%[2]spage"><h1 class="%[2]stitle">%[3]s</h1><p class="%[2]sprice">%[1]d</p><div class="%[2]stext">`, n, class, r.URL.Path)
		for i := range n % 9 {
			fmt.Fprintf(w, `<p class="%sline">%d words</p>`, class, i)
		}
		if n%3 == 0 {
			fmt.Fprint(w, `<aside class=offer>Today only</aside>`)
		}
		fmt.Fprintf(w, `</div></main><footer class="%sbottom"><small class="%[1]slegal">x</small></footer>`, class)
	}))
	t.Cleanup(site.Close)
	args := []string{"crawl", site.URL + "/", "--name", "shop", "--db", filepath.Join(t.TempDir(), "magpie.db"), "--recrawl", "full", "--fail-on", "drift", "--log-level", "error"}
	for range 3 {
		if out, _ := crawls(t, 0, args); strings.Contains(out, "drift") {
			t.Fatalf("nothing has changed: %s", out)
		}
	}
	redesigned.Store(1)
	out, _ := crawls(t, exitIncomplete, args)
	if !strings.Contains(out, "drift     1 figure worse than usual\n") || !strings.Contains(out, "/shop/*: 40 pages are built otherwise than before") {
		t.Errorf("it does not tell: %s", out)
	}
}
