package htmlparse

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// insertHTMLElement makes an element for a start tag token, inserts it and makes it the current node, if the
// stack of open elements has room.
//
// https://html.spec.whatwg.org/multipage/parsing.html#insert-an-html-element
func (b *treeBuilder) insertHTMLElement(t *Token) *html.Node {
	n := b.insertVoidElement(t)
	b.push(n, t.tag)
	return n
}

// insertVoidElement inserts an element that has no contents: it is made the current node and popped again at
// once, which comes to not pushing it.
func (b *treeBuilder) insertVoidElement(t *Token) *html.Node {
	n := b.createElement(t)
	b.insertAt(b.appropriatePlace(), n)
	return n
}

// insertImplied inserts an element whose start tag was left out, and makes it the current node.
func (b *treeBuilder) insertImplied(t tag) *html.Node {
	n := b.createImplied(t)
	b.insertAt(b.appropriatePlace(), n)
	b.push(n, t)
	return n
}

// insertAgain inserts another element for the token of a formatting element and makes it the current node.
func (b *treeBuilder) insertAgain(f *formattingToken) *html.Node {
	n := b.createAgain(f)
	b.insertAt(b.appropriatePlace(), n)
	b.push(n, f.tag)
	return n
}

// insertForeignElement inserts an element of the MathML or SVG namespace and makes it the current node
// unless the tag closes itself.
//
// https://html.spec.whatwg.org/multipage/parsing.html#insert-a-foreign-element
func (b *treeBuilder) insertForeignElement(t *Token, namespace string) *html.Node {
	b.adjustAttributes(t, namespace)
	n := b.createElement(t)
	n.Namespace = namespace
	if namespace == "svg" {
		if adjusted, ok := svgTagNames[t.Name]; ok {
			n.Data = adjusted
			n.DataAtom = atom.Lookup([]byte(adjusted))
		}
	}
	b.insertAt(b.appropriatePlace(), n)
	if t.SelfClosing {
		b.selfClosingAcknowledged = true
		return n
	}
	e := foreignEntry(n, t.Name)
	b.pushIfRoom(n, e.name, e.tag, e.class)
	return n
}

// entryOf makes the entry of the stack of open elements for an HTML element.
func (b *treeBuilder) entryOf(n *html.Node, t tag) openElement {
	return openElement{node: n, name: n.Data, tag: t, class: b.classOf(t)}
}

// classOf gives the sets that an HTML element belongs to while it is open.
func (b *treeBuilder) classOf(t tag) elementClass {
	if t == tagSelect && b.classicSelect {
		return t.class() &^ scopeBoundary
	}
	return t.class()
}

// foreignEntry makes the entry of the stack of open elements for an element outside the HTML namespace.
// name is that of its token, in lower case.
func foreignEntry(n *html.Node, name string) openElement {
	t := foreignTag(n.Namespace, name)
	class := t.class()
	if t == tagAnnotationXML && annotatesHTML(n) {
		class |= htmlIntegrationPoint
	}
	return openElement{node: n, name: name, tag: t, class: class}
}

// createElement makes the element for a start tag token.
//
// https://html.spec.whatwg.org/multipage/parsing.html#create-an-element-for-the-token
func (b *treeBuilder) createElement(t *Token) *html.Node {
	n := b.newNode(html.ElementNode, t.Name)
	n.DataAtom = t.atom
	if len(t.Attr) > 0 {
		n.Attr = b.tokenizer.takeAttributes()
	}
	if b.positions != nil {
		b.positions.startTagged(n, t, b.attributeRanges())
	}
	return n
}

// createImplied makes an element that no token asks for by name.
func (b *treeBuilder) createImplied(t tag) *html.Node {
	a := t.atom()
	n := b.newNode(html.ElementNode, a.String())
	n.DataAtom = a
	if b.positions != nil {
		b.positions.implied(n, b.token)
	}
	return n
}

// createAgain makes another element for the token of a formatting element.
func (b *treeBuilder) createAgain(f *formattingToken) *html.Node {
	a := f.tag.atom()
	n := b.newNode(html.ElementNode, a.String())
	n.DataAtom = a
	n.Attr = b.copyAttributes(f.attr)
	if b.positions != nil {
		b.positions.reopened(n, f.first, b.token)
	}
	return n
}

// insertComment inserts a comment at the appropriate place.
//
// https://html.spec.whatwg.org/multipage/parsing.html#insert-a-comment
func (b *treeBuilder) insertComment(t *Token) {
	b.insertCommentAt(t, b.appropriatePlace())
}

// insertCommentAt inserts a comment, or a processing instruction, which goes wherever a comment goes.
func (b *treeBuilder) insertCommentAt(t *Token, p place) {
	n := b.newNode(html.CommentNode, t.Data)
	if t.Type == ProcessingInstructionToken {
		n.Type = ProcessingInstructionNode
		n.Data = t.Name
		n.Attr = []html.Attribute{{Key: "data", Val: t.Data}}
	}
	b.insertAt(p, n)
	b.positionLeaf(n, t)
}

// mergeAttributes gives an element the attributes of a token that it does not have yet.
func (b *treeBuilder) mergeAttributes(n *html.Node, t *Token) {
	if len(t.Attr) == 0 {
		return
	}
	known := b.merged[n]
	if known == nil {
		known = make(map[string]bool, len(n.Attr))
		for i := range n.Attr {
			known[n.Attr[i].Key] = true
		}
		if b.merged == nil {
			b.merged = make(map[*html.Node]map[string]bool)
		}
		b.merged[n] = known
	}
	for i, a := range t.Attr {
		if known[a.Key] {
			continue
		}
		known[a.Key] = true
		n.Attr = append(n.Attr, a)
		if ranges := b.attributeRanges(); b.positions != nil && i < len(ranges) {
			b.positions.merged(n, ranges[i])
		}
	}
}

// positionLeaf notes where a node stands that a token stands for.
func (b *treeBuilder) positionLeaf(n *html.Node, t *Token) {
	if b.positions != nil {
		b.positions.leaf(n, t)
	}
}

// positionAdopted notes that an element that was made again took in children.
func (b *treeBuilder) positionAdopted(n *html.Node) {
	if b.positions != nil && n.FirstChild != nil {
		b.positions.adopted(n, n.FirstChild)
	}
}

// attributeRanges gives where the attributes of the current tag stand; nothing if a script wrote it.
func (b *treeBuilder) attributeRanges() []attrRange {
	if b.source.page != nil {
		return nil
	}
	return b.tokenizer.attrRanges
}
