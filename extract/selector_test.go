package extract

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

const standards, quirks = "<!DOCTYPE html>", ""

// selectorPage has an ID on each element that the cases of TestSelectors
// match.
const selectorPage = `<html lang=en-US><title>T</title>
<body><div id=1a class="1x w-1/2 a.b é" data-a=Val data-empty="" data-sp="a b  c"><p id=p1 class=x>1<p id=p2>2</div>
<input id=i1 type=TEXT><input id=i2 type=checkbox disabled><link id=l1 rel=NoFollow href=x><a id=a1 href=x title=" " rel="A NOFOLLOW">a</a><a id=a2>a</a>
<ul><li id=li1 class=i>1<li id=li2 class="i s">2<li id=li3>3<li id=li4 class=i>4<li id=li5 class=s>5<li id=li6 class=I>6</ul>
<svg id=s1 viewBox="0 0 1 1"><linearGradient id=s2 gradientUnits=x /><foreignObject id=s3><div id=s4></div><a id=s5></a></foreignObject><a id=s6 xlink:href=x>t</a></svg>
<template id=t1><p>t</p></template><span id=e1></span><span id=e2> </span><span id=e3><!-- c --></span>
<div lang=""><i id=n1>n</i></div><div lang=de-Latn-CH><i id=n2>d</i><i lang=fr id=n3>f</i></div>
<b id=Big title=")]'">b</b><b id=b2 title='it"s'>b</b>`

func TestSelectors(t *testing.T) {
	cases := []struct{ doctype, selector, want string }{
		{standards, `#\31 a`, "1a"},
		{standards, `#\31 a p`, "p1 p2"},
		{standards, `div#\000031a>p`, "p1 p2"},
		{standards, `#\31 a .x, #\31 a p + p`, "p1 p2"},
		{standards, `.\31x.w-1\/2.a\.b.\é`, "1a"},
		{standards, `p/* it's */.x`, "p1"},
		{standards, `div/* ( */> /**/ p /**/.x, div /* a, b */ > .x`, "p1"},
		{standards, `[title=")]'"], [title='it"s'], [title=it\"s]`, "Big b2"},

		{standards, `[data-a=Val]`, "1a"},
		{standards, `[data-a=val]`, ""},
		{standards, `[data-a=val i]`, "1a"},
		{standards, `[type=text]`, "i1"},
		{standards, `[type=text s]`, ""},
		{standards, `[rel=nofollow]`, "l1"},
		{standards, `[rel~=nofollow]`, "l1 a1"},
		{standards, `[data-sp~=b]`, "1a"},
		{standards, `[data-sp~=""]`, ""},
		{standards, `[data-sp~="a b"]`, ""},
		{standards, `[data-empty^=""]`, ""},
		{standards, `[title^=" "]`, "a1"},
		{standards, `a[title*=" "]`, "a1"},
		{standards, `a[title!=" "]`, "a2 s5 s6"},
		{standards, `[rel#=^A N]`, "a1"},

		{standards, "linearGradient", "s2"},
		{standards, "foreignObject > div, foreignobject a", "s4 s5"},
		{standards, "svg[viewBox='0 0 1 1'] [gradientUnits]", "s2"},
		{standards, "a[href]", "a1"},
		{standards, "a[*|href]", "a1 s6"},
		{standards, "*|a:not([|href])", "a2 s5 s6"},
		{standards, "svg a:first-of-type", "s5 s6"},

		{standards, "li:nth-child(2 of .i)", "li2"},
		{standards, "li:nth-child(odd of .i)", "li1 li4"},
		{standards, ":nth-child(even of li.i, li.s)", "li2 li5"},
		{standards, "li:nth-last-child(1 of .i)", "li4"},
		{standards, "li:nth-last-child(-n+2 of .s, .i)", "li4 li5"},

		{standards, ":any-link", "a1 s6"},
		{standards, "a:link, link:link", "a1 s6"},
		{standards, ":enabled", "i1"},
		{standards, "span:empty, div:empty", "s4 e1 e3"},
		{standards, "template:empty", "t1"},
		{standards, ":has(> p)", "1a"},
		{standards, "i:lang(en)", ""},
		{standards, `i:lang("")`, "n1"},
		{standards, "i:lang(de)", "n2"},
		{standards, `i:lang(fr, "*-CH")`, "n2 n3"},
		{standards, "li:lang(EN)", "li1 li2 li3 li4 li5 li6"},

		{standards, ".I", "li6"},
		{standards, "#big", ""},
		{quirks, ".I", "li1 li2 li4 li6"},
		{quirks, ".i.s", "li2"},
		{quirks, "#big", "Big"},
		{quirks, "[data-a=val]", ""},
	}
	for _, c := range cases {
		t.Run(c.doctype+c.selector, func(t *testing.T) {
			doc, err := htmlparse.ParseString(c.doctype+selectorPage, nil)
			if err != nil {
				t.Fatal(err)
			}
			spec := Spec{Items: []Item{{Name: "x", Fields: []Field{{Name: "all", CSS: c.selector, Attr: "id", All: true}}}}}
			ids := ""
			for _, r := range sameBothWays(t, spec, doc.Root).Records {
				for _, f := range r.Fields {
					ids += join(f.Value.([]any), " ")
				}
			}
			if ids != c.want {
				t.Errorf("got %q, want %q", ids, c.want)
			}
		})
	}
}

func TestSelectorMistakes(t *testing.T) {
	cases := map[string]string{
		".1x":                   `write \31 x`,
		"[data-q=1]":            "in quotes",
		"[a=b c]":               `unexpected "c"`,
		"[a@=b]":                `unexpected "@=b"`,
		"[a":                    "not closed",
		"[]":                    "a name is missing",
		"[a=]":                  "a name is missing",
		"div/**/p":              `unexpected "p"`,
		"p*":                    `unexpected "*"`,
		"svg|a":                 "write *|a",
		".-":                    "is no name",
		`.a\`:                   "not complete",
		"p::before":             "not in the document",
		"p:before":              "not in the document",
		":bogus":                "no pseudo-class",
		":lang()":               "a name is missing",
		":lang(de fr)":          `unexpected "fr"`,
		":nth-child(1 of )":     "missing",
		":nth-of-type(1 of .a)": "no position",
	}
	for selector, want := range cases {
		t.Run(selector, func(t *testing.T) {
			_, err := compileSelector(selector)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want one with %q", err, want)
			}
		})
	}
}

// TestNthOfGrowth counts the steps of positions among twice as many siblings.
func TestNthOfGrowth(t *testing.T) {
	spent := func(n int) int {
		root := &html.Node{Type: html.DocumentNode}
		for range n {
			root.AppendChild(&html.Node{Type: html.ElementNode, Data: "p"})
		}
		w := newWork(&Page{Root: root})
		w.each(mustCompileSelector(":nth-last-child(2 of p), :nth-child(3 of p)"), root, func(*html.Node) bool { return true })
		return maxSteps - w.steps
	}
	if few, many := spent(1000), spent(2000); many > 3*few {
		t.Errorf("%d steps for 1000 siblings, %d for 2000", few, many)
	}
}
