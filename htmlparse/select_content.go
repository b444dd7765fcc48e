package htmlparse

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// selectState is what the parser knows of a select element with a selectedcontent element in it, which shows
// a copy of the chosen option's contents.
//
// https://html.spec.whatwg.org/multipage/form-elements.html#the-selectedcontent-element
type selectState struct {
	content *html.Node // the select's enabled selectedcontent
	chosen  *html.Node // the option whose selectedness is true
	marked  bool       // it has a selected attribute
}

// selectedcontentInserted registers a selectedcontent element with its select, if it is the first one there and is not
// disabled, and fills it with what is chosen so far.
//
// https://html.spec.whatwg.org/multipage/form-elements.html#the-selectedcontent-element (post-connection steps)
func (b *treeBuilder) selectedcontentInserted(n *html.Node) {
	owner := selectOfContent(n)
	if owner == nil || b.selects[owner] != nil {
		return
	}
	if _, multiple := attribute(owner.Attr, "multiple"); multiple {
		return
	}
	if b.selects == nil {
		b.selects = make(map[*html.Node]*selectState)
	}
	s := &selectState{content: n}
	b.selects[owner] = s
	for option := owner.FirstChild; option != nil; option = nextWithin(option, owner) {
		if isHTMLElement(option, atom.Option) && selectOfOption(option) == owner {
			s.choose(option, owner)
		}
	}
	if s.chosen != nil {
		b.showOption(s)
	}
}

// selectOfContent gives the select that a selectedcontent belongs to; nil if it is disabled: in an option, in another
// selectedcontent, or in nested selects.
func selectOfContent(n *html.Node) *html.Node {
	var owner *html.Node
	for a := n.Parent; a != nil; a = a.Parent {
		switch {
		case isHTMLElement(a, atom.Select):
			if owner != nil {
				return nil
			}
			owner = a
		case isHTMLElement(a, atom.Option), a.Namespace == "" && a.Data == "selectedcontent":
			return nil
		}
	}
	return owner
}

// selectOfOption gives the select that an option belongs to, nil for none.
//
// https://html.spec.whatwg.org/multipage/form-elements.html#option-element-nearest-ancestor-select
func selectOfOption(n *html.Node) *html.Node {
	inGroup := false
	for a := n.Parent; a != nil; a = a.Parent {
		switch {
		case isHTMLElement(a, atom.Select):
			return a
		case isHTMLElement(a, atom.Datalist), isHTMLElement(a, atom.Hr), isHTMLElement(a, atom.Option):
			return nil
		case isHTMLElement(a, atom.Optgroup):
			if inGroup {
				return nil
			}
			inGroup = true
		}
	}
	return nil
}

// optionInserted takes a new option into account.
func (b *treeBuilder) optionInserted(n *html.Node) {
	if owner := selectOfOption(n); owner != nil && b.selects[owner] != nil {
		b.selects[owner].choose(n, owner)
	}
}

// choose runs the selectedness setting algorithm for an option inserted behind all others: the last one with a selected
// attribute is chosen, else, in a drop-down box, the first that is not disabled.
//
// https://html.spec.whatwg.org/multipage/form-elements.html#selectedness-setting-algorithm
func (s *selectState) choose(option, owner *html.Node) {
	if _, marked := attribute(option.Attr, "selected"); marked {
		s.chosen, s.marked = option, true
		return
	}
	if s.chosen == nil && isDropDown(owner) && !isDisabledOption(option) {
		s.chosen = option
	}
}

// isDropDown says whether a select without the multiple attribute has a display size of 1.
//
// https://html.spec.whatwg.org/multipage/form-elements.html#concept-select-size
func isDropDown(n *html.Node) bool {
	value, _ := attribute(n.Attr, "size")
	value = strings.TrimLeft(value, "\t\n\f\r ")
	digits := len(value) - len(strings.TrimLeft(value, "0123456789"))
	size, err := strconv.Atoi(value[:digits])
	return err != nil || size <= 1
}

// isDisabledOption: https://html.spec.whatwg.org/multipage/form-elements.html#concept-option-disabled
func isDisabledOption(n *html.Node) bool {
	if _, disabled := attribute(n.Attr, "disabled"); disabled {
		return true
	}
	for a := n.Parent; a != nil && !isHTMLElement(a, atom.Select); a = a.Parent {
		if isHTMLElement(a, atom.Optgroup) {
			_, disabled := attribute(a.Attr, "disabled")
			return disabled
		}
	}
	return false
}

// optionPopped shows an option that is complete now, if it is the chosen one.
//
// https://html.spec.whatwg.org/multipage/form-elements.html#maybe-clone-an-option-into-selectedcontent
func (b *treeBuilder) optionPopped(n *html.Node) {
	owner := selectOfOption(n)
	if owner == nil {
		return
	}
	if s := b.selects[owner]; s != nil && s.chosen == n {
		b.showOption(s)
	}
}

// showOption replaces what the selectedcontent holds by a copy of what the chosen option holds.
//
// https://html.spec.whatwg.org/multipage/form-elements.html#clone-an-option-into-a-selectedcontent
func (b *treeBuilder) showOption(s *selectState) {
	for c := s.content.FirstChild; c != nil; c = s.content.FirstChild {
		s.content.RemoveChild(c)
	}
	b.copyChildren(s.content, s.chosen)
}

// copyChildren appends a copy of all that is in one node to another.
func (b *treeBuilder) copyChildren(to, from *html.Node) {
	source, parent := from.FirstChild, to
	for source != nil && !b.stopped {
		c := b.newNode(source.Type, source.Data)
		c.DataAtom, c.Namespace, c.Attr = source.DataAtom, source.Namespace, b.copyAttributes(source.Attr)
		b.insertAt(place{parent: parent}, c)
		if source.FirstChild != nil {
			source, parent = source.FirstChild, c
			continue
		}
		for source != from && source.NextSibling == nil {
			source, parent = source.Parent, parent.Parent
		}
		if source == from {
			return
		}
		source = source.NextSibling
	}
}

// nextWithin gives the node after n in tree order, nil at the end of root.
func nextWithin(n, root *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	for n != root && n.NextSibling == nil {
		n = n.Parent
	}
	if n == root {
		return nil
	}
	return n.NextSibling
}

func isHTMLElement(n *html.Node, a atom.Atom) bool {
	return n.Type == html.ElementNode && n.DataAtom == a && n.Namespace == ""
}
