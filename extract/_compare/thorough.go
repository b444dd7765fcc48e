package main

import (
	"net/url"

	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/article"
)

// readThoroughly is article.Read with go-trafilatura as the second reader. It is
// no part of package article: linked into a program, go-trafilatura's tables
// take about 80 MB and 140 ms at each start, used or not.
func readThoroughly(root *html.Node, address string) (*article.Article, bool) {
	return (&article.Reader{Second: second}).Read(root, address)
}

// second finds the content of a page with go-trafilatura; nil for a page
// without any. It changes the tree.
func second(root *html.Node, page *url.URL) *html.Node {
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
