package extract

import (
	"time"

	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/weburl"
)

// maxSteps bounds the work for one page: a step is a node looked at or a
// byte of text taken. Ordinary pages need some thousand for each field; a
// nest of items within items, each read anew, would need the square of the
// page's size.
const maxSteps = 100_000_000

// work is what looking things up in one page has used and remembers.
type work struct {
	root   *html.Node
	lang   string // of the page, where no element says
	steps  int    // left; below zero nothing more is found
	stack  []reached
	counts map[siblings]counted
	quirks bool // see isQuirky

	freeHits []*hits // see takeHits
	rendered []byte  // room for text
	sets     map[*selector]map[*html.Node]bool

	page      *Page
	url       string     // its address
	base      *url.Url   // see baseURL
	plainBase weburl.URL // base, where it is plain: see weburl.URL.ResolvePlain
	baseKnown bool
}

func newWork(p *Page) work {
	w := work{root: p.Root, lang: p.Lang, steps: maxSteps, page: p, quirks: isQuirky(p.Root)}
	if p.URL != nil {
		w.url = p.URL.String()
	}
	return w
}

// isQuirky reports whether a document is in quirks mode, as far as the lack of
// a doctype says so: that of hardly a page with one.
//
// https://html.spec.whatwg.org/multipage/parsing.html#the-initial-insertion-mode
func isQuirky(root *html.Node) bool {
	if root == nil || root.Type != html.DocumentNode {
		return false
	}
	for c := root.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.DoctypeNode {
			return false
		}
	}
	return true
}

// now is when the page was fetched; zero where there is none.
func (w *work) now() time.Time {
	switch {
	case w.page == nil:
		return time.Time{}
	case w.page.FetchedAt.IsZero():
		return time.Now()
	}
	return w.page.FetchedAt
}

// exhausted reports whether the page has asked for too much work: what was
// not found since then may be there.
func (w *work) exhausted() bool { return w.steps < 0 }

// spendBelow spends a step for each node below n.
func (w *work) spendBelow(n *html.Node) bool {
	for c := range nodesBelow(n) {
		if w.steps -= 1 + len(c.Data); w.steps < 0 {
			return false
		}
	}
	return true
}

// first returns the first match of s from scope, nil without one.
func (w *work) first(s *selector, scope *html.Node) (found *html.Node) {
	w.each(s, scope, func(n *html.Node) bool {
		found = n
		return false
	})
	return found
}

// all returns the set of elements of the document that match s.
func (w *work) all(s *selector) map[*html.Node]bool {
	set, ok := w.sets[s]
	if !ok {
		set = map[*html.Node]bool{}
		w.each(s, w.root, func(n *html.Node) bool {
			set[n] = true
			return true
		})
		if w.sets == nil {
			w.sets = map[*selector]map[*html.Node]bool{}
		}
		w.sets[s] = set
	}
	return set
}

// each calls yield with the matches of s in document order until it returns
// false: descendants of scope, and where s begins with + or ~ what follows
// it. As in querySelector, what is above scope counts for combinators, and
// the contents of a template are not in the document.
//
// https://dom.spec.whatwg.org/#dom-parentnode-queryselectorall
func (w *work) each(s *selector, scope *html.Node, yield func(*html.Node) bool) {
	if s.fromDocument {
		scope = w.root
	}
	q := newQuery(s, w, scope)
	below, beside := q.seed(scope)
	if s.within && !q.walk(firstBelow(scope), below, yield) {
		return
	}
	if s.beside {
		q.walk(scope.NextSibling, beside, yield)
	}
}

// seed returns what the children and the following siblings of scope begin
// with. Only parts that others come after are tried.
func (q *query) seed(scope *html.Node) (below, beside reached) {
	if !q.combines {
		return reached{}, reached{}
	}
	defer func(live uint64) { q.live = live }(q.live)
	q.live &^= q.ends
	if q.relative {
		if scope.Type != html.ElementNode { // :scope is the root element, which the walk will meet
			return reached{}, reached{}
		}
		got := q.reach(scope, reached{})
		return reached{}.below(got), reached{}.behind(got)
	}
	var room [32]*html.Node
	path := room[:0]
	for n := scope; n != nil; n = n.Parent {
		path = append(path, n)
	}
	siblings := q.after[nextSibling]|q.after[subsequentSibling] != 0
	for i := len(path) - 1; i >= 0; i-- {
		n, at := path[i], below
		if siblings && n.Parent != nil {
			for s := n.Parent.FirstChild; s != n && s != nil; s = s.NextSibling {
				if q.steps--; s.Type == html.ElementNode {
					at = at.behind(q.reach(s, at))
				}
			}
		}
		var got uint64
		if q.steps--; n.Type == html.ElementNode {
			got = q.reach(n, at)
		}
		below, beside = at.below(got), at.behind(got)
	}
	return below, beside
}

// walk calls yield with the matches among n, its following siblings and all
// that is below them, n having reached at. It reports whether to go on.
func (q *query) walk(n *html.Node, at reached, yield func(*html.Node) bool) bool {
	if n == nil {
		return true
	}
	top, base := n.Parent, len(q.stack)
	defer func() { q.stack = q.stack[:base] }()
	for {
		if q.steps--; q.steps < 0 {
			return false
		}
		if n == q.until {
			return true
		}
		if n.Type == html.ElementNode {
			q.steps -= attributesCost(n)
			got := q.reach(n, at)
			if q.got = got; got&q.ends != 0 && !yield(n) {
				return false
			}
			if n.FirstChild != nil && !isTemplate(n) {
				q.stack = append(q.stack, at.behind(got))
				n, at = n.FirstChild, at.below(got)
				continue
			}
			at = at.behind(got)
		}
		for n.NextSibling == nil {
			if n = n.Parent; n == top || n == nil {
				return true
			}
			at = q.stack[len(q.stack)-1]
			q.stack = q.stack[:len(q.stack)-1]
		}
		n = n.NextSibling
	}
}

// firstBelow is the first child of n; the contents of a template are none.
func firstBelow(n *html.Node) *html.Node {
	if isTemplate(n) {
		return nil
	}
	return n.FirstChild
}

// isTemplate reports whether the children of n are a template's contents.
func isTemplate(n *html.Node) bool { return n.Data == "template" && n.Namespace == "" }

// rootElement returns the document's element, nil without one.
func rootElement(doc *html.Node) *html.Node {
	for n := doc.FirstChild; n != nil; n = n.NextSibling {
		if n.Type == html.ElementNode {
			return n
		}
	}
	return nil
}

// nodesBelow yields the descendants of n in document order, without the
// contents of templates.
func nodesBelow(top *html.Node) func(yield func(*html.Node) bool) {
	return func(yield func(*html.Node) bool) {
		n := top.FirstChild
		for n != nil {
			if !yield(n) {
				return
			}
			if n.FirstChild != nil && !isTemplate(n) {
				n = n.FirstChild
				continue
			}
			for n != top && n.NextSibling == nil {
				n = n.Parent
			}
			if n == top {
				return
			}
			n = n.NextSibling
		}
	}
}
