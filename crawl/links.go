package crawl

import (
	"errors"
	"fmt"
	"iter"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/magpie-crawl/magpie/crawl/sitemap"
	"github.com/magpie-crawl/magpie/crawl/weburl"
)

// linkSet collects the links of one page, each URL once, with the verdict on
// it.
type linkSet struct {
	crawler *Crawler
	links   []Link
	seen    map[string]bool
	broken  int    // references that are no URL
	example string // the first of them
}

func (c *Crawler) newLinkSet(known []Link) *linkSet {
	s := &linkSet{crawler: c, links: known, seen: map[string]bool{}}
	for _, l := range known {
		s.seen[l.URL] = true
	}
	return s
}

// add takes in a reference found at base. What is no http or https URL by
// design, such as mailto:, is no link.
func (s *linkSet) add(base weburl.URL, ref string, kind Kind, depth int) {
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
	s.addURL(u, kind, depth)
}

func (s *linkSet) addURL(u weburl.URL, kind Kind, depth int) {
	if s.seen[u.String()] {
		return
	}
	s.seen[u.String()] = true
	s.links = append(s.links, s.crawler.link(u, kind, depth))
}

// warning tells of the references that were no URL, "" if there were none.
func (s *linkSet) warning() string {
	if s.broken == 0 {
		return ""
	}
	return fmt.Sprintf("links that are no URL: %d, the first is %.100q", s.broken, s.example)
}

// link returns the link to a URL, judged.
func (c *Crawler) link(u weburl.URL, kind Kind, depth int) Link {
	return Link{URL: u.String(), Host: u.Host(), Kind: kind, Depth: depth, Skip: c.verdict(u, kind, depth)}
}

// verdict is why a link is not to be fetched, "" if it is. Sitemaps may lie
// anywhere: they were named by the job, a robots.txt or another sitemap.
func (c *Crawler) verdict(u weburl.URL, kind Kind, depth int) Reason {
	limit := c.opts.Limits.Depth
	if kind == SitemapKind {
		limit = maxSitemapDepth
	}
	switch {
	case kind == PageKind && !c.scope.contains(u):
		return ReasonScope
	case limit > 0 && depth > limit:
		return ReasonDepth
	}
	return ""
}

// addPage adds the links of a document: all, or those that the job follows.
func (s *linkSet) addPage(root *html.Node, page weburl.URL, depth int) {
	base := documentBase(root, page)
	for n := range elements(root) {
		if !s.crawler.follows(n) {
			continue
		}
		if ref, ok := reference(n); ok {
			s.add(base, ref, PageKind, depth)
			continue
		}
		for inner := range elements(n) { // a selector may name what holds the links
			if ref, ok := reference(inner); ok {
				s.add(base, ref, PageKind, depth)
			}
		}
	}
}

// follows says that a job follows the links of an element: it is one, where
// the job names no selectors, or it matches one of them.
func (c *Crawler) follows(n *html.Node) bool {
	if c.opts.Follow == nil {
		return n.DataAtom == atom.A || n.DataAtom == atom.Area
	}
	for _, sel := range c.follow {
		if sel.Match(n) {
			return true
		}
	}
	return false
}

// reference is the address that an element links to.
func reference(n *html.Node) (string, bool) {
	switch n.DataAtom {
	case atom.A, atom.Area, atom.Link:
		return attribute(n, "href")
	case atom.Iframe, atom.Frame:
		return attribute(n, "src")
	}
	return "", false
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
		s.add(weburl.URL{}, u, SitemapKind, 0)
	}
	return s.links
}

// addSitemap adds what a sitemap names: its pages count as linked from a start
// page.
func (s *linkSet) addSitemap(m *sitemap.Sitemap, depth int) {
	for _, e := range m.Entries {
		if m.Format == sitemap.Index {
			s.addURL(e.URL, SitemapKind, depth+1)
		} else {
			n := len(s.links)
			s.addURL(e.URL, PageKind, 1)
			if len(s.links) > n {
				s.links[n].LastMod = e.LastMod
			}
		}
	}
}
