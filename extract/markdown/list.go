package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// maxNumber is the greatest number that an item may have.
//
// https://spec.commonmark.org/0.31.2/#ordered-list-marker
const maxNumber = 999_999_999

// list renders ul and ol. What is in no item belongs to the item before, or
// stands before the list.
//
// https://html.spec.whatwg.org/multipage/grouping-content.html#the-ol-element
func (w *walker) list(n *html.Node) {
	w.flush()
	if w.nesting >= maxNesting || w.depth >= maxDepth {
		w.flow(n)
		return
	}
	b := block{kind: list, ordered: n.Data == "ol", number: listStart(n)}
	w.depth++
	for c := n.FirstChild; c != nil && w.left >= 0; {
		switch last := len(b.children) - 1; {
		case isItem(c):
			w.flush()
			w.item(&b, c)
			c = c.NextSibling
		case last < 0:
			w.node(c)
			c = c.NextSibling
		default:
			more := w.container(func() {
				for ; c != nil && !isItem(c); c = c.NextSibling {
					w.node(c)
				}
			})
			b.children[last].children = append(b.children[last].children, more...)
		}
	}
	w.depth--
	w.flush()
	w.addList(b)
}

func isItem(n *html.Node) bool {
	return n.Type == html.ElementNode && n.Namespace == "" && n.Data == "li" && !hidden(n)
}

// item adds an item. Empty ones count where there are numbers.
func (w *walker) item(b *block, li *html.Node) {
	children := w.container(func() { w.children(li) })
	if len(children) > 0 || b.ordered {
		b.children = append(b.children, block{kind: item, children: children})
	}
}

// addList adds a list in which something is.
func (w *walker) addList(b block) {
	for i := range b.children {
		if len(b.children[i].children) > 0 {
			w.add(b)
			return
		}
	}
}

// strayItem renders an li that is no child of a list.
func (w *walker) strayItem(li *html.Node) {
	w.flush()
	if w.nesting >= maxNesting {
		w.flow(li)
		return
	}
	last := len(w.out) - 1
	if last >= 0 && w.out[last].stray {
		w.item(&w.out[last], li)
		return
	}
	b := block{kind: list, stray: true}
	w.item(&b, li)
	w.addList(b)
}

// listStart returns the number of the first item.
func listStart(n *html.Node) int {
	s, ok := attr(n, "start")
	for c := n.FirstChild; c != nil && !ok; c = c.NextSibling {
		if c.Type == html.ElementNode && c.Data == "li" {
			s, _ = attr(c, "value")
			break
		}
	}
	number, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || number < 0 || number > maxNumber {
		return 1
	}
	return number
}
