package crawl

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"net/http"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/magpie-crawl/magpie/crawl/sitemap"
	"github.com/magpie-crawl/magpie/weburl"
)

// linkSet collects the links of one page, each URL once, with the verdict on
// it.
type linkSet struct {
	crawler *Crawler
	links   []Link
	seen    map[string]int // index in links
	broken  int            // references that are no URL
	example string         // the first of them
	max     int            // links of a page that are taken
	over    int            // links beyond them
	unseen  error          // why some may not have been found
}

func (c *Crawler) newLinkSet(known []Link) *linkSet {
	s := &linkSet{crawler: c, links: known, seen: map[string]int{}, max: c.opts.Limits.Links}
	for i, l := range known {
		s.seen[l.URL] = i
	}
	return s
}

// add takes in a reference found at base. What is no http or https URL by
// design, such as mailto:, is no link. skip is why the link is not to be
// followed, "" if it is.
func (s *linkSet) add(base weburl.URL, ref string, kind Kind, depth int, skip Reason) {
	u, err := base.Resolve(ref)
	switch {
	case errors.Is(err, weburl.ErrScheme):
		return
	case err != nil:
		if s.broken++; s.broken == 1 {
			s.example = ref
		}
		return
	}
	link := s.crawler.link(u, kind, depth)
	if link.Skip == "" {
		link.Skip = skip
	}
	s.addLink(link)
}

// addLink takes in a link. Of several to one URL the first that is to be
// followed counts.
func (s *linkSet) addLink(link Link) {
	if i, seen := s.seen[link.URL]; seen {
		if s.links[i].Skip == ReasonNofollow && link.Skip == "" {
			s.links[i] = link
		}
		return
	}
	if link.Kind == PageKind && len(s.links) >= s.max {
		s.over++
		return
	}
	s.seen[link.URL] = len(s.links)
	s.links = append(s.links, link)
}

// warnings tell of the links that were not taken.
func (s *linkSet) warnings() (list []string) {
	if s.broken > 0 {
		list = append(list, fmt.Sprintf("links that are no URL: %d, the first is %.100q", s.broken, s.example))
	}
	if s.over > 0 {
		list = append(list, fmt.Sprintf("links beyond the limit of %d: %d", s.max, s.over))
	}
	if s.unseen != nil {
		list = append(list, s.unseen.Error())
	}
	return list
}

// link returns the link to a URL that a page or sitemap names, judged.
func (c *Crawler) link(u weburl.URL, kind Kind, depth int) Link {
	if kind == PageKind && !c.scope.starts[u] {
		u = u.Without(c.strip.drops)
	}
	return c.exactLink(u, kind, depth)
}

// exactLink is link to the URL as it is: where a server redirects to, its
// session included, is where it wants the request.
func (c *Crawler) exactLink(u weburl.URL, kind Kind, depth int) Link {
	rank := c.ranks.rank(u, depth, sitemap.DefaultPriority)
	if kind == SitemapKind {
		rank = c.sitemapRank(u, depth, 0)
	}
	return Link{URL: u.String(), Host: u.Host(), Kind: kind, Depth: depth, Rank: rank, Skip: c.verdict(u, kind, depth)}
}

// verdict is why a link is not to be fetched, "" if it is. Sitemaps may lie
// anywhere: they were named by the job, a robots.txt or another sitemap.
func (c *Crawler) verdict(u weburl.URL, kind Kind, depth int) Reason {
	if kind == SitemapKind {
		if depth > maxSitemapDepth {
			return ReasonDepth
		}
		return ""
	}
	if !c.scope.contains(u) {
		return ReasonScope
	}
	if limit := c.opts.Limits.Depth; limit > 0 && depth > limit {
		return ReasonDepth
	}
	if c.scope.starts[u] {
		return ""
	}
	if c.watch.caught(u) {
		return ReasonTrapDuplicates
	}
	return c.opts.Traps.verdict(u)
}

