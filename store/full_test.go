package store

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// A database that cannot grow refuses a whole batch, names its file, stays
// intact, and goes on once there is room.
func TestFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	run := beginTest(t, db)
	due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 1, nil)
	if err != nil || len(due) != 1 {
		t.Fatalf("Window = %v, %v", due, err)
	}
	visit := siteVisit(60, due[0])
	visit.Page.Body = noise(1 << 20)
	// SQLite takes a number below the present size for the present size.
	if _, err := db.writer.conn.ExecContext(t.Context(), "PRAGMA max_page_count = 1"); err != nil {
		t.Fatal(err)
	}
	before := outcome(t, path)
	_, err = run.Commit(t.Context(), []*crawl.Visit{visit})
	if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "full") {
		t.Fatalf("error = %v, want one that says that %s is full", err, path)
	}
	checkInvariants(t, path)
	if outcome(t, path) != before {
		t.Error("something of the batch was stored")
	}
	if _, err := db.writer.conn.ExecContext(t.Context(), "PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	if out, err := run.Commit(t.Context(), []*crawl.Visit{visit}); err != nil || !out[0].Stored {
		t.Errorf("Commit with room = %+v, %v", out, err)
	}
	checkInvariants(t, path)
}

// noise is what does not compress.
func noise(n int) []byte {
	b := make([]byte, n)
	x := uint32(1)
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = byte(x)
	}
	return b
}
