package extract

import (
	"fmt"
	"strings"

	"github.com/magpie-crawl/magpie/extract/article"
	"github.com/magpie-crawl/magpie/internal/spelling"
)

// ArticleParts are the parts of the page's article that Field.Article names.
var ArticleParts = []string{"title", "byline", "date", "modified", "language", "site", "excerpt", "image", "url", "text", "html", "markdown"}

// articleSource finds a part of the page's article.
type articleSource struct {
	part string
}

func (c *checker) articleSource(p path, text string) source {
	for _, part := range ArticleParts {
		if text == part {
			return articleSource{part}
		}
	}
	if near := spelling.Nearest(text, ArticleParts); near != "" {
		c.wrong(p, "an article has no part %q: did you mean %s?", text, near)
	} else {
		c.wrong(p, "an article has no part %q: the parts are %s", text, strings.Join(ArticleParts, ", "))
	}
	return articleSource{}
}

func (s articleSource) find(e *extraction, _ scope, yield func(found) bool) {
	a := e.readArticle()
	if a == nil {
		e.why = absence{what: "the page has no article"}
		return
	}
	e.why = absence{what: fmt.Sprintf("the article has no %s", s.part)}
	f := found{isText: true, work: &e.work}
	switch s.part {
	case "html":
		f.text = e.innerHTML(a.Node)
	case "markdown":
		f.text = e.work.markdown(a.Node)
	default:
		f.text, f.attr = s.text(a), s.part != "text"
	}
	if strings.TrimSpace(f.text) != "" {
		yield(f)
	}
}

func (s articleSource) text(a *article.Article) string {
	switch s.part {
	case "title":
		return a.Title
	case "byline":
		return a.Byline
	case "date":
		return a.Date
	case "modified":
		return a.Modified
	case "language":
		return a.Language
	case "site":
		return a.SiteName
	case "excerpt":
		return a.Excerpt
	case "image":
		return a.Image
	case "url":
		return a.URL
	}
	return a.Text
}

// readArticle finds the page's article once, whatever fields ask for it. It
// returns nil without one.
func (e *extraction) readArticle() *article.Article {
	if !e.articleRead {
		e.articleRead = true
		if e.spendBelow(e.root) {
			e.article, _ = article.Read(e.root, e.url)
		}
	}
	return e.article
}
