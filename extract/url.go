package extract

import (
	"errors"
	"strings"

	"github.com/nlnwa/whatwg-url/url"

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
	if u, ok := w.plainBase.ResolvePlain(s); ok && !strings.Contains(s, "#") {
		return strings.Clone(u.String()), nil // most links, many times faster; the reference may be a part of the page
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
	element := w.first(baseElement, w.root)
	if element == nil {
		return fallback
	}
	href, _ := attr(element, "href")
	if len(href) > longestAddress {
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

var baseElement = mustCompileSelector("base[href]")

func mustCompileSelector(src string) *selector {
	s, err := compileSelector(src)
	if err != nil {
		panic(err)
	}
	return s
}
