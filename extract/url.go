package extract

import (
	"errors"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
)

// resolve returns the absolute URL that s stands for in the page, as browsers
// resolve links.
//
// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#resolving-urls
func (w *work) resolve(s string) (string, error) {
	base := w.baseURL()
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
	if w.baseKnown {
		return w.base
	}
	w.baseKnown = true
	if w.url != "" {
		if u, err := url.Parse(w.url); err == nil {
			w.base = u
		}
	}
	element := w.first(baseElement, w.root)
	if element == nil {
		return w.base
	}
	href, _ := attr(element, "href")
	var u *url.Url
	var err error
	if w.base == nil {
		u, err = url.Parse(strings.TrimSpace(href))
	} else {
		u, err = w.base.Parse(href)
	}
	if err == nil && u.Scheme() != "data" && u.Scheme() != "javascript" {
		w.base = u
	}
	return w.base
}

var baseElement = mustCompileSelector("base[href]")

func mustCompileSelector(src string) *selector {
	s, err := compileSelector(src)
	if err != nil {
		panic(err)
	}
	return s
}
