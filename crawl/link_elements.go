package crawl

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// navigates says that a reader can get from an element to another page: these
// elements are followed where a job names no selectors. Images and other
// resources are fetched only where a selector asks for them.
func (c *Crawler) navigates(n *html.Node) bool {
	switch n.DataAtom {
	case atom.A, atom.Area, atom.Iframe, atom.Frame:
		return true
	case atom.Link:
		return linksToPage(n)
	case atom.Meta:
		return isRefresh(n)
	case atom.Form:
		return c.opts.Links.Forms
	}
	return false
}

// references are the addresses that an element leads to, as it writes them;
// none if it is not of a kind that leads anywhere.
func references(n *html.Node) []string {
	switch n.DataAtom {
	case atom.A, atom.Area, atom.Link:
		return attributeList(n, "href")
	case atom.Iframe, atom.Frame, atom.Embed, atom.Audio, atom.Track, atom.Script:
		return attributeList(n, "src")
	case atom.Img, atom.Source, atom.Video:
		refs := append(attributeList(n, "src"), attributeList(n, "poster")...)
		if set, ok := attribute(n, "srcset"); ok {
			refs = append(refs, srcset(set)...)
		}
		return refs
	case atom.Object:
		return attributeList(n, "data")
	case atom.Meta:
		if isRefresh(n) {
			content, _ := attribute(n, "content")
			if ref, ok := refreshURL(content); ok {
				return []string{ref}
			}
		}
	case atom.Form:
		if ref, ok := submission(n); ok {
			return []string{ref}
		}
	}
	return nil
}

func attributeList(n *html.Node, key string) []string {
	if v, ok := attribute(n, key); ok {
		return []string{v}
	}
	return nil
}

// linksToPage says that a link element names another page rather than a
// resource of this one: what comes before and after it, its canonical address,
// and its versions in other languages.
// https://html.spec.whatwg.org/multipage/links.html#linkTypes
func linksToPage(n *html.Node) bool {
	rel := relations(n)
	if slices.Contains(rel, "stylesheet") {
		return false
	}
	for _, r := range rel {
		switch r {
		case "next", "prev", "previous", "canonical":
			return true
		case "alternate":
			if _, ok := attribute(n, "hreflang"); ok {
				return true
			}
		}
	}
	return false
}

// relations are the link types of an element, in lower case.
func relations(n *html.Node) []string {
	rel, _ := attribute(n, "rel")
	return strings.Fields(strings.ToLower(rel))
}

// isRefresh: https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
func isRefresh(n *html.Node) bool {
	pragma, _ := attribute(n, "http-equiv")
	return strings.EqualFold(pragma, "refresh")
}

// refreshURL is the URL in the content of a refresh pragma, false if it only
// loads the page again.
// https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
func refreshURL(content string) (ref string, ok bool) {
	const space = " \t\n\f\r"
	rest := strings.TrimLeft(content, space)
	time := strings.TrimLeft(rest, "0123456789")
	if time == rest && !strings.HasPrefix(rest, ".") {
		return "", false
	}
	rest = strings.TrimLeft(time, "0123456789.")
	trimmed := strings.TrimLeft(rest, space)
	if rest != "" && trimmed == rest && rest[0] != ';' && rest[0] != ',' {
		return "", false
	}
	rest = trimmed
	if rest != "" && (rest[0] == ';' || rest[0] == ',') {
		rest = rest[1:]
	}
	rest = strings.TrimLeft(rest, space)
	if rest == "" {
		return "", false
	}
	if name, value, found := strings.Cut(rest, "="); found && strings.EqualFold(strings.TrimRight(name, space), "url") {
		rest = strings.TrimLeft(value, space)
	}
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		rest, _, _ = strings.Cut(rest[1:], rest[:1])
	}
	return rest, true
}

// srcset are the URLs of the image candidates in a srcset attribute.
// https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute
func srcset(s string) (urls []string) {
	const space = " \t\n\f\r"
	for {
		s = strings.TrimLeft(s, space+",")
		if s == "" {
			return urls
		}
		end := strings.IndexAny(s, space)
		if end < 0 {
			end = len(s)
		}
		url := strings.TrimRight(s[:end], ",")
		urls = append(urls, url)
		if len(url) < end { // its comma ends the candidate
			s = s[end:]
			continue
		}
		s = s[descriptors(s[end:])+end:]
	}
}

// descriptors is the length of the descriptors that s begins with. Commas in
// parentheses belong to them.
func descriptors(s string) int {
	depth := 0
	for i := range len(s) {
		switch {
		case s[i] == '(':
			depth++
		case s[i] == ')':
			depth = max(0, depth-1)
		case s[i] == ',' && depth == 0:
			return i
		}
	}
	return len(s)
}
