package xpath

import (
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// The oracle takes the standard at its word: it has all nodes in a list, and
// each axis is a condition on two places in it. Sets, positions and order are
// done for each context node by itself.

// place is a node with the numbers of its begin and its end.
type place struct {
	node          Node
	up            int // the parent's place; -1: none
	begin, end    int
	attr, element bool
}

func places(root *html.Node) []place {
	var list []place
	var walk func(n *html.Node, up int)
	walk = func(n *html.Node, up int) {
		at := len(list)
		list = append(list, place{node: Node{n, -1}, up: up, begin: at, element: n.Type == html.ElementNode})
		for i := range n.Attr {
			list = append(list, place{node: Node{n, i}, up: at, begin: len(list), end: len(list), attr: true})
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, at)
		}
		list[at].end = len(list) - 1
	}
	walk(root, -1)
	return list
}

// on reports whether y is on the axis of x.
func on(a axis, x, y place) bool {
	within := x.begin < y.begin && y.end <= x.end && !x.attr
	holds := y.begin < x.begin && x.end <= y.end && !y.attr
	same := x.begin == y.begin
	sibling := x.up == y.up && x.up >= 0 && !x.attr && !y.attr
	switch a {
	case selfAxis:
		return same
	case childAxis:
		return y.up == x.begin && !y.attr
	case descendantAxis:
		return within && !y.attr
	case descendantOrSelfAxis:
		return same || within && !y.attr
	case attributeAxis:
		return y.up == x.begin && y.attr
	case followingSiblingAxis:
		return sibling && y.begin > x.begin
	case followingAxis:
		return y.begin > x.end && !y.attr
	case parentAxis:
		return x.up == y.begin
	case ancestorAxis:
		return holds
	case ancestorOrSelfAxis:
		return same || holds
	case precedingSiblingAxis:
		return sibling && y.begin < x.begin
	case precedingAxis:
		return y.end < x.begin && !y.attr
	}
	return false
}

// plainStep is a step as the oracle knows it.
type plainStep struct {
	axis      axis
	test      string
	predicate []string
}

func (s plainStep) String() string {
	p := ""
	for _, x := range s.predicate {
		p += "[" + x + "]"
	}
	return axisNames[s.axis] + "::" + s.test + p
}

func (s plainStep) passes(y place) bool {
	switch s.test {
	case "node()":
		return true
	case "text()":
		return y.node.Type == html.TextNode
	case "*":
		return y.attr == (s.axis == attributeAxis) && (y.attr || y.element)
	}
	if s.axis == attributeAxis {
		return y.node.attribute().Key == s.test
	}
	return y.element && !y.attr && y.node.Data == s.test
}

func (s plainStep) take(all []place, x place) []place {
	var out []place
	for _, y := range all {
		if on(s.axis, x, y) && s.passes(y) {
			out = append(out, y)
		}
	}
	if s.axis.reverse() {
		slices.Reverse(out)
	}
	for _, p := range s.predicate {
		var kept []place
		for i, y := range out {
			if holdsPlainly(p, all, y, i+1, len(out)) {
				kept = append(kept, y)
			}
		}
		out = kept
	}
	return out
}

// plainPredicates are the predicates that holdsPlainly knows.
var plainPredicates = []string{"1", "2", "last()", "position() < 3", "position() = last() - 1", "position() = 2", "@x", "b", "ancestor::b", "following::c/@x", ".//a/b", "preceding-sibling::*[1]", "not(../a)", "count(..//a) > 2", "@x = '1'", "//c/@x = @x", "*[@x = 1]/following::*", "parent::b", ".//@y"}

func holdsPlainly(p string, all []place, y place, position, size int) bool {
	leads := func(steps ...plainStep) bool { return len(plainPath(all, []place{y}, steps)) > 0 }
	switch p {
	case "last()":
		return position == size
	case "position() < 3":
		return position < 3
	case "position() = last() - 1":
		return position == size-1
	case "position() = 2":
		return position == 2
	case "@x":
		return leads(plainStep{attributeAxis, "x", nil})
	case "b":
		return leads(plainStep{childAxis, "b", nil})
	case "ancestor::b":
		return leads(plainStep{ancestorAxis, "b", nil})
	case "following::c/@x":
		return leads(plainStep{followingAxis, "c", nil}, plainStep{attributeAxis, "x", nil})
	case ".//a/b":
		return leads(plainStep{descendantAxis, "a", nil}, plainStep{childAxis, "b", nil})
	case "*[@x = 1]/following::*":
		return leads(plainStep{childAxis, "*", []string{"@x = '1'"}}, plainStep{followingAxis, "*", nil})
	case "parent::b":
		return leads(plainStep{parentAxis, "b", nil})
	case ".//@y":
		return leads(plainStep{descendantOrSelfAxis, "node()", nil}, plainStep{attributeAxis, "y", nil})
	case "preceding-sibling::*[1]":
		return leads(plainStep{precedingSiblingAxis, "*", nil})
	case "not(../a)":
		return !leads(plainStep{parentAxis, "node()", nil}, plainStep{childAxis, "a", nil})
	case "count(..//a) > 2":
		return len(plainPath(all, []place{y}, []plainStep{{parentAxis, "node()", nil}, {descendantAxis, "a", nil}})) > 2
	case "@x = '1'":
		x := plainPath(all, []place{y}, []plainStep{{attributeAxis, "x", nil}})
		return len(x) > 0 && x[0].node.StringValue() == "1"
	case "//c/@x = @x":
		xs := plainPath(all, []place{y}, []plainStep{{attributeAxis, "x", nil}})
		return len(xs) > 0 && slices.ContainsFunc(plainPath(all, all[:1], []plainStep{{descendantAxis, "c", nil}, {attributeAxis, "x", nil}}), func(o place) bool {
			return o.node.StringValue() == xs[0].node.StringValue()
		})
	}
	n, _ := strconv.Atoi(p)
	return position == n
}

