// Package thorough reads articles as package article does, with go-trafilatura
// as the second reader. It finds more on pages in doubt. A program that links
// it pays for it at each start, used or not: go-trafilatura's tables take about
// 80 MB and, on a core of a small server, 140 ms to set up.
package thorough

import (
	"net/url"

	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/article"
)

// Read is article.Read with Second.
func Read(root *html.Node, address string) (*article.Article, bool) {
	return (&article.Reader{Second: Second}).Read(root, address)
}

// Second finds the content of a page with go-trafilatura. It changes the tree.
// It is made for article.Reader, which keeps from it trees that are too large
// and catches its panics. A page without content gives nil.
func Second(root *html.Node, page *url.URL) *html.Node {
	result, err := trafilatura.ExtractDocument(root, trafilatura.Options{
		OriginalURL:     page,
		ExcludeComments: true,
		Focus:           trafilatura.FavorRecall,
		HtmlDateMode:    trafilatura.Disabled,
		IncludeImages:   true,
		IncludeLinks:    true,
	})
	if err != nil {
		return nil
	}
	return result.ContentNode
}
