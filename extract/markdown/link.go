package markdown

import (
	"errors"
	"strings"

	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/weburl"
)

const (
	maxURL = weburl.MaxLength
	maxAt  = 64 // the time of the full parser grows with the square of the "@"
)

var errNoURL = errors.New("not a URL to link to")

// anchor renders a link. One that leads nowhere is plain text, and so is one
// within another.
//
// https://html.spec.whatwg.org/multipage/text-level-semantics.html#the-a-element
func (w *walker) anchor(n *html.Node) {
	href, ok := attr(n, "href")
	before := w.format
	if ok && w.format.link == nil {
		if u, err := w.resolve(href); err == nil {
			title, _ := attr(n, "title")
			w.format.link = w.newLink(u, title)
		}
	}
	w.children(n)
	w.format = before
}

// newLink returns a link, nil when the page has had too many bytes of URLs.
func (w *walker) newLink(u, title string) *link {
	title = oneLine(title)
	if w.urlBytes -= len(u) + len(title); w.urlBytes < 0 {
		return nil
	}
	return &link{u, title}
}

// img renders an image. One without an address that could be fetched shows
// its text.
//
// https://html.spec.whatwg.org/multipage/embedded-content.html#the-img-element
func (w *walker) img(n *html.Node) {
	alt, _ := attr(n, "alt")
	title, _ := attr(n, "title")
	i := image{alt: oneLine(alt), title: oneLine(title), url: w.imageURL(n)}
	if w.urlBytes -= len(i.url) + len(i.title); w.urlBytes < 0 {
		return
	}
	if i.url != "" || i.alt != "" {
		w.line.picture(&i, w.format)
	}
}

// imageURL returns where an image is, also of one that scripts load late.
func (w *walker) imageURL(n *html.Node) string {
	for _, name := range []string{"src", "data-src", "data-original", "data-lazy-src"} {
		if s, ok := attr(n, name); ok && strings.TrimSpace(s) != "" {
			if u, err := w.resolve(s); err == nil {
				return u
			}
		}
	}
	return ""
}

// media renders what is embedded as a link on a line of its own, if it is
// known where it is.
//
// https://html.spec.whatwg.org/multipage/embedded-content.html
func (w *walker) media(n *html.Node) {
	u := w.mediaURL(n)
	if u == "" || w.format.link != nil {
		return
	}
	l := w.newLink(u, "")
	if l == nil {
		return
	}
	text, _ := attr(n, "title")
	if text = oneLine(text); text == "" {
		text = u
	}
	w.flush()
	w.line.literal(text, format{link: l})
	w.flush()
}

func (w *walker) mediaURL(n *html.Node) string {
	name := "src"
	if n.Data == "object" {
		name = "data"
	}
	s, ok := attr(n, name)
	for c := n.FirstChild; c != nil && !ok; c = c.NextSibling {
		if c.Type == html.ElementNode && c.Data == "source" {
			s, ok = attr(c, "src")
		}
	}
	if strings.TrimSpace(s) == "" || strings.HasPrefix(strings.TrimSpace(s), "about:") {
		return ""
	}
	u, err := w.resolve(s)
	if err != nil {
		return ""
	}
	return u
}

// setBase reads the URL that others are resolved against.
func (w *walker) setBase(base string) {
	if base == "" || len(base) > maxURL || strings.Count(base, "@") > maxAt {
		return
	}
	if u, err := url.Parse(base); err == nil {
		w.base = u
		w.plainBase, _ = weburl.URL{}.ResolvePlain(u.Href(true))
	}
}

// resolve returns the URL of a link, absolute if there is a base. Scripts and
// data are no URLs to link to.
//
// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#resolving-urls
func (w *walker) resolve(s string) (string, error) {
	s = strings.Trim(s, asciiWhitespace)
	if len(s) > maxURL || strings.Count(s, "@") > maxAt {
		return "", errNoURL
	}
	if w.base == nil {
		s = strings.Map(printable, s)
		if unlinked(s) {
			return "", errNoURL
		}
		return s, nil
	}
	if u, ok := w.plainBase.ResolvePlain(s); ok && !strings.Contains(s, "#") {
		return u.String(), nil
	}
	u, err := w.base.Parse(s)
	if err != nil {
		return "", errNoURL
	}
	if s = u.Href(false); unlinked(s) {
		return "", errNoURL
	}
	return s, nil
}

// printable drops control characters, which end a destination.
func printable(r rune) rune {
	if r < ' ' || r == 0x7F {
		return -1
	}
	return r
}

// unlinked tells the schemes that hold something instead of saying where it is.
func unlinked(s string) bool {
	scheme, _, ok := strings.Cut(s, ":")
	if !ok {
		return false
	}
	switch strings.ToLower(scheme) {
	case "javascript", "vbscript", "data", "blob":
		return true
	}
	return false
}

// destination appends what stands behind the text of a link or an image.
//
// https://spec.commonmark.org/0.31.2/#link-destination
func (i *inlineWriter) destination(dst []byte, u, title string) []byte {
	dst = append(dst, '(')
	bracket := (u == "" && title != "") || strings.ContainsAny(u, " <>()")
	if bracket {
		dst = append(dst, '<')
	}
	dst = i.escapeURL(dst, u)
	if bracket {
		dst = append(dst, '>')
	}
	if title != "" {
		dst = append(dst, ` "`...)
		dst = i.escapeTitle(dst, title)
		dst = append(dst, '"')
	}
	return append(dst, ')')
}

func (i *inlineWriter) escapeURL(dst []byte, u string) []byte {
	for at := range len(u) {
		switch c := u[at]; {
		case c == '\\', c == '<', c == '>', c == '|' && i.cell, c == '&' && beginsReference([]byte(u[at+1:min(len(u), at+50)])):
			dst = append(dst, '\\', c)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

func (i *inlineWriter) escapeTitle(dst []byte, title string) []byte {
	for at := range len(title) {
		switch c := title[at]; {
		case c == '\\', c == '"', c == '|' && i.cell, c == '&':
			dst = append(dst, '\\', c)
		case c == 0:
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// oneLine joins the lines of an attribute.
func oneLine(s string) string { return strings.Join(strings.FieldsFunc(s, isSpaceOrBreak), " ") }

func isSpaceOrBreak(r rune) bool { return r < 0x80 && isSpace(byte(r)) }
