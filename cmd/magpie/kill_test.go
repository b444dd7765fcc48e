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
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl/warc"
)

// things is a site of n pages with one record each, reachable from page 0 by
// links that form a tree, with links back besides.
func things(t *testing.T, n int, delay time.Duration) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
	}))
	t.Cleanup(s.Close)
	return s
}

// TestKilledCrawlLosesNothing kills the real program at random moments and
// runs the same command again, until the crawl is done.
func TestKilledCrawlLosesNothing(t *testing.T) {
	const n = 1000
	site := things(t, n, 10*time.Millisecond)
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

	kills := 0
	for kills < 8 {
		crawl := exec.Command(bin, "crawl", job, "--warc", "archive")
		crawl.Dir = dir
		if err := crawl.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- crawl.Wait() }()
		select {
		case <-done:
			t.Fatalf("the crawl ended after %d kills; it should take longer", kills)
		case <-time.After(time.Duration(30+random.IntN(90)) * time.Millisecond):
			if err := crawl.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			<-done
			kills++
		}
	}
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

// buildMagpie builds the program that users run.
func buildMagpie(t *testing.T) string {
	if testing.Short() {
		t.Skip("short: the program is built for this test, without the race detector if there is one")
	}
	bin := filepath.Join(t.TempDir(), "magpie")
	buildTo(t, bin)
	return bin
}

func buildTo(t testing.TB, bin string) {
	t.Helper()
	if out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}

// magpie runs the program and returns its standard output.
func magpie(t *testing.T, bin, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("magpie %s: %v\n%s", strings.Join(args, " "), err, errs.Bytes())
	}
	return out
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
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
