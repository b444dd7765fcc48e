package storetest

import (
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// testWindow looks at which requests come, and in what order.
func testWindow(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"requests are as the links were", func(t *testing.T, s crawl.Store) {
			j := job()
			j.Seeds = []crawl.Link{{URL: url("sitemap.xml?a=1&b=%20"), Host: host, Kind: crawl.SitemapKind, Depth: 3, Redirects: 2}}
			due := window(t, begin(t, s, j))
			if len(due) != 1 || due[0].ID == 0 {
				t.Fatalf("Window: %+v", due)
			}
			due[0].ID = 0
			same(t, "request", due[0], crawl.Request{
				URL: url("sitemap.xml?a=1&b=%20"), Host: host, Kind: crawl.SitemapKind, Depth: 3, Redirects: 2})
		}},
		{"the shallow go first, then the first met", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, fetched(t, r, "a", link("deep", 5), link("z", 2), link("b", 2), link("top", 1)))
			same(t, "pending", pending(t, r), []string{"top", "z", "b", "deep"})
		}},
		{"requests go by rank, then by depth", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			ranked := func(path string, depth, rank int) crawl.Link {
				l := link(path, depth)
				l.Rank = rank
				return l
			}
			commit(t, r, fetched(t, r, "a", ranked("last", 1, 7), ranked("second", 2, 5), ranked("first", 9, -5), ranked("third", 3, 5)))
			var order []string
			for _, q := range window(t, r) {
				order = append(order, q.URL)
			}
			same(t, "order", order, []string{url("first"), url("second"), url("third"), url("last")})
		}},
		{"an unknown host has none", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			due, next, err := r.Window(t.Context(), "nowhere.test", time.Now(), 5, nil)
			if err != nil || len(due) != 0 || !next.IsZero() {
				t.Errorf("Window: %+v, %v, %v", due, next, err)
			}
		}},
		{"hosts are apart, by port too", func(t *testing.T, s crawl.Store) {
			j := job("a")
			j.Seeds = append(j.Seeds, crawl.Link{URL: "https://site.test:8443/a", Host: "site.test:8443"})
			same(t, "pending", pending(t, begin(t, s, j)), []string{"a"})
		}},
		{"it claims nothing", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			same(t, "second window", window(t, r), window(t, r))
		}},
	})
}

// testWindowLimit asks for some of a host's requests.
func testWindowLimit(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"no more than the limit", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job(numbered("p%d", 9)...))
			due, _, err := r.Window(t.Context(), host, time.Now(), 4, nil)
			if err != nil || len(due) != 4 || due[0].URL != url("p0") || due[3].URL != url("p3") {
				t.Errorf("Window: %+v, %v", due, err)
			}
		}},
		{"those in flight are left out and others take their place", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job(numbered("p%d", 9)...))
			all := window(t, r)
			due, _, err := r.Window(t.Context(), host, time.Now(), 3, []int64{all[0].ID, all[2].ID, all[3].ID, all[8].ID})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "window", due, []crawl.Request{all[1], all[4], all[5]})
		}},
		{"a host of which all is in flight has none", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			all := window(t, r)
			due, next, err := r.Window(t.Context(), host, time.Now(), 5, []int64{all[0].ID, all[1].ID})
			if err != nil || len(due) != 0 || !next.IsZero() {
				t.Errorf("Window: %+v, %v, %v", due, next, err)
			}
		}},
		{"a limit that the due for another try fill", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b", "c"))
			now := time.Now()
			commit(t, r, retry(request(t, r, "b"), now.Add(-time.Hour)), retry(request(t, r, "c"), now.Add(-2*time.Hour)))
			due, _, err := r.Window(t.Context(), host, now, 2, nil)
			if err != nil || len(due) != 2 || due[0].URL != url("c") || due[1].URL != url("b") {
				t.Errorf("Window: %+v, %v", due, err)
			}
		}},
		{"many are read piece by piece, each once", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job(numbered("p%03d", 300)...))
			var got []string
			for {
				due, _, err := r.Window(t.Context(), host, time.Now(), 7, nil)
				if err != nil {
					t.Fatal(err)
				}
				if len(due) == 0 {
					break
				}
				got = append(got, paths(due)...)
				for _, q := range due {
					commit(t, r, &crawl.Visit{Request: q, State: crawl.Done})
				}
			}
			same(t, "order", got, numbered("p%03d", 300))
		}},
	})
}
