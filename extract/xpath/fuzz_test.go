package xpath

import (
	"errors"
	"testing"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// FuzzEvaluate compiles an expression and evaluates it on a page: it ends
// within its budget, and sets are in document order.
func FuzzEvaluate(f *testing.F) {
	s := readSuite(f)
	for _, g := range s.Groups {
		for i, c := range g.Cases {
			if i%5 == 0 {
				f.Add(g.HTML, c.Expr)
			}
		}
	}
	for _, m := range s.Errors {
		f.Add("<p>", m.Expr)
	}
	f.Fuzz(func(t *testing.T, page, src string) {
		e, err := Compile(src)
		if err != nil {
			var mistake *SyntaxError
			if !errors.As(err, &mistake) || mistake.Offset < 0 || mistake.Offset > len(src) || mistake.Msg == "" {
				t.Fatalf("%q: %#v", src, err)
			}
			return
		}
		doc, err := htmlparse.ParseString(page, &htmlparse.Options{ProcessingInstructions: true})
		if err != nil {
			t.Fatal(err) // bad HTML is no error
		}
		budget := 100_000
		steps := budget
		v, err := e.Evaluate(doc.Root, &steps)
		if err == ErrSteps != (steps < 0) || steps > budget {
			t.Fatalf("%q: error %v with %d steps left", src, err, steps)
		}
		if err == nil && v.Kind() != e.Kind() {
			t.Fatalf("%q: %s gives %s", src, e.Kind(), v.Kind())
		}
		inOrder(t, src, v.Nodes(), doc)
		_, _, _ = v.String(), v.Number(), v.Bool()
	})
}

func inOrder(t *testing.T, src string, nodes []Node, doc *htmlparse.Document) {
	before := -1
	for _, p := range places(doc.Root) {
		for len(nodes) > 0 && nodes[0] == p.node {
			if p.begin == before {
				t.Fatalf("%q: a node comes twice", src)
			}
			before, nodes = p.begin, nodes[1:]
		}
	}
	if len(nodes) > 0 {
		t.Fatalf("%q: out of order or not in the document: %v", src, nodes[0])
	}
}
