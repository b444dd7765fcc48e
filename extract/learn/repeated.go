package learn

import (
	"slices"
	"strings"
)

const (
	maxSiblings = 5000 // that are compared
	shapeNames  = 6    // children that make an element's shape
)

// repeated climbs from element i to the first one that has a place of every
// example and is one of a group of siblings that are alike. It returns the
// group, in order, and the deepest element with all examples; nothing where
// there is none.
func (ix *index) repeated(i int32, places [][]place) (group []int32, lowest int32) {
	lowest = -1
	for ; i >= 0; i = ix.elements[i].parent {
		if lowest < 0 && !ix.holdsAll(i, places) {
			continue
		}
		if lowest < 0 {
			lowest = i
		}
		if group := ix.group(i); len(group) >= fewestRepeated {
			return group, lowest
		}
	}
	return nil, -1
}

// holdsAll reports whether each example has a place in element i.
func (ix *index) holdsAll(i int32, places [][]place) bool {
	for _, of := range places {
		if !slices.ContainsFunc(of, func(p place) bool { return i <= p.at && p.at < ix.elements[i].end }) {
			return false
		}
	}
	return true
}

// group returns the siblings that are of one kind with element i, itself
// among them: those that share a class with it, or where classes say
// nothing, those that are built like it.
func (ix *index) group(i int32) []int32 {
	e := &ix.elements[i]
	if e.parent < 0 || isPair(ix, i) {
		return nil
	}
	var siblings []int32
	for c := e.parent + 1; c < ix.elements[e.parent].end && len(siblings) < maxSiblings; c = ix.elements[c].end {
		if ix.steps++; ix.elements[c].node.Data == e.node.Data {
			siblings = append(siblings, c)
		}
	}
	if len(siblings) < fewestRepeated {
		return nil
	}
	var most []int32
	for _, class := range classes(e.node) {
		if stability(class) == 0 || utility(class) {
			continue
		}
		if same := ix.sharing(siblings, class); len(same) > len(most) {
			most = same
		}
	}
	if len(most) >= fewestRepeated {
		return most
	}
	if itemTags[e.node.Data] {
		return ix.builtLike(i, siblings)
	}
	return nil
}

func (ix *index) sharing(siblings []int32, class string) (same []int32) {
	having := ix.having[feature{byClass, class, ""}]
	for _, i := range siblings {
		if _, ok := slices.BinarySearch(having, i); ok {
			same = append(same, i)
		}
	}
	return same
}

// itemTags are the elements that may be items without a class that says so.
var itemTags = setOf("li tr article div section")

// builtLike returns the siblings whose first children have the same names.
func (ix *index) builtLike(i int32, siblings []int32) (same []int32) {
	shape := ix.shape(i)
	if shape == "" && ix.elements[i].node.Data != "li" {
		return nil
	}
	for _, s := range siblings {
		if ix.shape(s) == shape {
			same = append(same, s)
		}
	}
	return same
}

func (ix *index) shape(i int32) string {
	var names []string
	for c := i + 1; c < ix.elements[i].end && len(names) < shapeNames; c = ix.elements[c].end {
		names = append(names, ix.elements[c].node.Data)
	}
	return strings.Join(names, " ")
}

// isPair reports whether an element is a row of a name and its value: a table
// of such rows describes one thing.
func isPair(ix *index, i int32) bool {
	return ix.elements[i].node.Data == "tr" && ix.shape(i) == "th td"
}