func plainPath(all []place, set []place, steps []plainStep) []place {
	for _, s := range steps {
		there := map[int]bool{}
		for _, x := range set {
			for _, y := range s.take(all, x) {
				there[y.begin] = true
			}
		}
		set = nil
		for _, y := range all {
			if there[y.begin] {
				set = append(set, y)
			}
		}
	}
	return set
}

// randomTree has elements a, b and c, some with an attribute, and texts.
func randomTree(r *rand.Rand, size int) *html.Node {
	root := &html.Node{Type: html.DocumentNode}
	open := []*html.Node{root}
	for range size {
		n := &html.Node{Type: html.ElementNode, Data: string("abc"[r.Intn(3)])}
		if r.Intn(6) == 0 {
			n = &html.Node{Type: html.TextNode, Data: strconv.Itoa(r.Intn(3))}
		} else if r.Intn(3) == 0 {
			n.Attr = []html.Attribute{{Key: "x", Val: strconv.Itoa(r.Intn(3))}, {Key: "y"}}
		}
		open[len(open)-1].AppendChild(n)
		if n.Type == html.ElementNode && r.Intn(2) == 0 {
			open = append(open, n)
		}
		for len(open) > 1 && r.Intn(3) == 0 {
			open = open[:len(open)-1]
		}
	}
	return root
}

func randomSteps(r *rand.Rand) (steps []plainStep, src string) {
	var b strings.Builder
	for range 1 + r.Intn(3) {
		s := plainStep{axis: axis(r.Intn(int(precedingAxis) + 1))}
		s.test = []string{"node()", "*", "a", "b", "c", "x", "text()"}[r.Intn(7)]
		if s.axis == selfAxis && r.Intn(2) == 0 {
			s.axis = descendantAxis
		}
		for range r.Intn(3) {
			s.predicate = append(s.predicate, plainPredicates[r.Intn(len(plainPredicates))])
		}
		if r.Intn(3) == 0 {
			steps = append(steps, plainStep{descendantOrSelfAxis, "node()", nil})
			if b.Len() == 0 {
				b.WriteString(".")
			}
			b.WriteString("/")
		}
		if steps = append(steps, s); b.Len() > 0 {
			b.WriteString("/")
		}
		b.WriteString(s.String())
	}
	return steps, b.String()
}

func TestOracle(t *testing.T) { compareWithOracle(t) }

// TestOracleTurned turns paths as soon as it can.
func TestOracleTurned(t *testing.T) {
	defer func(after int) { turnAfter = after }(turnAfter)
	turnAfter = 0
	compareWithOracle(t)
}

func compareWithOracle(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 300 {
		all := places(randomTree(r, 1+r.Intn(25)))
		for range 20 {
			steps, src := randomSteps(r)
			from := all[r.Intn(len(all))]
			if from.attr {
				continue
			}
			var got, want []string
			for _, n := range evaluate(t, src, from.node.Node).Nodes() {
				got = append(got, describe(all, n))
			}
			for _, y := range plainPath(all, []place{from}, steps) {
				want = append(want, describe(all, y.node))
			}
			if !slices.Equal(got, want) {
				var tree strings.Builder
				html.Render(&tree, all[0].node.Node)
				t.Fatalf("%s from %s of %s:\ngot  %v\nwant %v", src, describe(all, from.node), tree.String(), got, want)
			}
			if any := evaluate(t, "boolean("+src+")", from.node.Node).Bool(); any != (len(want) > 0) {
				t.Fatalf("boolean(%s) is %v", src, any)
			}
			first := evaluate(t, "("+src+")[1]", from.node.Node).Nodes()
			if len(first) > 1 || len(first) == 1 && (len(want) == 0 || describe(all, first[0]) != want[0]) || len(first) == 0 && len(want) > 0 {
				t.Fatalf("(%s)[1] is %v of %v", src, first, want)
			}
		}
	}
}

func describe(all []place, n Node) string {
	for _, p := range all {
		if p.node == n {
			return fmt.Sprintf("%s %d", n.Data, p.begin)
		}
	}
	return "?"
}
