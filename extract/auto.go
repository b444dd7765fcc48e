package extract

import (
	"github.com/magpie-crawl/magpie/extract/article"
	"github.com/magpie-crawl/magpie/extract/markdown"
	"github.com/magpie-crawl/magpie/extract/structured"
)

// PageData is what a page says without a spec: of itself for machines, and its
// article.
type PageData struct {
	URL string `json:"url,omitempty"` // the page's address
	*structured.Data
	Article *ArticleData `json:"article,omitempty"` // nil: the page has none
}

// ArticleData is an article with its content in three writings.
type ArticleData struct {
	*article.Article
	HTML     string `json:"html"`
	Markdown string `json:"markdown"`
}

// Auto takes what a page says in JSON-LD, microdata, RDFa, microformats, the
// Open Graph protocol, meta and link elements, and its article. Nothing that a
// page holds makes it fail.
func Auto(p Page) *PageData {
	if p.Root == nil {
		return &PageData{Data: &structured.Data{}}
	}
	e := extraction{work: newWork(&p)}
	data := &PageData{URL: e.url, Data: structured.Read(p.Root, e.baseAddress())}
	if a := e.readArticle(); a != nil {
		data.Article = &ArticleData{Article: a, HTML: e.innerHTML(a.Node), Markdown: markdown.Render(a.Node, &markdown.Options{Base: e.baseAddress()})}
	}
	return data
}
