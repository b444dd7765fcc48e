package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl/warc"
)

// things is a site of n pages with one record each, reachable from page 0 by
// links that form a tree, with links back besides.
func things(t *testing.T, n int, delay time.Duration) *httptest.Server {
	s := httptest.NewServer(thingsHandler(n, delay))
	t.Cleanup(s.Close)
	return s
}

func thingsHandler(n int, delay time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil || i >= n {
			http.NotFound(w, r)
			return
		}
		time.Sleep(delay)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!DOCTYPE html><title>%d</title><h1>Thing %d</h1><p class=price>£%d.50</p>", i, i, i)
		for j := 4*i + 1; j <= 4*i+4 && j < n; j++ {
			fmt.Fprintf(w, "<a href=/%d>%d</a> ", j, j)
		}
		fmt.Fprintf(w, "<a href=/%d>up</a> <a href=/%d>on</a>", i/4, (i+7)%n)
	})
}

// halting is a site of things that answers so many requests and lets others
// wait until it goes on, or they are given up.
type halting struct {
	*httptest.Server
	left   atomic.Int64
	goesOn chan struct{} // closed: for good
}

func newHalting(t *testing.T, n int, delay time.Duration) *halting {
	s := &halting{goesOn: make(chan struct{})}
	site := thingsHandler(n, delay)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.left.Add(-1) < 0 {
			select {
			case <-s.goesOn:
			case <-r.Context().Done():
				return
			}
		}
		site.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// halt has the site answer n more requests.
func (s *halting) halt(n int) { s.left.Store(int64(n)) }

// TestKilledCrawlLosesNothing kills the real program at random moments and
// runs the same command again, until the crawl is done.
func TestKilledCrawlLosesNothing(t *testing.T) {
	t.Parallel()
	const n, kills = 600, 8
	site := newHalting(t, n, 10*time.Millisecond)
	dir := t.TempDir()
	job := filepath.Join(dir, "things.yaml")
	write(t, job, `
start: `+site.URL+`/0
politeness: {per_host: 8}
items:
  thing:
    key: [title]
    fields:
      title: {css: h1, required: true}
      price: {css: .price, as: price}
`)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	bin := buildMagpie(t)

	for range kills {
		site.halt(n / (kills + 1)) // however slow it is to be killed, it does not come to its end
		crawl := exec.Command(bin, "crawl", job, "--warc", "archive")
		crawl.Dir = dir
		if err := crawl.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(30+random.IntN(90)) * time.Millisecond)
		if err := crawl.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		crawl.Wait()
	}
	close(site.goesOn)
	summary := magpie(t, bin, dir, "crawl", job, "--warc", "archive", "--json")
	var got struct {
		Run   int
		Pages int
	}
	if err := json.Unmarshal(summary, &got); err != nil {
		t.Fatalf("summary %s: %v", summary, err)
	}
	if got.Run != 1 || got.Pages != n {
		t.Errorf("run %d with %d pages, want run 1 with %d", got.Run, got.Pages, n)
	}

	checkArchive(t, filepath.Join(dir, "archive"), site.URL, n)

	seen := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(magpie(t, bin, dir, "export", "--item", "thing", "--format", "jsonl")))
	for lines.Scan() {
		var thing struct {
			Title string
			Price struct {
				Amount   json.Number
				Currency string
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &thing); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		seen[fmt.Sprintf("%s %s %s", thing.Title, thing.Price.Amount, thing.Price.Currency)]++
	}
	for i := range n {
		want := fmt.Sprintf("Thing %d %d.50 GBP", i, i)
		if seen[want] != 1 {
			t.Errorf("record %q is there %d times, want once", want, seen[want])
		}
		delete(seen, want)
	}
	for extra := range seen {
		t.Errorf("record %q should not be there", extra)
	}
}

// checkArchive checks that each of n pages has one response in the archives of a folder.
func checkArchive(t *testing.T, dir, site string, n int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.warc.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives in %s: %v", dir, err)
	}
	responses := map[string]int{}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for r := warc.NewReader(file); ; {
			rec, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if rec.Type() == warc.TypeResponse {
				responses[strings.TrimPrefix(rec.TargetURI(), site)]++
			}
		}
	}
	for i := range n {
		if path := fmt.Sprintf("/%d", i); responses[path] != 1 {
			t.Errorf("%s has %d responses in the archives, want 1", path, responses[path])
		}
	}
}
