package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// TestKilledCrawlKeepsItsPromises kills the real program after a host asked to
// be left alone, and runs the same command again.
func TestKilledCrawlKeepsItsPromises(t *testing.T) {
	t.Parallel()
	const pause = 3 * time.Second
	var mu sync.Mutex
	var refused, back time.Time // the refusal, and the first request after it
	asked := map[string]int{}
	killed := false
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if !refused.IsZero() && !killed {
			mu.Unlock()
			<-r.Context().Done() // the kill comes late
			mu.Lock()
			return
		}
		asked[r.URL.Path]++
		switch {
		case r.URL.Path == "/busy" && refused.IsZero():
			refused = time.Now()
			w.Header().Set("Retry-After", "3")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		case !refused.IsZero() && back.IsZero():
			back = time.Now()
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<a href=/busy>1</a><a href=/calm>2</a>")
	}))
	t.Cleanup(site.Close)
	dir, bin := t.TempDir(), buildMagpie(t)
	args := []string{"crawl", site.URL + "/", "--name", "site", "--per-host", "1"}

	crawl := exec.Command(bin, args...)
	crawl.Dir = dir
	if err := crawl.Start(); err != nil {
		t.Fatal(err)
	}
	waitForPause(t, filepath.Join(dir, defaultDB), site.URL+"/busy")
	if err := crawl.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	crawl.Wait()
	mu.Lock()
	killed = true
	mu.Unlock()
	magpie(t, bin, dir, args...)

	mu.Lock()
	defer mu.Unlock()
	if waited := back.Sub(refused); refused.IsZero() || waited < pause {
		t.Errorf("the host was asked again %v after it wanted to be left alone for %v", waited, pause)
	}
	if asked["/robots.txt"] != 1 || asked["/"] != 1 || asked["/busy"] != 2 || asked["/calm"] != 1 {
		t.Errorf("requests: %v, want one each and two of /busy", asked)
	}
}

// waitForPause waits until a database knows that a URL's host is to be left
// alone.
func waitForPause(t *testing.T, path, url string) {
	t.Helper()
	began := time.Now()
	steadytest.Await(t, "the refusal, in the database,", func() bool {
		db, err := store.OpenReadOnly(path, store.Options{})
		if err != nil {
			return false // not there yet
		}
		defer db.Close()
		m, err := db.Memory(t.Context(), "site", url)
		return err == nil && m.Host.NotBefore.After(began)
	})
}
