package article

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// metadata is what a page tells about itself to machines, as copies.
type metadata struct {
	author, site, description, image, language string
	published, modified, canonical             string
	headings                                   []string
}

// readMetadata collects what a page says in its head, in linked data, and in
// time elements, in this order of trust for each: linked data, meta, others.
func readMetadata(root *html.Node, page *url.URL) *metadata {
	f := facts{}
	for n := root; n != nil; {
		next := after(n, root)
		if n.Type == html.ElementNode && n.Namespace == "" {
			if n.Data == "template" {
				next = beyond(n, root)
			} else {
				f.element(n)
			}
		}
		n = next
	}
	m := &metadata{
		author:      f.first("ld:author", "author", "dc.creator", "dcterms.creator", "citation_author", "parsely-author", "sailthru.author", "byl", "rel:author", "itemprop:author"),
		site:        f.first("ld:publisher", "og:site_name", "application-name"),
		description: f.first("ld:description", "og:description", "description", "twitter:description", "dc.description"),
		image:       f.first("og:image", "ld:image", "twitter:image"),
		language:    f.first("lang", "ld:inLanguage", "og:locale", "content-language", "dc.language"),
		published:   f.date(publishedKeys),
		modified:    f.date(modifiedKeys),
		canonical:   resolve(page, f.first("canonical", "og:url")),
	}
	if strings.Contains(m.author, "://") {
		m.author = "" // article:author and its like often name a profile
	}
	for _, name := range headingNames {
		m.headings = append(m.headings, f[name])
	}
	m.language = strings.ReplaceAll(m.language, "_", "-")
	return m
}

var (
	publishedKeys = []string{
		"ld:datePublished", "article:published_time", "og:published_time", "og:article:published_time", "datepublished", "parsely-pub-date",
		"dc.date.issued", "dcterms.issued", "dcterms.created", "dcterms.date", "dc.date", "dc.date.created", "citation_publication_date",
		"citation_date", "sailthru.date", "pubdate", "publishdate", "publish-date", "publish_date", "date", "itemprop:datePublished",
		"time:pubdate", "ld:dateCreated", "time:article", "time",
	}
	modifiedKeys = []string{
		"ld:dateModified", "article:modified_time", "og:updated_time", "datemodified", "dcterms.modified", "dc.date.modified",
		"last-modified", "itemprop:dateModified",
	}
)

// headingNames are of the first few headings of the first level.
var headingNames = []string{"h1:1", "h1:2", "h1:3"}

// facts are the values found, the first of each name.
type facts map[string]string

const maxFact = 10_000 // bytes of a value

func (f facts) add(name, value string) {
	if _, ok := f[name]; ok || name == "" || len(f) >= 1000 {
		return
	}
	if value = strings.TrimSpace(value); value != "" && len(value) <= maxFact {
		f[strings.Clone(name)] = strings.Clone(value)
	}
}

func (f facts) first(names ...string) string {
	for _, n := range names {
		if v := f[n]; v != "" {
			return v
		}
	}
	return ""
}

// element adds what an element tells.
func (f facts) element(n *html.Node) {
	switch n.Data {
	case "html":
		f.add("lang", attribute(n, "lang"))
	case "meta":
		f.meta(n)
	case "link":
		if hasWord(attribute(n, "rel"), "canonical") {
			f.add("canonical", attribute(n, "href"))
		}
	case "script":
		if isData(n) && n.FirstChild != nil && n.FirstChild.Type == html.TextNode {
			f.linkedData(n.FirstChild.Data)
		}
	case "time":
		f.time(n)
	case "h1":
		f.heading(n)
	case "a":
		if hasWord(attribute(n, "rel"), "author") {
			f.add("rel:author", shortText(n))
		}
	}
	if p := attribute(n, "itemprop"); p == "author" || p == "datePublished" || p == "dateModified" {
		value := attribute(n, "content")
		if value == "" {
			value = attribute(n, "datetime")
		}
		if value == "" {
			value = shortText(n)
		}
		f.add("itemprop:"+p, value)
	}
}

// meta adds a meta element. A property may be called name, and the other way round.
//
// https://ogp.me/, https://html.spec.whatwg.org/multipage/semantics.html#standard-metadata-names
func (f facts) meta(n *html.Node) {
	for _, key := range []string{"property", "name", "http-equiv"} {
		if name := attribute(n, key); name != "" && len(name) < 100 {
			f.add(strings.ToLower(strings.TrimSpace(name)), attribute(n, "content"))
		}
	}
}

// time adds a time element, apart when it tells to be of the publication or
// stands in an article or header.
//
// https://html.spec.whatwg.org/multipage/text-level-semantics.html#the-time-element
func (f facts) time(n *html.Node) {
	value := attribute(n, "datetime")
	if value == "" {
		value = shortText(n)
	}
	if formatDate(value) == "" {
		return
	}
	class := strings.ToLower(attribute(n, "class") + " " + attribute(n, "itemprop"))
	if len(class) < maxClass && (strings.Contains(class, "publish") || strings.Contains(class, "entry-date")) {
		f.add("time:pubdate", value)
	}
	for p, i := n.Parent, 0; p != nil && i < 8; p, i = p.Parent, i+1 {
		if p.Data == "article" || p.Data == "header" || p.Data == "main" {
			f.add("time:article", value)
			break
		}
	}
	f.add("time", value)
}

// heading adds a heading under the first name that is free.
func (f facts) heading(n *html.Node) {
	for _, name := range headingNames {
		if _, ok := f[name]; !ok {
			f.add(name, shortText(n))
			return
		}
	}
}

// date gives the first of some values that is a date.
func (f facts) date(names []string) string {
	for _, n := range names {
		if d := formatDate(f[n]); d != "" {
			return d
		}
	}
	return ""
}

// shortText is the text of an element for a name or a date: of its first nodes.
func shortText(n *html.Node) string {
	var b strings.Builder
	for c, i := n, 0; c != nil && i < 20 && b.Len() < 200; c, i = after(c, n), i+1 {
		if c.Type == html.TextNode {
			b.WriteString(c.Data[:min(len(c.Data), 200)])
			b.WriteByte(' ')
		}
	}
	return strings.ToValidUTF8(oneLine(b.String()), "")
}

// hasWord reports whether a list of words has one, in any case.
func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list[:min(len(list), maxClass)]) {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// resolve gives a URL of the page, absolute when the page's is known.
func resolve(page *url.URL, ref string) string {
	u, err := url.Parse(ref)
	if err != nil || ref == "" {
		return ""
	}
	if page != nil {
		u = page.ResolveReference(u)
	}
	return u.String()
}
