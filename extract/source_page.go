package extract

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// metaSource finds the content of meta elements.
//
// https://html.spec.whatwg.org/multipage/semantics.html#the-meta-element
type metaSource struct {
	name string // in small letters
}

// openGraphPrefix stands before the names of the Open Graph protocol.
const openGraphPrefix = "og:"

func (s metaSource) find(e *extraction, _ scope, yield func(found) bool) {
	e.why = absence{what: "the page has no meta " + s.name}
	for n := range nodesBelow(e.root) {
		if e.steps--; e.exhausted() {
			return
		}
		if n.Type != html.ElementNode || n.Data != "meta" {
			continue
		}
		if e.steps -= attributesCost(n); !s.names(n) {
			continue
		}
		content, _ := attr(n, "content")
		if content = strings.TrimSpace(content); content == "" {
			e.why = absence{what: "the meta " + s.name + " is empty"}
			continue
		}
		if !yield(found{node: n, text: content, isText: true, attr: true, work: &e.work}) || e.exhausted() {
			return
		}
	}
}

// names reports whether the meta element n is the one. An attribute may hold
// several names.
func (s metaSource) names(n *html.Node) bool {
	for _, key := range []string{"name", "property", "http-equiv", "itemprop"} {
		value, ok := attr(n, key)
		if !ok {
			continue
		}
		if strings.EqualFold(strings.TrimSpace(value), s.name) {
			return true
		}
		for word := range strings.FieldsSeq(value) {
			if strings.EqualFold(word, s.name) {
				return true
			}
		}
	}
	return false
}

// headerSource finds fields of the response's header.
type headerSource struct {
	name string
}

func (s headerSource) find(e *extraction, _ scope, yield func(found) bool) {
	e.why = absence{what: "the response has no header " + s.name}
	for _, value := range e.page.Header.Values(s.name) {
		if value = strings.TrimSpace(value); value != "" && !yield(found{text: value, isText: true, attr: true, work: &e.work}) {
			return
		}
	}
}

// URLParts are the parts of the page's address that Field.URLPart names:
// besides these path[N], a segment of the path from 1, or from the end with
// -1, and query.NAME, a parameter, of which there may be several.
var URLParts = []string{"href", "origin", "scheme", "host", "port", "path", "query", "fragment"}

// urlSource finds a part of the page's address.
type urlSource struct {
	part    string
	segment int    // with the part "path[": which one
	name    string // with the part "query.": of the parameter
}

// parseURLPart reads what Field.URLPart says.
func parseURLPart(s string) (urlSource, error) {
	for _, part := range URLParts {
		if s == part {
			return urlSource{part: part}, nil
		}
	}
	if index, ok := strings.CutPrefix(s, "path["); ok {
		n, err := strconv.Atoi(strings.TrimSuffix(index, "]"))
		if err != nil || n == 0 || !strings.HasSuffix(index, "]") {
			return urlSource{}, fmt.Errorf("%q: write the number of a segment, path[1] for the first or path[-1] for the last", s)
		}
		return urlSource{part: "path[", segment: n}, nil
	}
	if name, ok := strings.CutPrefix(s, "query."); ok && name != "" {
		return urlSource{part: "query.", name: name}, nil
	}
	return urlSource{}, fmt.Errorf("an address has no part %q: the parts are %s, path[1] and query.NAME", s, strings.Join(URLParts, ", "))
}

func (s urlSource) find(e *extraction, _ scope, yield func(found) bool) {
	e.why = absence{what: "the page's address isn't known"}
	if e.page.URL == nil {
		return
	}
	e.why = absence{what: "the page's address has none", text: e.url}
	for _, value := range s.values(e.page.URL) {
		if value != "" && !yield(found{text: value, isText: true, attr: true, work: &e.work}) {
			return
		}
	}
}

func (s urlSource) values(u *url.URL) []string {
	switch s.part {
	case "href":
		return []string{u.String()}
	case "origin":
		return []string{u.Scheme + "://" + u.Host}
	case "scheme":
		return []string{u.Scheme}
	case "host":
		return []string{u.Hostname()}
	case "port":
		return []string{u.Port()}
	case "path":
		return []string{u.Path}
	case "query":
		return []string{u.RawQuery}
	case "fragment":
		return []string{u.Fragment}
	case "query.":
		return u.Query()[s.name]
	}
	var segments []string
	for segment := range strings.SplitSeq(u.Path, "/") {
		if segment != "" {
			segments = append(segments, segment)
		}
	}
	i := s.segment - 1
	if s.segment < 0 {
		i = len(segments) + s.segment
	}
	if i < 0 || i >= len(segments) {
		return nil
	}
	return segments[i : i+1]
}
