package structured

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// LinkSet is what the links of a page say about it. URLs are absolute.
type LinkSet struct {
	Canonical  string            `json:"canonical,omitempty"`
	AMPHTML    string            `json:"amphtml,omitempty"`
	Alternates map[string]string `json:"alternates,omitempty"` // hreflang, as written → URL
	Feeds      []Feed            `json:"feeds,omitempty"`
	Icons      []Icon            `json:"icons,omitempty"`
	Next       string            `json:"next,omitempty"`
	Prev       string            `json:"prev,omitempty"`
	License    string            `json:"license,omitempty"`
	Manifest   string            `json:"manifest,omitempty"`
	Author     string            `json:"author,omitempty"`
}

// Feed is a link to the page's news.
type Feed struct {
	Type  string `json:"type"` // "rss", "atom" or "json"
	Title string `json:"title,omitempty"`
	URL   string `json:"url"`
}

// Icon is a picture that stands for the page.
type Icon struct {
	Rel   string `json:"rel"` // "icon", "apple-touch-icon", …
	Sizes string `json:"sizes,omitempty"`
	Type  string `json:"type,omitempty"`
	URL   string `json:"url"`
}

// Links reads the link elements below root; next, prev, license and author
// from a and area elements too. Where a page says something twice, the first
// counts.
//
// https://html.spec.whatwg.org/multipage/links.html#linkTypes
func Links(root *html.Node, base string) LinkSet {
	return newPage(root, base).linkSet()
}

func (p *page) linkSet() LinkSet {
	l := linkReader{urls: p.urls, budget: newBudget(p.size)}
	for _, n := range p.links {
		l.read(n)
	}
	return l.set
}

// linkReader collects links.
type linkReader struct {
	set    LinkSet
	urls   resolver
	budget budget
}

// anchorTypes are the link types that a and area elements have too.
var anchorTypes = []string{"next", "prev", "previous", "license", "author"}

// read adds what a link says.
func (l *linkReader) read(n *html.Node) {
	href, _ := attr(n, "href")
	if strings.Trim(href, asciiWhitespace) == "" {
		return
	}
	attrRel, _ := attr(n, "rel")
	rels := unique(splitSpace(strings.ToLower(attrRel)))
	url := "" // resolved once something asks for it
	for _, rel := range rels {
		if n.Data != "link" && !slices.Contains(anchorTypes, rel) {
			continue
		}
		if rel == "alternate" && slices.Contains(rels, "stylesheet") {
			continue // another style of the page
		}
		if !l.wants(rel) {
			continue
		}
		if url == "" {
			if url = l.urls.resolve(href, &l.budget); url == "" {
				return
			}
		}
		l.add(n, rel, url)
	}
}

// single returns where the URL of a link type goes that a page has once.
func (l *linkReader) single(rel string) *string {
	switch rel {
	case "canonical":
		return &l.set.Canonical
	case "amphtml":
		return &l.set.AMPHTML
	case "next":
		return &l.set.Next
	case "prev", "previous":
		return &l.set.Prev
	case "license":
		return &l.set.License
	case "manifest":
		return &l.set.Manifest
	case "author":
		return &l.set.Author
	}
	return nil
}

// wants reports whether a link of a type says something new.
func (l *linkReader) wants(rel string) bool {
	if to := l.single(rel); to != nil {
		return *to == ""
	}
	return rel == "alternate" || isIcon(rel)
}

// add notes a link of one type.
func (l *linkReader) add(n *html.Node, rel, url string) {
	switch to := l.single(rel); {
	case to != nil:
		*to = url
	case isIcon(rel):
		sizes, _ := attr(n, "sizes")
		mediaType, _ := attr(n, "type")
		l.set.Icons = append(l.set.Icons, Icon{rel, trimmed(sizes), trimmed(mediaType), url})
	default:
		l.alternate(n, url)
	}
}

// isIcon reports whether a link type is one of icons.
func isIcon(rel string) bool {
	switch rel {
	case "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "fluid-icon":
		return true
	}
	return false
}

// feedTypes are the media types of feeds.
var feedTypes = map[string]string{
	"application/rss+xml":   "rss",
	"application/atom+xml":  "atom",
	"application/feed+json": "json",
}

// alternate adds a feed or the page in another language.
//
// https://html.spec.whatwg.org/multipage/links.html#rel-alternate
func (l *linkReader) alternate(n *html.Node, url string) {
	mediaType, _ := attr(n, "type")
	mediaType, _, _ = strings.Cut(mediaType, ";")
	if feed := feedTypes[strings.ToLower(strings.Trim(mediaType, asciiWhitespace))]; feed != "" {
		title, _ := attr(n, "title")
		l.set.Feeds = append(l.set.Feeds, Feed{feed, collapse(title), url})
		return
	}
	lang, _ := attr(n, "hreflang")
	if lang = trimmed(lang); lang == "" {
		return
	}
	if _, ok := l.set.Alternates[lang]; ok {
		return
	}
	if l.set.Alternates == nil {
		l.set.Alternates = map[string]string{}
	}
	l.set.Alternates[lang] = url
}
