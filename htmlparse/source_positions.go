package htmlparse

import (
	"sort"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// Span is a part of the decoded source text: byte offsets, the end not included.
type Span struct{ Start, End int }

// Position is where a node stands in the decoded source text.
type Position struct {
	// Node is all of the node: an element from its start tag to its end tag or, where that is left out, to where
	// the parser closed it. An element that the parser opened again (a formatting element that others cut short)
	// begins where it was opened again. Of a text in several pieces it covers all that stands between them too.
	Node Span

	// StartTag and EndTag are the tags of an element, the zero Span where there is none. An element that was opened again
	// has the start tag that it was first opened with.
	StartTag, EndTag Span

	// Attr is where the attributes stand, parallel to the node's Attr.
	Attr []AttributePosition

	closed bool
}

// AttributePosition is where an attribute stands: its name, and its value without the quotes.
// Value is empty where there is none.
type AttributePosition struct{ Name, Value Span }

// Position says where a node of the document stands in the decoded source text. It reports false for nodes that no
// source text stands for, and for all nodes unless the document was parsed with Options.Positions.
func (d *Document) Position(n *html.Node) (Position, bool) {
	if d.positions == nil {
		return Position{}, false
	}
	p, ok := d.positions.nodes[n]
	if !ok {
		return Position{}, false
	}
	return *p, true
}

// LineColumn gives the line and column of a byte offset in the decoded source text, both from 1, the column in code points.
// It reports 0, 0 unless the document was parsed with Options.Positions.
func (d *Document) LineColumn(offset int) (line, column int) {
	if d.positions == nil {
		return 0, 0
	}
	return d.positions.lineColumn(offset)
}

// positions keeps where nodes stand.
type positions struct {
	nodes map[*html.Node]*Position
	text  string
	lines []int // offsets at which the lines begin
}

func newPositions(text string) *positions {
	p := &positions{nodes: make(map[*html.Node]*Position), text: text, lines: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			p.lines = append(p.lines, i+1)
		}
	}
	return p
}

func (p *positions) lineColumn(offset int) (line, column int) {
	offset = min(max(offset, 0), len(p.text))
	line = sort.SearchInts(p.lines, offset+1)
	return line, 1 + utf8.RuneCountInString(p.text[p.lines[line-1]:offset])
}

// startTagged notes an element made for a start tag.
func (p *positions) startTagged(n *html.Node, t *Token, attr []attrRange) {
	tag := Span{t.start, t.end}
	position := &Position{Node: tag, StartTag: tag}
	for _, a := range attr {
		position.Attr = append(position.Attr, a.position())
	}
	p.nodes[n] = position
}

func (a attrRange) position() AttributePosition {
	return AttributePosition{Name: Span{a.nameStart, a.nameEnd}, Value: Span{a.valueStart, a.valueEnd}}
}

// implied notes an element without a start tag, which begins where the token does that made it.
func (p *positions) implied(n *html.Node, t *Token) {
	p.nodes[n] = &Position{Node: Span{t.start, t.start}}
}

// reopened notes an element that is made again for the start tag of another one.
func (p *positions) reopened(n, first *html.Node, t *Token) {
	position := &Position{Node: Span{t.start, t.start}}
	if original := p.nodes[first]; original != nil {
		position.StartTag = original.StartTag
		position.Attr = original.Attr
	}
	p.nodes[n] = position
}

// adopted notes that an element that is made again takes in nodes that stand before its token.
func (p *positions) adopted(n, firstChild *html.Node) {
	if child := p.nodes[firstChild]; child != nil && p.nodes[n] != nil {
		p.nodes[n].Node.Start = min(p.nodes[n].Node.Start, child.Node.Start)
	}
}

// leaf notes a node that a token stands for.
func (p *positions) leaf(n *html.Node, t *Token) {
	p.nodes[n] = &Position{Node: Span{t.start, t.end}}
}

// extended notes that a text goes on with a token.
func (p *positions) extended(n *html.Node, t *Token) {
	if position := p.nodes[n]; position != nil {
		position.Node.Start = min(position.Node.Start, t.start)
		position.Node.End = max(position.Node.End, t.end)
	}
}

// merged notes an attribute that an element got from a later tag.
func (p *positions) merged(n *html.Node, a attrRange) {
	if position := p.nodes[n]; position != nil {
		position.Attr = append(position.Attr, a.position())
	}
}

// closed notes that a token closes an element.
func (p *positions) closed(e *openElement, t *Token) {
	position := p.nodes[e.node]
	if position == nil || position.closed {
		return
	}
	position.closed = true
	position.Node.End = max(position.Node.End, t.start)
	if t.Type == EndTagToken && t.Name == e.name {
		position.EndTag = Span{t.start, t.end}
		position.Node.End = t.end
	}
}
