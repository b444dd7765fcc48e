package extract

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// Explanation says how one value of a record came about.
type Explanation struct {
	Item     string
	Position int       // of the record, see Record.Position
	Field    string    // path, such as "price" or "reviews[2].stars"
	Tried    []Attempt // in the order in which it was looked for
	Value    any       // what it became; nil: it is absent
}

// Attempt is a piece of the page that was looked at, or a source that had
// none.
type Attempt struct {
	Source string     // key of the source: "css", "jsonld", …; "" for the item's own node
	Query  string     // what was asked of it
	Node   *html.Node // where the piece was found; nil: in no node. See htmlparse.Document.Position for its place in the source
	Text   string     // what was read there; "" if nothing was
	Value  any        // what it became; nil: nothing
	Failed string     // why it became nothing
}

// Explain is Extract with an explanation of each value: what was tried, what
// was found where, and what it became.
func (x *Extractor) Explain(p Page) (Result, []Explanation) {
	t := &trace{}
	return x.extract(p, t), t.done
}

// trace collects explanations. The zero pointer collects none.
type trace struct {
	item     string
	position int
	open     []Explanation // of nested fields, the innermost last
	done     []Explanation
}

// maxAttempts bounds what is kept of one value.
const maxAttempts = 100

// begin starts the explanation of a field.
func (e *extraction) begin(at *place) {
	if e.trace == nil {
		return
	}
	e.trace.open = append(e.trace.open, Explanation{Item: e.trace.item, Position: e.trace.position, Field: at.String()})
}

// end ends the explanation that was begun last.
func (e *extraction) end(v any, ok bool) {
	if e.trace == nil {
		return
	}
	last := len(e.trace.open) - 1
	x := e.trace.open[last]
	e.trace.open = e.trace.open[:last]
	if ok {
		x.Value = v
	}
	e.trace.done = append(e.trace.done, x)
}

// tried adds an attempt to the explanation in hand. p is nil where the source
// had nothing.
func (e *extraction) tried(f *field, p *found, v any, failed string) {
	if e.trace == nil || len(e.trace.open) == 0 {
		return
	}
	x := &e.trace.open[len(e.trace.open)-1]
	if len(x.Tried) >= maxAttempts {
		return
	}
	a := Attempt{Source: f.key, Query: f.query, Value: v, Failed: failed}
	if p != nil {
		a.Node, a.Text = p.node, strings.Clone(p.text)
		if p.isJSON && a.Text == "" {
			a.Text = e.jsonExcerpt(p.json)
		}
	}
	x.Tried = append(x.Tried, a)
}

// checkFailed adds to a field's explanation that its check took the value
// away.
func (e *extraction) checkFailed(at *place, check *expression, err error) {
	if e.trace == nil {
		return
	}
	field := at.String()
	for i := len(e.trace.done) - 1; i >= 0; i-- {
		if x := &e.trace.done[i]; x.Field == field {
			x.Tried = append(x.Tried, Attempt{Source: "check", Query: check.source, Text: describe(x.Value), Failed: err.Error()})
			x.Value = nil
			return
		}
	}
}

// NodePath is the XPath of a node in its document, such as
// "/html/body/div[2]/h1".
func NodePath(n *html.Node) string {
	var steps []string
	for ; n != nil && n.Type != html.DocumentNode; n = n.Parent {
		name := n.Data
		switch n.Type {
		case html.TextNode:
			name = "text()"
		case html.CommentNode:
			name = "comment()"
		}
		if index, alone := childIndex(n); !alone {
			name += "[" + strconv.Itoa(index) + "]"
		}
		steps = append(steps, name)
	}
	var b strings.Builder
	for i := len(steps) - 1; i >= 0; i-- {
		b.WriteString("/" + steps[i])
	}
	return b.String()
}

// childIndex is n's place from 1 among its siblings of the same kind, and
// whether it is the only one.
func childIndex(n *html.Node) (index int, alone bool) {
	same := func(m *html.Node) bool {
		return m.Type == n.Type && (n.Type != html.ElementNode || m.Data == n.Data)
	}
	index, alone = 1, true
	for m := n.PrevSibling; m != nil; m = m.PrevSibling {
		if same(m) {
			index++
			alone = false
		}
	}
	for m := n.NextSibling; m != nil && alone; m = m.NextSibling {
		alone = !same(m)
	}
	return index, alone
}
