package crawl

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/magpie-crawl/magpie/weburl"
)

// canonical is the address that a document wants to be known by, "" if it says
// nothing or names its own. It is kept with the page and followed as a link; it
// drops no page, because many sites name their home page on every one.
// https://www.rfc-editor.org/rfc/rfc6596
func canonical(root *html.Node, page weburl.URL) string {
	for n := range elements(root) {
		if n.DataAtom != atom.Link || !slices.Contains(relations(n), "canonical") {
			continue
		}
		href, ok := attribute(n, "href")
		if !ok {
			continue
		}
		u, err := documentBase(root, page).Resolve(href)
		if err != nil || u == page {
			return ""
		}
		return u.String()
	}
	return ""
}
