package extract

import (
	"errors"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// maxLinks is how many links or images a value holds.
const maxLinks = 10_000

var (
	linkElement  = mustCompileSelector("a[href], area[href]")
	imageElement = mustCompileSelector("img, input[type=image i]")
)

// linksIn lists the links in n, or n itself: url, and where there are any
// text, title and rel. What is no address, such as a script, is left out.
func (w *work) linksIn(n *html.Node) ([]any, error) {
	var list []any
	w.itselfAndEach(linkElement, n, func(a *html.Node) bool {
		href, _ := attr(a, "href")
		u, err := w.resolve(strings.TrimSpace(href))
		if err != nil {
			return true
		}
		o := Object{{"url", u}}
		text := w.text(a)
		if a.Data == "area" {
			text, _ = attr(a, "alt")
		}
		o = appendText(o, "text", text)
		o = appendAttr(o, a, "title")
		o = appendAttr(o, a, "rel")
		list = append(list, o)
		return len(list) < maxLinks
	})
	if len(list) == 0 {
		return nil, errors.New("holds no link")
	}
	return list, nil
}

// imagesIn lists the images in n, or n itself: url, and where there are any
// alt, title, width and height. An image that scripts load later is found by
// its data-src.
func (w *work) imagesIn(n *html.Node) ([]any, error) {
	var list []any
	w.itselfAndEach(imageElement, n, func(img *html.Node) bool {
		u := w.imageURL(img)
		if u == "" {
			return true
		}
		o := Object{{"url", u}}
		o = appendAttr(o, img, "alt")
		o = appendAttr(o, img, "title")
		for _, name := range []string{"width", "height"} {
			value, _ := attr(img, name)
			if pixels, err := strconv.ParseInt(strings.TrimSpace(value), 10, 32); err == nil && pixels >= 0 {
				o = append(o, Member{name, pixels})
			}
		}
		list = append(list, o)
		return len(list) < maxLinks
	})
	if len(list) == 0 {
		return nil, errors.New("holds no image")
	}
	return list, nil
}

// imageURL is an image's address: that of src, unless a script is to put
// another one there.
func (w *work) imageURL(img *html.Node) string {
	for _, name := range []string{"data-src", "data-original", "data-lazy-src", "src"} {
		value, _ := attr(img, name)
		if value = strings.TrimSpace(value); value == "" || strings.HasPrefix(value, "data:") && name != "src" {
			continue
		}
		if u, err := w.resolve(value); err == nil {
			return u
		}
	}
	return ""
}

func appendAttr(o Object, n *html.Node, name string) Object {
	value, _ := attr(n, name)
	return appendText(o, name, value)
}

func appendText(o Object, name, text string) Object {
	if text = oneLine(text); text == "" {
		return o
	}
	return append(o, Member{name, strings.Clone(text)}) // an attribute is a part of the page
}

// itselfAndEach is each for matches that n itself may be one of.
func (w *work) itselfAndEach(s *selector, n *html.Node, yield func(*html.Node) bool) {
	q := newQuery(s, w, n)
	if n.Type == html.ElementNode && q.reach(n, reached{})&s.ends != 0 && !yield(n) {
		return
	}
	w.each(s, n, yield)
}
