package crawl

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/extract"
)

// Reread takes from a stored page what a crawl by the same options would.
func TestReread(t *testing.T) {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "page", Fields: []extract.Field{{Name: "title", CSS: "title"}}}}})
	if err != nil {
		t.Fatal(err)
	}
	const body = "<!DOCTYPE html><title>Tea</title>"
	for _, c := range []struct {
		name             string
		page             Page
		change           func(o *Options)
		records, rejects int
		err              string
	}{
		{name: "html", page: Page{ContentType: "text/html", Body: []byte(body)}, records: 1},
		{name: "a wrong content type", page: Page{ContentType: "TEXT/HTML ; charset", Body: []byte(body)}, records: 1},
		{name: "not HTML", page: Page{ContentType: "text/plain", Body: []byte(body)}},
		{name: "noindex", page: Page{ContentType: "text/html", Body: []byte(body), Header: http.Header{"X-Robots-Tag": {"noindex"}}}, records: 1},
		{name: "noindex obeyed", page: Page{ContentType: "text/html", Body: []byte(body), Header: http.Header{"X-Robots-Tag": {"noindex"}}},
			change: func(o *Options) { o.Politeness.Noindex = NoindexObey }},
		{name: "OnRecord rejects", page: Page{ContentType: "text/html", Body: []byte(body)}, rejects: 1,
			change: func(o *Options) { o.OnRecord = func(*extract.Record) error { return errors.New("no") } }},
		{name: "a panic", page: Page{ContentType: "text/html", Body: []byte(body)}, err: "panicked: oh",
			change: func(o *Options) { o.OnRecord = func(*extract.Record) error { panic("oh") } }},
		{name: "no items", page: Page{ContentType: "text/html", Body: []byte(body)}, change: func(o *Options) { o.Extractor = nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Start: []string{"https://tea.test/"}, Extractor: x}
			if c.change != nil {
				c.change(&o)
			}
			crawler, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			result, err := crawler.Reread("https://tea.test/1", &c.page)
			switch {
			case c.err == "" && err != nil, c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
				t.Errorf("error %v, want %q", err, c.err)
			case len(result.Records) != c.records || len(result.Rejects) != c.rejects:
				t.Errorf("%+v", result)
			}
		})
	}
}
