package htmlparse

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// ShadowRoot gives the template that declares the shadow root of an element, nil if there is none. A browser makes a
// shadow root of its contents and drops the template; here the template stays in the tree as
// a child of its host, with its attributes (shadowrootmode, shadowrootdelegatesfocus, shadowrootclonable,
// shadowrootserializable). Only the first declaration of a host counts.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead (a start tag whose tag name is "template")
func ShadowRoot(host *html.Node) *html.Node {
	if !mayHostShadow(host) {
		return nil
	}
	for c := host.FirstChild; c != nil; c = c.NextSibling {
		if isHTMLElement(c, atom.Template) && declaresShadow(c) {
			return c
		}
	}
	return nil
}

func declaresShadow(template *html.Node) bool {
	mode, _ := attribute(template.Attr, "shadowrootmode")
	return equalFoldASCII(mode, "open") || equalFoldASCII(mode, "closed")
}

// mayHostShadow: https://dom.spec.whatwg.org/#valid-shadow-host-name
func mayHostShadow(n *html.Node) bool {
	if n.Type != html.ElementNode || n.Namespace != "" {
		return false
	}
	switch n.DataAtom {
	case atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Div, atom.Footer, atom.H1, atom.H2, atom.H3, atom.H4,
		atom.H5, atom.H6, atom.Header, atom.Main, atom.Nav, atom.P, atom.Section, atom.Span:
		return true
	}
	return isCustomElementName(n.Data)
}

// isCustomElementName: https://html.spec.whatwg.org/multipage/custom-elements.html#valid-custom-element-name
func isCustomElementName(name string) bool {
	switch name {
	case "annotation-xml", "color-profile", "font-face", "font-face-src", "font-face-uri", "font-face-format",
		"font-face-name", "missing-glyph":
		return false
	}
	return name != "" && 'a' <= name[0] && name[0] <= 'z' && strings.Contains(name, "-")
}
