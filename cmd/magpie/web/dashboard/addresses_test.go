package dashboard

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestHostileAddresses asks each view for what nobody would, in each of its
// parameters: what comes is a page with nothing of it at work.
func TestHostileAddresses(t *testing.T) {
	s := newServed(t)
	for path, names := range map[string][]string{
		"/":                              {"q", "show", "sort", "desc", "page", "said"},
		"/new?":                          {"template"},
		"/jobs/lamps":                    {"before", "said"},
		"/jobs/lamps/live":               {"run"},
		"/jobs/lamps/records":            {"item", "sort", "desc", "col", "page", "after", "before"},
		"/jobs/lamps/records?f=name&v=x": {"op"},
		"/jobs/lamps/records?op=>":       {"f"},
		"/jobs/lamps/record?item=lamp":   {"key"},
		"/jobs/lamps/record?key=x":       {"item"},
		"/jobs/lamps/search":             {"q"},
		"/jobs/lamps/pages":              {"url", "state", "reason", "status", "host", "run", "after"},
		"/jobs/lamps/page?url=" + url.QueryEscape(s.shop.URL+"/p/5"): {"run", "show"},
		"/jobs/lamps/exports":                                            {"item"},
		"/jobs/lamps/exports/now?format=csv":                             {"item"},
		"/jobs/lamps/exports/now?item=lamp":                              {"format"},
		"/jobs/lamps/exports/now?item=lamp&format=csv&f=price&op=%3C":    {"v"},
		"/jobs/lamps/exports/now?item=lamp&format=csv&op=%3C&v=1&page=1": {"f"},
		"/jobs/lamps/runs/2/changes":                                     {"item", "kind", "page"},
		"/jobs/lamps/runs/2":                                             {"run"},
		"/nothing":                                                       {"x"},
	} {
		for _, name := range names {
			to := path + "?"
			if strings.Contains(path, "?") {
				to = path + "&"
			}
			t.Run(to+name, func(t *testing.T) {
				status, header, body := get(t, s.URL+to+url.Values{name: {hostile}}.Encode())
				if status >= http.StatusInternalServerError || header.Get("Content-Type") != "text/html; charset=utf-8" {
					t.Errorf("status %d, %v\n%s", status, header, body)
				}
				checkPage(t, body)
			})
		}
	}
	t.Run("a path", func(t *testing.T) {
		for _, path := range []string{"/%s", "/jobs/%s", "/jobs/lamps/runs/%s", "/jobs/lamps/exports/1/%s", "/jobs/lamps/exports/%s/x", "/jobs/%s/page/body?url=x"} {
			status, _, body := get(t, s.URL+fmt.Sprintf(path, url.PathEscape(hostile)))
			if status != http.StatusNotFound {
				t.Errorf("%s: status %d", path, status)
			}
			checkPage(t, body)
		}
	})
}
