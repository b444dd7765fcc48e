package store

import (
	"path/filepath"
	"testing"

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
