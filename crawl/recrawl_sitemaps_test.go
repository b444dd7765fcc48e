package crawl

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl/sitemap"
	"github.com/magpie-crawl/magpie/weburl"
)

func TestPagesWaitForSitemaps(t *testing.T) {
	now := time.Now()
	sitemap := Request{ID: 100, Kind: SitemapKind}
	again := Request{ID: 100, Kind: SitemapKind, Attempts: 1}
	rests := func(id int64) Request { return Request{ID: id, Past: &Revisit{}} }
	due := func(id int64) Request { return Request{ID: id} }
	for _, c := range []struct {
		name   string
		inHand *Request
		window []Request
		change func(s *scheduler, h *host)
		after  time.Duration
		first  int64 // of the window; 0: all wait
	}{
		{name: "no sitemap", window: []Request{rests(1), due(2)}, first: 1},
		{name: "a sitemap, and a page that is due", inHand: &sitemap, window: []Request{rests(1), rests(2), due(3), due(4)}, first: 3},
		{name: "a sitemap, and none that is", inHand: &sitemap, window: []Request{rests(1), rests(2)}},
		{name: "another sitemap", inHand: &sitemap, window: []Request{rests(1), {ID: 2, Kind: SitemapKind}}, first: 2},
		{name: "a sitemap that is slow", inHand: &sitemap, window: []Request{rests(1), due(2)}, after: sitemapPatience, first: 1},
		{name: "a sitemap that is tried again", inHand: &again, window: []Request{rests(1), due(2)}, first: 1},
		{name: "a sitemap that is read", inHand: &sitemap, window: []Request{rests(1), due(2)}, first: 1,
			change: func(_ *scheduler, h *host) { h.sitemaps.committed(&sitemap) }},
		{name: "a host that is down", inHand: &sitemap, window: []Request{rests(1)}, first: 1,
			change: func(_ *scheduler, h *host) { h.failures = deadAfter }},
		{name: "all are due in any case", inHand: &sitemap, window: []Request{rests(1)}, first: 1,
			change: func(s *scheduler, _ *host) { s.due = nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &scheduler{due: func(r Request, _ time.Time) bool { return r.Past == nil }}
			h := &host{window: c.window, greeted: true}
			if c.inHand != nil {
				h.sitemaps.take(c.inHand, now)
			}
			if c.change != nil {
				c.change(s, h)
			}
			length := len(h.window)
			ok := s.bringForward(h, now.Add(c.after))
			if ok != (c.first > 0) || ok && h.window[0].ID != c.first || len(h.window) != length {
				t.Errorf("bringForward = %v, window %v", ok, h.window)
			}
			at, working := h.turn(hostLimits{inFlight: 2})
			if want := now.Add(sitemapPatience); !working || !ok && !at.Equal(want) || ok && !at.IsZero() {
				t.Errorf("its turn is at %v, want %v", at, want)
			}
			if !ok && h.wait(hostLimits{inFlight: 2}, 1, now) != WaitSitemaps {
				t.Errorf("waits for %q", h.wait(hostLimits{inFlight: 2}, 1, now))
			}
		})
	}
}

func TestSitemapsGoFirst(t *testing.T) {
	at, err := weburl.Parse("https://h.test/index")
	if err != nil {
		t.Fatal(err)
	}
	var urls strings.Builder
	for i := range 2 * earlySitemaps {
		fmt.Fprintf(&urls, "<sitemap><loc>/%d</loc></sitemap>", i)
	}
	index := sitemap.Parse([]byte("<sitemapindex>"+urls.String()+"</sitemapindex>"), at)
	for policy, want := range map[RecrawlPolicy]int{RecrawlAll: 0, RecrawlAdaptive: earlySitemaps} {
		t.Run(fmt.Sprint(policy), func(t *testing.T) {
			c, err := New(Options{Start: []string{"https://h.test/"}, Recrawl: Recrawl{Policy: policy}})
			if err != nil {
				t.Fatal(err)
			}
			links := c.newLinkSet(nil)
			links.addSitemap(index, 0)
			page := c.link(at, PageKind, 1).Rank
			n := 0
			for _, l := range links.links {
				if l.Rank < page {
					n++
				}
			}
			if n != want || len(links.links) != 2*earlySitemaps {
				t.Errorf("%d of %d sitemaps go before pages, want %d", n, len(links.links), want)
			}
		})
	}
}
