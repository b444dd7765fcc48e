package main

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/magpie-crawl/magpie/cmd/magpie/demo"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// TestDemoGoesOn holds that a demo that is interrupted again and again comes to
// a good end: the shop's faults, new in each process, do not use up the tries of
// a page.
func TestDemoGoesOn(t *testing.T) {
	db, err := store.Open(filepath.Join(t.TempDir(), "demo.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	answer := func(t *testing.T) int {
		site := demo.New()
		if err := calmFor(t.Context(), site, db, "demo"); err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(site)
		defer server.Close()
		resp, err := server.Client().Get(server.URL + "/pl/")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	// crawlDemo crawls the shop, until the first page when it is to be interrupted.
	crawlDemo := func(t *testing.T, interrupted bool) {
		site := demo.New()
		site.Calm()
		server := httptest.NewServer(site)
		defer server.Close()
		job, err := config.Parse("demo.yaml", []byte(demo.JobAt(server.URL+"/")))
		if err != nil {
			t.Fatal(err)
		}
		var crawler *crawl.Crawler
		options := job.Options
		options.OnVisit = func(*crawl.Visit) {
			if interrupted {
				crawler.Stop()
			}
		}
		if crawler, err = crawl.New(options); err != nil {
			t.Fatal(err)
		}
		result, err := crawler.Crawl(t.Context(), db, crawl.Job{Name: job.Name, Fresh: true})
		if err != nil {
			t.Fatal(err)
		}
		if result.Finished == interrupted {
			t.Fatalf("finished: %t", result.Finished)
		}
	}
	for _, tt := range []struct {
		name   string
		before func(*testing.T)
		want   int
	}{
		{"first", func(*testing.T) {}, http.StatusServiceUnavailable},
		{"interrupted", func(t *testing.T) { crawlDemo(t, true) }, http.StatusOK},
		{"finished", func(t *testing.T) { crawlDemo(t, false) }, http.StatusServiceUnavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.before(t)
			if got := answer(t); got != tt.want {
				t.Errorf("the first answer is %d, want %d", got, tt.want)
			}
		})
	}
}
