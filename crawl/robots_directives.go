package crawl

import (
	"net/http"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/magpie-crawl/magpie/crawl/robots"
)

// NofollowPolicy is what rel=nofollow, and nofollow in meta robots and
// X-Robots-Tag, mean to a crawl.
type NofollowPolicy uint8

const (
	NofollowObey   NofollowPolicy = iota // such links are recorded as skipped
	NofollowIgnore                       // such links are followed
)

// NoindexPolicy is what noindex in meta robots and X-Robots-Tag means to a
// crawl. It is addressed to search engines, and lists are often marked with
// it, so that it is ignored unless the job says otherwise.
type NoindexPolicy uint8

const (
	NoindexIgnore NoindexPolicy = iota // records are taken from such pages
	NoindexObey                        // they are not, the links are followed
)

// directives are what a page asks of robots, in its header fields X-Robots-Tag
// and its meta elements.
// https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
type directives struct {
	nofollow bool // its links are not to be followed
	noindex  bool // it is not to be kept
}

// pageDirectives reads the directives for a crawler of the given name: those
// for all robots and its own add up.
func pageDirectives(header http.Header, root *html.Node, agent string) (d directives) {
	product := robots.ProductToken(agent)
	for _, line := range header.Values("X-Robots-Tag") {
		d.addTag(line, product)
	}
	for n := range elements(root) {
		if n.DataAtom != atom.Meta {
			continue
		}
		name, _ := attribute(n, "name")
		if strings.EqualFold(name, "robots") || strings.EqualFold(name, product) {
			content, _ := attribute(n, "content")
			d.add(content)
		}
	}
	return d
}

// directives are those of a page that the job obeys.
func (c *Crawler) directives(header http.Header, root *html.Node) directives {
	p := c.opts.Politeness
	if p.Nofollow == NofollowIgnore && p.Noindex == NoindexIgnore {
		return directives{}
	}
	d := pageDirectives(header, root, p.UserAgent)
	return directives{
		nofollow: d.nofollow && p.Nofollow == NofollowObey,
		noindex:  d.noindex && p.Noindex == NoindexObey,
	}
}

// addTag reads one X-Robots-Tag, in which the name of the robot that rules are
// for may stand before them: "googlebot: nofollow, otherbot: noindex". Fields
// for several are one where a proxy has put them together (RFC 9110, section
// 5.3).
func (d *directives) addTag(line, product string) {
	ours := true
	for rule := range strings.SplitSeq(line, ",") {
		name, rest, named := strings.Cut(rule, ":")
		if name = strings.TrimSpace(name); named && robots.ProductToken(name) == strings.ToLower(name) && !takesValue(name) {
			ours, rule = strings.EqualFold(name, product), rest
		}
		if ours {
			d.add(rule)
		}
	}
}

// takesValue says that a colon behind a word is that of a rule's value.
func takesValue(rule string) bool {
	rule = strings.ToLower(rule)
	return rule == "unavailable_after" || strings.HasPrefix(rule, "max-")
}

// add reads a list of directives.
func (d *directives) add(list string) {
	for _, rule := range strings.Split(strings.ToLower(list), ",") {
		switch strings.TrimSpace(rule) {
		case "nofollow":
			d.nofollow = true
		case "noindex":
			d.noindex = true
		case "none":
			d.nofollow, d.noindex = true, true
		}
	}
}
