package extract

import (
	"errors"
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/xpath"
)

// cssSource finds the matches of a selector.
type cssSource struct {
	*selector
	document bool // looked up from the document
}

var noMatch = absence{what: "nothing matches the selector"}

func (s cssSource) find(e *extraction, sc scope, yield func(found) bool) {
	e.why = noMatch
	e.eachCSS(s, sc, func(n *html.Node) bool { return yield(found{node: n, work: &e.work}) })
}

// eachCSS calls yield with the matches of a selector until it returns false.
func (e *extraction) eachCSS(s cssSource, sc scope, yield func(*html.Node) bool) {
	switch {
	case s.document:
		e.work.each(s.selector, e.root, yield)
	case sc.node != nil:
		e.within(s.selector, sc, yield)
	}
}

// xpathSource finds what an XPath expression comes to: nodes, or one text,
// number or truth.
type xpathSource struct {
	*xpath.Expr
	document bool
}

func (s xpathSource) find(e *extraction, sc scope, yield func(found) bool) {
	v, ok := s.evaluate(e, sc)
	if !ok {
		return
	}
	e.why = absence{what: "the XPath finds nothing"}
	if !v.IsNodeSet() {
		f := found{text: v.String(), isText: true, node: sc.node, work: &e.work}
		if strings.TrimSpace(f.text) != "" && f.text != "NaN" {
			yield(f)
		}
		return
	}
	for _, n := range v.Nodes() {
		f := found{node: n.Node, work: &e.work}
		if n.Attr >= 0 || n.Type != html.ElementNode && n.Type != html.DocumentNode {
			f.text, f.isText, f.attr = strings.TrimSpace(n.StringValue()), true, n.Attr >= 0
		}
		if !yield(f) {
			return
		}
	}
}

// evaluate gives the expression's value in a scope.
func (s xpathSource) evaluate(e *extraction, sc scope) (v xpath.Value, ok bool) {
	context := sc.node
	if s.document || context == nil {
		context = e.root
	}
	v, err := s.Evaluate(context, &e.steps)
	if err != nil {
		e.why = absence{what: "the XPath can't be evaluated: " + err.Error()}
		if errors.Is(err, xpath.ErrSteps) {
			e.steps = min(e.steps, -1)
		}
		return v, false
	}
	return v, true
}

// cssNodes and xpathNodes are what an each can be.
type (
	cssNodes   struct{ *selector }
	xpathNodes struct{ *xpath.Expr }
)

func (s cssNodes) find(e *extraction, sc scope, yield func(*html.Node) bool) bool {
	goOn := true
	e.eachCSS(cssSource{selector: s.selector}, sc, func(n *html.Node) bool {
		goOn = yield(n)
		return goOn
	})
	return goOn
}

func (s xpathNodes) find(e *extraction, sc scope, yield func(*html.Node) bool) bool {
	v, ok := xpathSource{Expr: s.Expr}.evaluate(e, sc)
	if !ok {
		return true
	}
	for _, n := range v.Nodes() {
		if n.Attr < 0 && !yield(n.Node) {
			return false
		}
	}
	return true
}

// isXPath tells XPath from CSS where either may stand.
func isXPath(s string) bool {
	s = strings.TrimSpace(s)
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, "./") || strings.HasPrefix(s, "(")
}