// addPage adds the links of a document: all, that of the header field Refresh
// among them, or those that the job follows.
// https://html.spec.whatwg.org/multipage/document-lifecycle.html#the-refresh-header
func (s *linkSet) addPage(header http.Header, root *html.Node, page weburl.URL, depth int, nofollow bool) {
	base := documentBase(root, page)
	chosen, err := s.crawler.chosen(root)
	if err != nil {
		s.unseen = err
	}
	for n := range elements(root) {
		if chosen != nil && !chosen[n] || chosen == nil && !s.crawler.navigates(n) {
			continue
		}
		if refs := references(n); len(refs) > 0 {
			s.addElement(n, refs, base, depth, nofollow)
			continue
		}
		if s.crawler.opts.Follow == nil {
			continue
		}
		for inner := range elements(n) { // a selector may name what holds the links
			if s.crawler.navigates(inner) {
				s.addElement(inner, references(inner), base, depth, nofollow)
			}
		}
	}
	if ref, ok := refreshURL(header.Get("Refresh")); ok && s.crawler.opts.Follow == nil {
		s.addAll([]string{ref}, base, depth, nofollow)
	}
}

// addElement adds the links of an element.
func (s *linkSet) addElement(n *html.Node, refs []string, base weburl.URL, depth int, nofollow bool) {
	s.addAll(refs, base, depth, nofollow || s.crawler.opts.Politeness.Nofollow == NofollowObey && slices.Contains(relations(n), "nofollow"))
}

// addAll adds links to pages.
func (s *linkSet) addAll(refs []string, base weburl.URL, depth int, nofollow bool) {
	var skip Reason
	if nofollow {
		skip = ReasonNofollow
	}
	for _, ref := range refs {
		s.add(base, ref, PageKind, depth, skip)
	}
}

// chosen are the elements that the job follows the links of by its selectors;
// nil: it names none, and a reader's links are followed.
func (c *Crawler) chosen(root *html.Node) (chosen map[*html.Node]bool, err error) {
	if c.opts.Follow == nil {
		return nil, nil
	}
	chosen = map[*html.Node]bool{}
	for i, s := range c.follow {
		if failed := s.Each(root, func(n *html.Node) bool { chosen[n] = true; return true }); failed != nil {
			err = fmt.Errorf("links to follow by %q: %w", c.opts.Follow[i], failed)
		}
	}
	return chosen, err
}

// documentBase is the document's base URL.
// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url
func documentBase(root *html.Node, page weburl.URL) weburl.URL {
	for n := range elements(root) {
		if n.DataAtom != atom.Base {
			continue
		}
		if href, ok := attribute(n, "href"); ok {
			if base, err := page.Resolve(href); err == nil {
				return base
			}
			return page
		}
	}
	return page
}

func attribute(n *html.Node, key string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

// elements yields the elements below root in tree order, without the contents
// of templates, which are not in the document.
func elements(root *html.Node) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for n := root.FirstChild; n != nil; {
			if n.Type == html.ElementNode && !yield(n) {
				return
			}
			if n.FirstChild != nil && n.DataAtom != atom.Template {
				n = n.FirstChild
				continue
			}
			for n != root && n.NextSibling == nil {
				n = n.Parent
			}
			if n == root {
				return
			}
			n = n.NextSibling
		}
	}
}

// maxSitemapDepth is how deep sitemap indexes may nest.
const maxSitemapDepth = 2

// sitemapLinks are the sitemaps that a robots.txt names.
func (c *Crawler) sitemapLinks(urls []string) []Link {
	s := c.newLinkSet(nil)
	for _, u := range urls {
		s.add(weburl.URL{}, u, SitemapKind, 0, "")
	}
	return s.links
}

// addSitemap adds what a sitemap names: its pages count as linked from a start
// page.
func (s *linkSet) addSitemap(m *sitemap.Sitemap, depth int) {
	s.max = math.MaxInt // sitemaps have a limit of their own
	for i, e := range m.Entries {
		if m.Format == sitemap.Index {
			link := s.crawler.link(e.URL, SitemapKind, depth+1)
			link.Rank = s.crawler.sitemapRank(e.URL, link.Depth, i)
			s.addLink(link)
			continue
		}
		link := s.crawler.link(e.URL, PageKind, 1)
		link.LastMod, link.Rank = e.LastMod, s.crawler.ranks.rank(e.URL, link.Depth, e.Priority)
		s.addLink(link)
	}
}
