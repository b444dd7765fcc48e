package htmlparse

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// treeShape counts what a tree holds.
type treeShape struct {
	depth, nodes int
	byName       map[string]int
}

func shapeOf(root *html.Node) treeShape {
	s := treeShape{byName: map[string]int{}}
	depth := 0
	for n := root; n != nil; {
		s.nodes++
		s.byName[n.Data]++
		s.depth = max(s.depth, depth)
		if n.FirstChild != nil {
			n = n.FirstChild
			depth++
			continue
		}
		for n != root && n.NextSibling == nil {
			n = n.Parent
			depth--
		}
		if n == root {
			break
		}
		n = n.NextSibling
	}
	return s
}

func parseWithCodes(t *testing.T, src string, opts Options) (shape treeShape, codes map[string]int) {
	t.Helper()
	codes = map[string]int{}
	opts.OnError = func(e ParseError) { codes[e.Code]++ }
	doc, err := ParseString(src, &opts)
	if err != nil {
		t.Fatal(err)
	}
	checkTree(t, doc.Root)
	return shapeOf(doc.Root), codes
}

func TestMaxDepth(t *testing.T) {
	tests := []struct {
		name, src string
		maxDepth  int
		depth     int // of the tree, the document being at 0
		reported  int
		counts    map[string]int
	}{
		{"under the limit", strings.Repeat("<div>", 500) + "x", 0, 503, 0, map[string]int{"div": 500, "x": 1}},
		{"links behind a nest", strings.Repeat("<div>", 600) + "<a href=x>y</a>" + strings.Repeat("</div>", 600) + "<a>z</a>", 0, 513, 1,
			map[string]int{"div": 600, "a": 2, "y": 1, "z": 1}},
		{"formatting elements", strings.Repeat("<b>", 600) + "x<p>y<i>z", 0, 513, 1, map[string]int{"b": 600, "p": 1, "i": 1, "xyz": 0}},
		{"structure goes deeper", strings.Repeat("<table><tr><td>", 300) + "x", 0, 1203, 0, map[string]int{"td": 300, "x": 1}},
		{"but not for ever", strings.Repeat("<table><tr><td>", 3000) + "<a>x", 0, 4099, 1, map[string]int{"a": 1}},
		{"templates", strings.Repeat("<template>", 9000) + "x", 0, 4097, 1, map[string]int{"x": 1}},
		{"raw text in the depth", strings.Repeat("<div>", 600) + "<script><p></script><textarea><i></textarea><title><b></title>", 0, 514, 1,
			map[string]int{"<p>": 1, "<i>": 1, "<b>": 1}},
		{"own limit", strings.Repeat("<div>", 100) + "x", 20, 21, 1, map[string]int{"div": 100, "x": 1}},
		{"least limit", strings.Repeat("<div>", 100) + "x", 1, 17, 1, map[string]int{"div": 100, "x": 1}},
		{"foreign", "<svg>" + strings.Repeat("<g>", 600) + "</svg><p>x", 0, 513, 1, map[string]int{"g": 600, "x": 1}},
		{"objects", strings.Repeat("<object>", 600) + strings.Repeat("</object>", 600) + "<b>x", 0, 513, 1, map[string]int{"object": 600, "x": 1}},
		{"select", strings.Repeat("<div>", 600) + "<select><option>x</select>y", 0, 514, 1, map[string]int{"select": 1, "option": 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			shape, codes := parseWithCodes(t, tt.src, Options{MaxDepth: tt.maxDepth})
			if shape.depth > tt.depth {
				t.Errorf("the tree is %d deep, want %d", shape.depth, tt.depth)
			}
			if codes[CodeDepthLimit] != tt.reported {
				t.Errorf("reported %d times, want %d", codes[CodeDepthLimit], tt.reported)
			}
			for name, n := range tt.counts {
				if shape.byName[name] != n {
					t.Errorf("%d nodes %q, want %d", shape.byName[name], name, n)
				}
			}
		})
	}
}

func TestMaxNodes(t *testing.T) {
	tests := []struct {
		name, src       string
		maxNodes        int
		least, most     int
		reported        int
		doesNotGetToEnd bool
	}{
		{"under the limit", "<p>a<p>b", 0, 9, 9, 0, false},
		{"own limit", strings.Repeat("<p>a", 1000), 100, 100, 103, 1, true},
		{"reconstruction", "<p>" + numbered(5_000, "<b a%d>") + strings.Repeat("</p><p>x", 1000), 0, 10_000, 15_000, 1, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			shape, codes := parseWithCodes(t, tt.src+"<hr>", Options{MaxNodes: tt.maxNodes})
			if shape.nodes < tt.least || shape.nodes > tt.most {
				t.Errorf("%d nodes, want %d to %d", shape.nodes, tt.least, tt.most)
			}
			if codes[CodeNodeLimit] != tt.reported {
				t.Errorf("reported %d times, want %d", codes[CodeNodeLimit], tt.reported)
			}
			if got := shape.byName["hr"] == 0; got != tt.doesNotGetToEnd {
				t.Errorf("the last element is missing: %v, want %v", got, tt.doesNotGetToEnd)
			}
		})
	}
}
