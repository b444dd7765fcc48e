package article_test

import (
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/extract/article"
)

func TestDates(t *testing.T) {
	for in, want := range map[string]string{
		"2024-05-06T07:08:09+02:00":     "2024-05-06T07:08:09+02:00",
		"2024-05-06T07:08:09Z":          "2024-05-06T07:08:09Z",
		"2024-05-06T07:08:09.123+0200":  "2024-05-06T07:08:09+02:00",
		"2024-05-06 07:08:09":           "2024-05-06",
		"2024-05-06T07:08":              "2024-05-06",
		" 2024-05-06 ":                  "2024-05-06",
		"20240506":                      "2024-05-06",
		"6.5.2024":                      "2024-05-06",
		"May 6, 2024":                   "2024-05-06",
		"Mon, 06 May 2024 07:08:09 GMT": "2024-05-06",
		"2024-13-01":                    "",
		"5/6/2024":                      "", // of May, or of June
		"yesterday":                     "",
		"":                              "",
	} {
		t.Run(in, func(t *testing.T) {
			if got := article.FormatDate(in); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestTitles(t *testing.T) {
	for _, c := range []struct{ name, title, site, heading, want string }{
		{"site at the end", "A bird that waits | Marsh News", "Marsh News", "", "A bird that waits"},
		{"site in another case", "A bird that waits - MARSH NEWS", "Marsh News", "", "A bird that waits"},
		{"beyond the heading", "A bird that waits – Birds – Marsh", "", "A bird that waits", "A bird that waits"},
		{"heading goes on", "A bird that waits-and-sees", "", "A bird that waits", "A bird that waits-and-sees"},
		{"site without separator", "The best of Marsh News", "Marsh News", "", "The best of Marsh News"},
		{"site alone", "Marsh News", "Marsh News", "Marsh News", "Marsh News"},
		{"short heading", "Birds - a guide", "", "Birds", "Birds - a guide"},
		{"nothing", "", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := article.BareTitle(c.title, c.site, []string{"", c.heading}); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestMetadataSources(t *testing.T) {
	body := "<article>" + strings.Repeat("<p>"+sentence+sentence, 8) + "</article>"
	ld := func(s string) string { return "<script type=application/ld+json>" + s + "</script>" }
	for _, c := range []struct {
		name, head string
		field      func(*article.Article) string
		want       string
	}{
		{"author in linked data", ld(`{"@context":"https://schema.org","@type":"NewsArticle","author":"Ada Reed"}`), byline, "Ada Reed"},
		{"authors in a graph", ld(`{"@context":"https://schema.org","@graph":[{"@type":"WebSite"},{"@type":["Article"],"author":[{"name":"Ada Reed"},{"name":"Bo Rush"}]}]}`), byline, "Ada Reed, Bo Rush"},
		{"author in meta", `<meta name=DC.creator content="Ada Reed">`, byline, "Ada Reed"},
		{"author is a profile", `<meta property=article:author content="https://people.test/ada">`, byline, ""},
		{"date in linked data", ld(`<![CDATA[{"@type":"BlogPosting","datePublished":"2024-05-06"}]]>`), date, "2024-05-06"},
		{"date in meta", `<meta name=DC.date.issued content=2024-05-06>`, date, "2024-05-06"},
		{"date is none", `<meta name=date content="some day"><meta name=pubdate content=2024-05-06>`, date, "2024-05-06"},
		{"date in time", `</head><body><header><time datetime=2024-05-06>6 May</time></header>`, date, "2024-05-06"},
		{"date in a template", `<template><time datetime=2024-05-06>6 May</time></template>`, date, ""},
		{"modified", `<meta property=article:modified_time content=2024-05-07T01:02:03Z>`, func(a *article.Article) string { return a.Modified }, "2024-05-07T01:02:03Z"},
		{"canonical in Open Graph", `<meta property=og:url content=/b>`, func(a *article.Article) string { return a.URL }, "http://a.test/b"},
		{"language of Open Graph", `<meta property=og:locale content=de_AT>`, func(a *article.Article) string { return a.Language }, "de-AT"},
		{"image in linked data", ld(`{"@type":"Article","image":[{"url":"http://a.test/i.png"}]}`), func(a *article.Article) string { return a.Image }, "http://a.test/i.png"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, ok := article.Read(parse(t, c.head+body, nil), "http://a.test/a")
			if !ok {
				t.Fatal("no article")
			}
			if got := c.field(a); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func byline(a *article.Article) string { return a.Byline }

func date(a *article.Article) string { return a.Date }
