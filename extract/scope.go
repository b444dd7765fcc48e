package extract

import "golang.org/x/net/html"

// scope is what the fields of an item are looked up in: a node, a node with
// the siblings that belong to it, or a JSON value.
type scope struct {
	node *html.Node // nil where there is a JSON value alone

	siblings bool       // what follows node belongs to it too,
	until    *html.Node // up to here; nil: up to the last sibling

	json   any
	isJSON bool

	hits *hits // what the selectors of the fields match; nil: not looked up
}

// within calls yield with the matches of s in a scope, in document order,
// until it returns false.
func (w *work) within(s *selector, sc scope, yield func(*html.Node) bool) {
	if !sc.siblings || s.fromDocument {
		w.each(s, sc.node, yield)
		return
	}
	q := newQuery(s, w, sc.node)
	q.until = sc.until
	below, beside := q.seed(sc.node)
	if !s.within || q.walk(firstBelow(sc.node), below, yield) {
		q.walk(sc.node.NextSibling, beside, yield)
	}
}

// matches calls yield with the scope of each record that an each makes:
// each match, and with siblings what follows it up to the next one.
func (e *extraction) matches(each nodes, siblings bool, from scope, yield func(scope) bool) {
	if !siblings {
		each.find(e, from, func(n *html.Node) bool { return yield(scope{node: n}) })
		return
	}
	var last *html.Node // whose end is not known yet
	goOn := each.find(e, from, func(n *html.Node) bool {
		before := last
		last = n
		return before == nil || yield(scope{node: before, siblings: true, until: e.siblingWith(before, n)})
	})
	if goOn && last != nil {
		yield(scope{node: last, siblings: true, until: from.until})
	}
}

// siblingWith is the sibling of n that next is or stands in; nil if there is
// none.
func (e *extraction) siblingWith(n, next *html.Node) *html.Node {
	for ; next != nil; next = next.Parent {
		if e.steps--; next.Parent == n.Parent {
			return next
		}
	}
	return nil
}
