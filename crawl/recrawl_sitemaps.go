package crawl

import (
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/crawl/sitemap"
	"github.com/magpie-crawl/magpie/weburl"
)

// RecrawlAdaptive leaves pages alone unless a sitemap says that they have
// changed. So a host's sitemaps go before its pages, and while the last of them
// are read, pages that would be left alone wait, and let others pass.

// sitemapPatience is how long pages wait for a sitemap that was asked for, at
// most. Those that are tried again are not waited for.
const sitemapPatience = 30 * time.Second

// earlySitemaps is how many sitemaps of an index go before pages. Limits.Pages
// counts no sitemaps: thousands of them would be read for a few pages.
const earlySitemaps = 100

// sitemapRank is the place of a sitemap in its host's queue; at is where it
// stands in the index that names it.
func (c *Crawler) sitemapRank(u weburl.URL, depth, at int) int {
	if c.opts.Recrawl.Policy == RecrawlAdaptive && at < earlySitemaps {
		depth = 0
	}
	return c.ranks.rank(u, depth, sitemap.DefaultPriority)
}

// sitemapsInHand are the sitemaps of a host that are being read.
type sitemapsInHand struct {
	open  int       // handed out for the first time and not committed
	until time.Time // they are waited for until then
	hold  time.Time // all that is in the window waits until then
}

// counts says that a request is a sitemap that is waited for.
func (*sitemapsInHand) counts(r *Request) bool { return r.Kind == SitemapKind && r.Attempts == 0 }

func (m *sitemapsInHand) take(r *Request, now time.Time) {
	if m.counts(r) {
		m.open++
		m.until = now.Add(sitemapPatience)
	}
}

func (m *sitemapsInHand) committed(r *Request) {
	if m.counts(r) {
		m.open--
		m.hold = time.Time{}
	}
}

// bringForward puts the first request that need not wait for a sitemap at the
// head of the host's window. It returns false if there is none.
func (s *scheduler) bringForward(h *host, now time.Time) bool {
	m := &h.sitemaps
	if s.due == nil || m.open == 0 || !m.until.After(now) || h.down() {
		return true
	}
	i := slices.IndexFunc(h.window, func(r Request) bool { return s.due(r, now) })
	if i < 0 {
		m.hold = m.until
		return false
	}
	first := h.window[i]
	copy(h.window[1:], h.window[:i])
	h.window[0] = first
	return true
}

// heed sees that the scheduler reads anew from the store what a visit told of
// pages that it holds, or has found sitemaps to go before.
func (s *scheduler) heed(v *Visit) {
	for i := range v.Links {
		link := &v.Links[i]
		if link.Kind != SitemapKind && link.LastMod.IsZero() {
			continue
		}
		if h := s.hosts[link.Host]; h != nil && len(h.window) > 0 {
			s.held -= len(h.window)
			h.window, h.more, h.sitemaps.hold = nil, true, time.Time{}
			s.update(h)
		}
	}
}
