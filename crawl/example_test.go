package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

func Example() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, "<!DOCTYPE html><a href=/one>1</a> <a href=/two>2</a> <a href=https://elsewhere.example/>3</a>")
	}))
	defer site.Close()
	dir, err := os.MkdirTemp("", "magpie")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	db, err := store.Open(filepath.Join(dir, "crawl.db"), store.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()

	crawler, err := crawl.New(crawl.Options{Start: []string{site.URL + "/"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	summary, err := crawler.Crawl(context.Background(), db, crawl.Job{Name: "example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("pages:", summary.Run.Counters.Pages, "skipped:", summary.Run.Counters.Skipped)
	// Output:
	// pages: 3 skipped: map[scope:1]
}
