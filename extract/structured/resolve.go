package structured

import (
	"strings"

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
// stays empty: it is a value that is missing more often than the page's own
// address.
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
