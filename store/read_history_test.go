package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestURLHistory(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	for range 2 {
		run := beginTest(t, db)
		crawlSite(t, run, 60, nil)
		if err := run.Finish(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		run.Close()
	}
	pages, err := db.History(t.Context(), "shop", siteURL(2))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range pages {
		got = append(got, fmt.Sprintf("%d %s %d", p.Run, StateName(p.State), p.Response.Status))
	}
	if diff := cmp.Diff([]string{"1 done 200", "2 done 200"}, got); diff != "" {
		t.Error(diff)
	}
	if pages, err := db.History(t.Context(), "shop", siteURL(1000)); err != nil || len(pages) != 0 {
		t.Errorf("of a URL not met: %v, %v", pages, err)
	}
	if _, err := db.History(t.Context(), "x", siteURL(1)); !errors.Is(err, ErrNotFound) {
		t.Errorf("of a job that is not there: %v", err)
	}
	trail, err := db.Trail(t.Context(), "shop", siteURL(12))
	if err != nil || len(trail) == 0 || trail[len(trail)-1] != siteURL(0) {
		t.Errorf("Trail = %v, %v, want it to end at the start", trail, err)
	}
	if trail, err := db.Trail(t.Context(), "shop", siteURL(0)); err != nil || len(trail) != 0 {
		t.Errorf("Trail of the start = %v, %v", trail, err)
	}
	if starts, err := db.Starts(t.Context(), "shop", 10); err != nil || !cmp.Equal(starts, []string{siteURL(0)}) {
		t.Errorf("Starts = %v, %v", starts, err)
	}
}
