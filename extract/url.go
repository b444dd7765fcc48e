package extract

import (
	"errors"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/weburl"
)

// resolve returns the absolute URL that s stands for in the page, as browsers
// resolve links.
//
// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#resolving-urls
func (w *work) resolve(s string) (string, error) {
	base := w.baseURL()
	if !strings.HasPrefix(s, "data:") {
		if len(s) > longestAddress {
			return "", errors.New("is too long to be an address")
		}
		w.steps -= len(s) * len(s) / bytesPerStep // a path of many segments takes the square of its length
	}
	if u, ok := w.plainBase.ResolvePlain(s); ok { // most links, many times faster
		if at := strings.IndexByte(s, '#'); at < 0 {
			return strings.Clone(u.String()), nil // the reference may be a part of the page
		} else if isPlainFragment(s[at+1:]) {
			return u.String() + s[at:], nil
		}
	}
	if base == nil {
		u, err := url.Parse(s)
		if err != nil {
			return "", errors.New("is no absolute URL, and the page's address isn't known")
		}
		return absolute(u)
	}
	u, err := base.Parse(s)
	if err != nil {
		return "", errors.New("is no URL")
	}
	return absolute(u)
}

// isPlainFragment reports whether a fragment stays as it is in a URL; of some that do it doesn't.
//
// https://url.spec.whatwg.org/#fragment-state
func isPlainFragment(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return !strings.ContainsAny(s, "\"<>`{}|\\^")
}

func absolute(u *url.Url) (string, error) {
	if u.Scheme() == "javascript" {
		return "", errors.New("is a script, not an address")
	}
	return u.Href(false), nil
}

// baseURL returns the document base URL; nil where neither the page's address
// nor a base element gives one.
//
// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url
func (w *work) baseURL() *url.Url {
	if !w.baseKnown {
		w.baseKnown = true
		w.base = w.findBase()
		if w.base != nil {
			w.plainBase, _ = weburl.URL{}.ResolvePlain(w.base.Href(true))
		}
	}
	return w.base
}

// baseAddress is the document base URL as text; "" where it isn't known.
func (w *work) baseAddress() string {
	if base := w.baseURL(); base != nil {
		return base.Href(true)
	}
	return ""
}

func (w *work) findBase() *url.Url {
	var fallback *url.Url
	if w.url != "" {
		if u, err := url.Parse(w.url); err == nil {
			fallback = u
		}
	}
	href, has := w.baseReference()
	if !has || len(href) > longestAddress {
		return fallback
	}
	var u *url.Url
	var err error
	if fallback == nil {
		u, err = url.Parse(strings.TrimSpace(href))
	} else {
		u, err = fallback.Parse(href)
	}
	if err != nil || u.Scheme() == "data" || u.Scheme() == "javascript" {
		return fallback
	}
	return u
}

const longestAddress = 10_000 // bytes; only data is longer

// baseReference is what the document's first base element with an address says. Most have none, so that all nodes are
// looked at: fast, and before the first address of a page alone.
func (w *work) baseReference() (href string, has bool) {
	for n := range nodesBelow(w.root) {
		if w.steps--; w.steps < 0 {
			return "", false
		}
		if n.Data == "base" && n.Type == html.ElementNode && n.Namespace == "" {
			if href, has = attr(n, "href"); has {
				return href, true
			}
		}
	}
	return "", false
}

func mustCompileSelector(src string) *selector {
	s, err := compileSelector(src)
	if err != nil {
		panic(err)
	}
	return s
}
