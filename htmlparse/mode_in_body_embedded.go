package htmlparse

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The tags of void elements, objects, tables and elements whose contents are text, in the body.

func (b *treeBuilder) objectStartTagInBody(t *Token) {
	b.reconstructActiveFormattingElements()
	n := b.insertHTMLElement(t)
	if b.open.current().node == n {
		b.insertMarker()
	}
	b.framesetOK = false
}

func (b *treeBuilder) objectEndTagInBody(t *Token) {
	if !b.open.inScope(t.tag) {
		b.parseError(CodeUnexpectedEndTag)
		return
	}
	b.close(t.tag, CodeEndTagTooEarly)
	b.formatting.clearToLastMarker()
}

func (b *treeBuilder) tableStartTagInBody(t *Token) {
	if b.quirks != Quirks {
		b.closePInButtonScope()
	}
	b.insertHTMLElement(t)
	b.framesetOK = false
	b.mode = inTableMode
}

func (b *treeBuilder) voidStartTagInBody(t *Token) {
	b.reconstructActiveFormattingElements()
	b.insertVoidElement(t)
	b.selfClosingAcknowledged = true
	b.framesetOK = false
}

// brEndTagInBody treats the end tag as a start tag without attributes.
func (b *treeBuilder) brEndTagInBody(t *Token) {
	b.parseError(CodeUnexpectedEndTagTreatedAs)
	b.reconstructActiveFormattingElements()
	b.insertImpliedVoid(tagBr)
	b.framesetOK = false
}

// insertImpliedVoid inserts an element that has no tag and no contents.
func (b *treeBuilder) insertImpliedVoid(t tag) {
	b.insertAt(b.appropriatePlace(), b.createImplied(t))
}

func (b *treeBuilder) hrStartTagInBody(t *Token) {
	b.closePInButtonScope()
	if !b.classicSelect && b.open.inScope(tagSelect) {
		b.generateImpliedEndTags()
		if b.open.inScope(tagOption) || b.open.inScope(tagOptgroup) {
			b.parseError(CodeUnexpectedStartTagInSelect)
		}
	}
	b.insertVoidElement(t)
	b.selfClosingAcknowledged = true
	b.framesetOK = false
}

// imageStartTagInBody makes the tag an img tag, to be processed again.
func (b *treeBuilder) imageStartTagInBody(t *Token) {
	b.parseError(CodeUnexpectedStartTagTreatedAs)
	t.Name, t.atom, t.tag = "img", atom.Img, tagImg
}

func (b *treeBuilder) inputStartTagInBody(t *Token) {
	if !b.classicSelect {
		if b.contextIs(tagSelect) {
			b.parseError(CodeUnexpectedInputInSelect)
			return
		}
		if b.open.inScope(tagSelect) {
			b.parseError(CodeUnexpectedInputInSelect)
			b.popUntil(tagSelect)
		}
	}
	hidden := isHiddenInput(t)
	b.reconstructActiveFormattingElements()
	b.insertVoidElement(t)
	b.selfClosingAcknowledged = true
	if !hidden {
		b.framesetOK = false
	}
}

// isHiddenInput says whether the type of an input tag is "hidden".
func isHiddenInput(t *Token) bool {
	value, _ := attribute(t.Attr, "type")
	return equalFoldASCII(value, "hidden")
}

// attribute gives the value of an attribute in no namespace.
func attribute(attr []html.Attribute, name string) (value string, ok bool) {
	for i := range attr {
		if attr[i].Key == name && attr[i].Namespace == "" {
			return attr[i].Val, true
		}
	}
	return "", false
}

func (b *treeBuilder) textareaStartTagInBody(t *Token) {
	b.parseGenericRCDATA(t)
	b.skipNewline = true
	b.framesetOK = false
}

func (b *treeBuilder) xmpStartTagInBody(t *Token) {
	b.closePInButtonScope()
	b.reconstructActiveFormattingElements()
	b.framesetOK = false
	b.parseGenericRawText(t)
}

func (b *treeBuilder) noscriptStartTagInBody(t *Token) {
	if b.scripting {
		b.parseGenericRawText(t)
		return
	}
	b.anyOtherStartTagInBody(t)
}
