package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
)

// Each listing finds, page by page, what Pages finds.
func TestPagesPages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	other := testJob
	other.Name = "other"
	for _, job := range []crawl.Job{testJob, other, testJob} {
		run, err := db.Begin(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		crawlSite(t, run, 60, nil)
		if err := errors.Join(run.Finish(t.Context(), ""), run.Close()); err != nil {
			t.Fatal(err)
		}
	}
	execSQL(t, path, `UPDATE urls SET state = 'pending', not_before = 5 WHERE url = '`+siteURL(33)+`' AND job_id = 1`)
	for name, c := range map[string]struct {
		q     PagesQuery
		f     PageFilter
		keep  func(Page) bool
		least int
	}{
		"all":                      {PagesQuery{}, PageFilter{}, nil, 60},
		"of the first run":         {PagesQuery{Run: 1}, PageFilter{Run: 1}, nil, 50},
		"of the last run":          {PagesQuery{Run: 2}, PageFilter{Run: 2}, nil, 60},
		"failed":                   {PagesQuery{State: "failed"}, PageFilter{State: "failed"}, nil, 1},
		"failed in the last run":   {PagesQuery{Run: 2, State: "failed", Reason: "reset"}, PageFilter{Run: 2, State: "failed", Reason: "reset"}, nil, 1},
		"skipped in the last run":  {PagesQuery{Run: 2, State: "skipped", Reason: "scope"}, PageFilter{Run: 2, State: "skipped", Reason: "scope"}, nil, 5},
		"pending":                  {PagesQuery{State: "pending"}, PageFilter{State: "pending"}, nil, 1},
		"a reason":                 {PagesQuery{Reason: "scope"}, PageFilter{Reason: "scope"}, nil, 5},
		"a status":                 {PagesQuery{Status: 301}, PageFilter{Status: 301}, nil, 1},
		"a class, in a run before": {PagesQuery{Status: 2, Run: 1}, PageFilter{Status: 2, Run: 1}, nil, 20},
		"a host":                   {PagesQuery{Host: "other.test"}, PageFilter{}, func(p Page) bool { return p.Host == "other.test" }, 5},
		"a beginning":              {PagesQuery{Prefix: siteURL(1)}, PageFilter{}, func(p Page) bool { return strings.HasPrefix(p.URL, siteURL(1)) }, 11},
		"a part":                   {PagesQuery{Contains: "TEST/P/3"}, PageFilter{}, func(p Page) bool { return strings.Contains(p.URL, "test/p/3") }, 11},
		"no wildcard":              {PagesQuery{Contains: "test%p"}, PageFilter{}, func(Page) bool { return false }, 0},
		"two together":             {PagesQuery{Status: 200, Prefix: siteURL(1)}, PageFilter{Status: 200}, func(p Page) bool { return strings.HasPrefix(p.URL, siteURL(1)) }, 5},
	} {
		t.Run(name, func(t *testing.T) {
			c.f.Job, c.q.Job, c.q.Limit = "shop", "shop", 4
			var want, got []string
			text := func(p Page) string { return fmt.Sprint(p.URL, " ", p.Run, " ", StateName(p.State), " ", p.Reason) }
			for p, err := range db.Pages(t.Context(), c.f) {
				if err != nil {
					t.Fatal(err)
				}
				if c.keep == nil || c.keep(p) {
					want = append(want, text(p))
				}
			}
			if len(want) < c.least {
				t.Fatalf("Pages finds %d", len(want))
			}
			for {
				page, err := db.PagesPage(t.Context(), c.q)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range page.Pages {
					got = append(got, text(p))
				}
				if c.q.After = page.Next; page.Next == "" {
					break
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	for name, q := range map[string]PagesQuery{"job": {Job: "x"}, "run": {Job: "shop", Run: 9}} {
		if _, err := db.PagesPage(t.Context(), q); !errors.Is(err, ErrNotFound) {
			t.Errorf("an unknown %s: %v", name, err)
		}
	}
	for name, q := range map[string]PagesQuery{"state": {State: "lost"}, "cursor": {After: "x"}} {
		q.Job = "shop"
		if _, err := db.PagesPage(t.Context(), q); err == nil || errors.Is(err, ErrNotFound) {
			t.Errorf("an unknown %s: %v", name, err)
		}
	}
}

// What is rare is looked for page by page of the search, each bounded in time.
func TestPagesPagePartial(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	beginTest(t, db).Close()
	const n = 3 * pagesStep
	execSQL(t, path, fmt.Sprintf(`INSERT INTO urls (job_id, run_id, host_id, hash, url, kind, state, depth, redirects)
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT 1, 1, 1, CAST(i AS BLOB), 'https://shop.test/x/' || i, 'page', 'done', 1, 0 FROM n`, n))
	q := PagesQuery{Job: "shop", Contains: fmt.Sprint("x/", n), Within: 1}
	var seen int64
	var partial int
	var found []Page
	for {
		page, err := db.PagesPage(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		seen += page.Seen
		found = append(found, page.Pages...)
		if page.Partial {
			partial++
		}
		if q.After = page.Next; q.After == "" {
			break
		}
	}
	if partial < 2 || seen != n+1 || len(found) != 1 || found[0].URL != fmt.Sprint("https://shop.test/x/", n) {
		t.Errorf("%d parts, %d of %d looked at, found %v", partial, seen, n+1, found)
	}
}
