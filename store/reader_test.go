package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// TestReaderDuringWrites: another process that reads sees whole pages, those
// that were committed, and holds up nobody.
func TestReaderDuringWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "busy.db")
	run := beginTest(t, openTest(t, path))
	reader, err := OpenReadOnly(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	committed := 0
	crawlSite(t, run, 50, func(visits []*crawl.Visit) {
		for _, v := range visits {
			if v.State == crawl.Done {
				committed++
			}
		}
		seen := 0
		for p, err := range reader.Pages(t.Context(), PageFilter{State: "done"}) {
			if err != nil {
				t.Fatal(err)
			}
			if _, err := reader.Body(t.Context(), p.Response); err != nil {
				t.Error(err)
			}
			seen++
		}
		if seen != committed {
			t.Errorf("the reader sees %d pages, %d are committed", seen, committed)
		}
	})
	if committed == 0 {
		t.Error("nothing was committed")
	}
}

// TestPollingDuringWrites: dashboards that read all the time do not keep the
// write-ahead log from being begun anew.
func TestPollingDuringWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "busy.db")
	db := openTest(t, path)
	s := benchSite{n: 1 << 30, rand: rand.New(rand.NewPCG(1, 2))}
	job := benchJob
	for i := range 1000 {
		job.Seeds = append(job.Seeds, s.link(i, 0))
	}
	run, err := db.Begin(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var reading sync.WaitGroup
	var polls atomic.Int64
	for range 2 {
		reading.Go(func() {
			for ctx.Err() == nil {
				if err := poll(ctx, db); err != nil && ctx.Err() == nil {
					t.Error(err)
					return
				}
				polls.Add(1)
			}
		})
	}
	var largest, written int64
	for range 220 {
		due, _, err := run.Window(t.Context(), "shop.example", time.Now(), 64, nil)
		if err != nil || len(due) == 0 {
			t.Fatal(len(due), err)
		}
		batch := make([]*crawl.Visit, len(due))
		for i, q := range due {
			var n int
			fmt.Sscanf(q.URL, "https://shop.example/catalogue/product-%d/", &n)
			batch[i] = s.visit(n, q)
			written += int64(len(batch[i].Page.Body))
		}
		if _, err := run.Commit(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
		log, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		largest = max(largest, log.Size())
	}
	cancel()
	reading.Wait()
	all, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	// Commits write pages of the file several times over: a log that is never
	// begun anew is far larger than the file.
	if largest > 42<<20 || all.Size() < 25<<20 || polls.Load() < 20 {
		t.Errorf("a log of %d bytes beside a file of %d, after %d polls and %d bytes of pages", largest, all.Size(), polls.Load(), written)
	}
	t.Logf("a log of %d MB beside a file of %d MB, after %d polls", largest>>20, all.Size()>>20, polls.Load())
}

// poll reads what a dashboard shows of a job.
func poll(ctx context.Context, db *DB) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_, err := db.Overview(ctx, OverviewOptions{})
	_, err2 := db.RunDetail(ctx, "bench", 1)
	_, err3 := db.PagesPage(ctx, PagesQuery{Job: "bench", Contains: "nowhere", Within: 20 * time.Millisecond})
	_, err4 := db.RecordsPage(ctx, RecordsQuery{Job: "bench", Item: "product", Sort: "title"})
	return errors.Join(err, err2, err3, err4)
}
