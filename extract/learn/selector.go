package learn

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// compound is a compound selector: all of it must match one element.
type compound struct {
	tag    string    // "": any
	simple []feature // ids, classes, attributes
	nth    int32     // :nth-of-type; 0: any
	label  string    // :contains; "": any
}

// part is a compound selector with the combinator before it: ' ', '>' or '+'.
// Before the first one of a selector, '>' means a child of the scope.
type part struct {
	before byte
	compound
}

// css writes a compound selector.
//
// https://drafts.csswg.org/cssom/#serialize-a-compound-selector
func (c compound) css() string {
	var b strings.Builder
	b.WriteString(c.tag)
	for _, f := range c.simple {
		switch f.kind {
		case byID:
			b.WriteString("#" + f.name)
		case byClass:
			b.WriteString("." + f.name)
		case byStart:
			b.WriteString(`[class*="` + f.name + `"]`)
		case hasAttr:
			b.WriteString("[" + f.name + "]")
		case byAttr:
			b.WriteString("[" + f.name + `="` + f.value + `"]`)
		}
	}
	if c.label != "" {
		b.WriteString(`:contains("` + c.label + `")`)
	}
	if c.nth > 0 {
		b.WriteString(":nth-of-type(" + strconv.Itoa(int(c.nth)) + ")")
	}
	return b.String()
}

// css writes a selector.
func css(parts []part) string {
	var b strings.Builder
	for i, p := range parts {
		switch {
		case p.before != ' ' && i > 0:
			b.WriteString(" " + string(p.before) + " ")
		case p.before != ' ':
			b.WriteString(string(p.before) + " ")
		case i > 0:
			b.WriteByte(' ')
		}
		b.WriteString(p.compound.css())
	}
	return b.String()
}

// find returns the elements that a compound selector matches, in order.
func (ix *index) find(c compound) []int32 {
	key := c.css()
	if list, ok := ix.matched[key]; ok {
		return list
	}
	from := c.simple
	if c.tag != "" {
		from = append(slices.Clone(from), feature{byTag, c.tag, ""})
	}
	var least []int32
	for i, f := range from {
		if list := ix.having[f]; i == 0 || len(list) < len(least) {
			least = list
		}
	}
	list := least
	if len(from) > 1 || c.nth > 0 || c.label != "" {
		list = nil
		for _, i := range least {
			if ix.steps++; ix.matches(i, c, from) {
				list = append(list, i)
			}
		}
	}
	ix.matched[key] = list
	return list
}

func (ix *index) matches(i int32, c compound, all []feature) bool {
	if c.nth > 0 {
		if ix.count(); ix.elements[i].nth != c.nth {
			return false
		}
	}
	if len(all) > 1 {
		for _, f := range all {
			if _, ok := slices.BinarySearch(ix.having[f], i); !ok {
				return false
			}
		}
	}
	return c.label == "" || ix.contains(i, c.label)
}

// maxLabelText is how much of an element's text is looked at for a label.
const maxLabelText = 1000

// contains is :contains: case doesn't count, what is hidden does.
func (ix *index) contains(i int32, label string) bool {
	return strings.Contains(strings.ToLower(startOfText(ix.elements[i].node)), strings.ToLower(label))
}

// startOfText returns the first maxLabelText bytes of the text below n.
func startOfText(n *html.Node) string {
	var b strings.Builder
	steps := 0
	for c := range n.Descendants() {
		if steps++; steps > maxLabelText || b.Len() > maxLabelText {
			break
		}
		if c.Type == html.TextNode {
			b.WriteString(c.Data[:min(len(c.Data), maxLabelText)])
		}
	}
	return b.String()
}

// find returns the elements of the scope that a selector matches, in order.
// As in querySelector, what is above the scope counts for combinators.
func (s scope) find(parts []part) []int32 {
	var left []int32
	for i, p := range parts {
		list := s.index.find(p.compound)
		switch {
		case i == 0 && p.before == '>':
			list = s.children([]int32{s.item}, s.cut(list))
		case i == 0:
		case p.before == ' ':
			list = s.descendants(left, list)
		case p.before == '>':
			list = s.children(left, list)
		case p.before == '+':
			list = s.next(left, list)
		}
		left = list
	}
	return s.cut(left)
}

// descendants returns those of list that are within one of left.
func (ix *index) descendants(left, list []int32) (within []int32) {
	end, k := int32(0), 0
	for _, i := range list {
		for ; k < len(left) && left[k] < i; k++ {
			end = max(end, ix.elements[left[k]].end)
		}
		if ix.steps++; i < end {
			within = append(within, i)
		}
	}
	return within
}

// children returns those of list whose parent is one of left.
func (ix *index) children(left, list []int32) (children []int32) {
	for _, i := range list {
		ix.steps++
		if _, ok := slices.BinarySearch(left, ix.elements[i].parent); ok {
			children = append(children, i)
		}
	}
	return children
}

// next returns those of list whose previous element is one of left.
func (ix *index) next(left, list []int32) (next []int32) {
	for _, i := range left {
		ix.steps++
		if _, ok := slices.BinarySearch(list, ix.elements[i].end); ok && ix.siblings(i, ix.elements[i].end) {
			next = append(next, ix.elements[i].end)
		}
	}
	slices.Sort(next)
	return next
}

// siblings reports whether two elements have the same parent.
func (ix *index) siblings(a, b int32) bool {
	return int(b) < len(ix.elements) && ix.elements[a].parent == ix.elements[b].parent
}
