package store

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Each filter finds what SQL finds.
func TestPagesFilters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	crawlSite(t, beginTest(t, db), 60, nil)
	for _, c := range []struct {
		name   string
		filter PageFilter
		where  string
	}{
		{"all", PageFilter{}, `1`},
		{"state", PageFilter{State: "failed"}, `u.state = 'failed'`},
		{"reason", PageFilter{Reason: "scope"}, `u.reason = 'scope'`},
		{"status", PageFilter{Status: 301}, `p.status = 301`},
		{"class of status", PageFilter{Status: 2}, `p.status BETWEEN 200 AND 299`},
		{"glob", PageFilter{URL: "*/p/1*"}, `u.url LIKE '%/p/1%'`},
		{"job and run", PageFilter{Job: "shop", Run: 1, State: "done"}, `u.state = 'done'`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for p, err := range db.Pages(t.Context(), c.filter) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, p.URL)
			}
			want := strings.Fields(dumpSQL(t, path,
				`SELECT u.url FROM urls u LEFT JOIN pages p ON p.url_id = u.id WHERE `+c.where+` ORDER BY u.id`))
			if len(want) == 0 || strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("got %q\nwant %q", got, want)
			}
		})
	}
	t.Run("limit", func(t *testing.T) {
		n := 0
		for range db.Pages(t.Context(), PageFilter{Limit: 3}) {
			n++
		}
		if n != 3 {
			t.Errorf("%d pages", n)
		}
	})
	t.Run("page and body", func(t *testing.T) {
		p, err := db.Page(t.Context(), "shop", siteURL(2), 0)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := db.Body(t.Context(), p.Response); err != nil || string(body) != "<title>1</title>" {
			t.Errorf("Body = %q, %v", body, err)
		}
		if _, err := db.Page(t.Context(), "shop", siteURL(1000), 0); !errors.Is(err, ErrNotFound) {
			t.Errorf("a URL not met: %v", err)
		}
	})
	t.Run("problems and rejects", func(t *testing.T) {
		counts, err := db.ProblemCounts(t.Context(), ProblemFilter{Job: "shop"})
		if err != nil {
			t.Fatal(err)
		}
		var n int64
		for _, c := range counts {
			n += c.Count
		}
		if want := strings.TrimSpace(dumpSQL(t, path, `SELECT count(*) FROM problems`)); strconv.FormatInt(n, 10) != want || n == 0 {
			t.Errorf("%d problems counted, want %s", n, want)
		}
		rejects := 0
		for _, err := range db.Rejects(t.Context(), ProblemFilter{}) {
			if err != nil {
				t.Fatal(err)
			}
			rejects++
		}
		if want := strings.TrimSpace(dumpSQL(t, path, `SELECT count(*) FROM rejects`)); strconv.Itoa(rejects) != want || rejects == 0 {
			t.Errorf("%d rejects, want %s", rejects, want)
		}
	})
}
