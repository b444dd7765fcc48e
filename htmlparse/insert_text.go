package htmlparse

import (
	"unsafe"

	"golang.org/x/net/html"
)

// insertCharacters inserts the characters of a token at the appropriate place.
func (b *treeBuilder) insertCharacters(t *Token) {
	b.insertText(t, t.Data)
}

// insertText inserts text that stands for the characters of a token, joined to the text that is there.
//
// https://html.spec.whatwg.org/multipage/parsing.html#insert-a-character
func (b *treeBuilder) insertText(t *Token, text string) {
	if text == "" {
		return
	}
	p := b.appropriatePlace()
	if p.parent.Type == html.DocumentNode {
		return
	}
	previous := p.parent.LastChild
	if p.before != nil {
		previous = p.before.PrevSibling
	}
	if previous == nil || previous.Type != html.TextNode {
		n := b.newNode(html.TextNode, text)
		b.insertAt(p, n)
		b.positionLeaf(n, t)
		return
	}
	b.appendText(previous, text)
	if b.positions != nil {
		b.positions.extended(previous, t)
	}
}

// joinedTextMin is the length from which on a text that is added to keeps a buffer with room to grow: without
// it, a text that comes in many pieces would be copied for each of them.
const joinedTextMin = 256

// appendText adds to the text of a text node.
func (b *treeBuilder) appendText(n *html.Node, text string) {
	if len(n.Data)+len(text) < joinedTextMin {
		n.Data += text
		return
	}
	buffer, ok := b.joinedText[n]
	if !ok || !holds(buffer, n.Data) {
		buffer = append(make([]byte, 0, 2*(len(n.Data)+len(text))), n.Data...)
	}
	buffer = append(buffer, text...)
	if b.joinedText == nil {
		b.joinedText = make(map[*html.Node][]byte)
	}
	b.joinedText[n] = buffer
	// The bytes that the string is made of never change again: later text is written behind them.
	n.Data = unsafe.String(unsafe.SliceData(buffer), len(buffer))
}

// holds says whether a text is the whole of a buffer: a script may have changed the node's.
func holds(buffer []byte, text string) bool {
	return len(buffer) == len(text) && unsafe.SliceData(buffer) == unsafe.StringData(text)
}
