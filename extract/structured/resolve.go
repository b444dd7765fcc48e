package structured

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/nlnwa/whatwg-url/url"
)

// maxURL is how long a URL may be to be resolved. Longer ones are data.
const maxURL = 16 << 10

// resolver makes URLs absolute.
type resolver struct {
	base *url.Url // nil where it isn't known
	cost int      // of a URL that takes its beginning from the base
}

func newResolver(base string) resolver {
	if base == "" || len(base) > maxURL {
		return resolver{}
	}
	u, err := url.Parse(base)
	if err != nil {
		return resolver{}
	}
	return resolver{u, len(base)}
}

// resolve returns the URL that s stands for, copied; s without the whitespace
// around it where it stands for none, or where b doesn't reach. An empty s
// stays empty.
//
// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#resolving-urls
func (r resolver) resolve(s string, b *budget) string {
	s = strings.Trim(s, asciiWhitespace)
	if s == "" || !b.spend(len(s)) {
		return ""
	}
	if len(s) > maxURL || !b.spend(r.cost) {
		return strings.Clone(s)
	}
	var u *url.Url
	var err error
	if r.base != nil {
		u, err = r.base.Parse(s)
	} else {
		u, err = url.Parse(s)
	}
	if err != nil {
		return strings.Clone(s)
	}
	return strings.Clone(u.Href(false))
}

// attr resolves an attribute. An empty href is a link to the page, as the
// standard has it; an empty src or data is a value that is missing.
func (r resolver) attr(n *html.Node, name string, b *budget) string {
	s, ok := attr(n, name)
	if ok && name == "href" && r.base != nil && strings.Trim(s, asciiWhitespace) == "" {
		if !b.spend(r.cost) {
			return ""
		}
		return strings.Clone(r.base.Href(true))
	}
	return r.resolve(s, b)
}
