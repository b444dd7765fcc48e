package store

import (
	"context"
	"encoding/binary"
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
	const rounds, bodies, bodySize = 16, 20, 400 << 10 // thrice what the log may grow to
	body, n := noise(bodySize), 0
	grow := func() {
		n++
		binary.BigEndian.PutUint32(body, uint32(n))
		err := db.writer.transact(t.Context(), func(tx *tx) error {
			return tx.exec(`INSERT INTO bodies (hash, size, codec, data) VALUES (?, 0, 'none', ?)`, []byte(fmt.Sprint(n)), body)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var largest int64
	for range rounds {
		due, _, err := run.Window(t.Context(), "shop.example", time.Now(), 64, nil)
		if err != nil || len(due) == 0 {
			t.Fatal(len(due), err)
		}
		batch := make([]*crawl.Visit, len(due))
		for i, q := range due {
			var n int
			fmt.Sscanf(q.URL, "https://shop.example/catalogue/product-%d/", &n)
			batch[i] = s.visit(n, q)
		}
		if _, err := run.Commit(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
		for range bodies {
			grow()
			log, err := os.Stat(path + "-wal")
			if err != nil {
				t.Fatal(err)
			}
			largest = max(largest, log.Size())
		}
	}
	cancel()
	reading.Wait()
	if most := int64(rounds*bodies*bodySize) / 2; largest > most || polls.Load() == 0 {
		t.Errorf("a log of %d bytes, want at most %d, after %d polls", largest, most, polls.Load())
	}
	t.Logf("a log of %d MB, %d MB of bodies, %d polls", largest>>20, rounds*bodies*bodySize>>20, polls.Load())
}

// poll reads what a dashboard shows of a job.
func poll(ctx context.Context, db *DB) error {
	_, err := db.Overview(ctx, OverviewOptions{})
	_, err2 := db.RunDetail(ctx, "bench", 1)
	_, err3 := db.PagesPage(ctx, PagesQuery{Job: "bench", Contains: "nowhere", Within: 20 * time.Millisecond})
	_, err4 := db.RecordsPage(ctx, RecordsQuery{Job: "bench", Item: "product", Sort: "title", Within: time.Minute})
	return errors.Join(err, err2, err3, err4)
}
