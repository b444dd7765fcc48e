package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// Two crawls of one host keep the delay between them, too.
func ExampleHosts() {
	var mu sync.Mutex
	var starts []time.Time
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		starts = append(starts, time.Now())
		mu.Unlock()
		fmt.Fprint(w, "<!doctype html><title>One page</title>")
	}))
	defer site.Close()
	db, err := store.OpenTemporary(store.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()

	began := time.Now()
	var hosts crawl.Hosts
	var crawls sync.WaitGroup
	for _, name := range []string{"morning", "evening"} {
		crawler, err := crawl.New(crawl.Options{
			Start:      []string{site.URL + "/" + name},
			Politeness: crawl.Politeness{Delay: 100 * time.Millisecond},
			Hosts:      &hosts,
		})
		if err != nil {
			fmt.Println(err)
			return
		}
		crawls.Go(func() {
			if _, err := crawler.Crawl(context.Background(), db, crawl.Job{Name: name}); err != nil {
				fmt.Println(err)
			}
		})
	}
	crawls.Wait()
	// Both ask for robots.txt and for a page: there are three delays.
	spread := starts[len(starts)-1].Sub(began)
	fmt.Println(len(starts), "requests, spread over three delays:", spread >= 300*time.Millisecond)
	// Output:
	// 4 requests, spread over three delays: true
}
