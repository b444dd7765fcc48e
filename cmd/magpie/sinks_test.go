package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/internal/harmless"
)

// hostile is text that would take over a terminal: an escape sequence, a C1
// control, a bidirectional override, a bell, and a tag character.
const hostile = "\x1b[31mred\u009b2J\u202Elive\a\U000E0041"

// hostileSite has hostile text wherever a page, a header or a robots.txt can.
func hostileSite(t *testing.T) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprintf(w, "User-agent: *\nDisallow: /private*%s$\nDisallow: /no # %[1]s\n", hostile)
			return
		case "/moved":
			h.Set("Location", "/to?\u202Eq=\u009b")
			w.WriteHeader(http.StatusFound)
			return
		case "/":
		default:
			w.WriteHeader(http.StatusNotFound)
		}
		h.Set("Content-Type", "text/html; charset=utf-8; x=\u202E")
		h.Set("X-Note", "\u202Eevil\u009b")
		fmt.Fprintf(w, "<!DOCTYPE html><title>%s</title><h1>%[1]s</h1><p class=price>%[1]s</p><p class=sku>%[1]s</p>", hostile)
		for _, ref := range []string{"/moved", "/lost?" + hostile, "http://[" + hostile, "/no", "https://x" + hostile + ".invalid/", "http://elsewhere.invalid/" + hostile} {
			fmt.Fprintf(w, "<a href=\"%s\">x</a>", ref)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// Whatever a site says, what the commands write can be given to a terminal.
func TestSinksAreHarmless(t *testing.T) {
	site := hostileSite(t)
	dir := t.TempDir()
	job := filepath.Join(dir, "job.yaml")
	write(t, job, `
name: hostile
start: `+site.URL+`/
retry: {times: 0}
items:
  thing:
    fields: {title: h1, price: {css: .price, as: price}}
  gone:
    fields: {sku: {css: .sku, as: integer, required: true}, title: title}
`)
	db := filepath.Join(dir, "hostile.db")
	evil := site.URL + "/" + hostile
	for _, args := range [][]string{
		{"crawl", job, "--log", "text", "--log-level", "debug"},
		{"crawl", job, "--log", "json", "--log-level", "debug"},
		{"crawl", job, "--json"},
		{"crawl", evil},
		{"crawl", "http://" + hostile + "/"},
		{"runs"}, {"runs", "--json"},
		{"health"}, {"health", "--json"}, {"health", "--job", hostile},
		{"status"}, {"status", "--json"}, {"status", hostile},
		{"pages"}, {"pages", "--json"}, {"pages", "--state", "failed"},
		{"pages", "--why", site.URL + "/"}, {"pages", "--why", site.URL + "/", "--json"},
		{"pages", "--why", site.URL + "/moved"}, {"pages", "--why", site.URL + "/no"},
		{"pages", "--why", "http://elsewhere.invalid/" + hostile},
		{"pages", "--why", evil}, {"pages", "--why", evil, "--json"}, {"pages", "--why", hostile},
		{"records"}, {"records", "--json"}, {"records", "--problems"}, {"records", "--problems", "--json"},
		{"records", "--rejects"}, {"records", "--rejects", "--json"}, {"records", "--item", hostile},
		{"extract", site.URL + "/", "--css", "title=h1", "--css", "n=.price|integer", "--format", "table"},
		{"parse", site.URL + "/", "--errors"}, {"parse", site.URL + "/", "--encoding"},
		{"check", job}, {hostile}, {"--" + hostile},
	} {
		t.Run(strings.ReplaceAll(strings.Join(args, " "), hostile, "HOSTILE"), func(t *testing.T) {
			var out, errs strings.Builder
			run(append(args, "--db", db), strings.NewReader(""), &out, &errs)
			if out.Len()+errs.Len() == 0 {
				t.Fatal("it wrote nothing")
			}
			for name, text := range map[string]string{"stdout": out.String(), "stderr": errs.String()} {
				for line := range strings.Lines(text) {
					if line = strings.TrimSuffix(line, "\n"); harmless.Text(line) != line {
						t.Errorf("%s has %q, which is not harmless", name, line)
					}
				}
			}
		})
	}
}
