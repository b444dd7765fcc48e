package htmlparse

import "slices"

// The tags of formatting and other phrasing elements in the body.

// insertFormattingElement inserts an element and pushes it onto the list of active formatting elements. An element
// that found no room on the stack of open elements stays out of the list, or it would be opened again for ever.
func (b *treeBuilder) insertFormattingElement(t *Token) {
	n := b.insertHTMLElement(t)
	if b.open.current().node != n {
		return
	}
	f := formattingToken{tag: t.tag, attr: n.Attr, first: n}
	if b.scripts.onScript != nil {
		f.attr = slices.Clone(n.Attr) // scripts may change the element's
	}
	b.formatting.push(formattingElement{node: n, token: f, depth: b.open.depth()})
}

func (b *treeBuilder) aStartTagInBody(t *Token) {
	if entry := b.formatting.lastWithTag(tagA); entry >= 0 {
		b.parseError(CodeUnexpectedStartTagImpliesEndTag)
		n := b.formatting.entries[entry].node
		b.adoptionAgency(t)
		if entry = b.formatting.indexOf(n); entry >= 0 {
			b.formatting.remove(entry)
		}
		if depth := b.open.depthOf(n); depth > 0 {
			b.removeOpen(depth)
		}
	}
	b.reconstructActiveFormattingElements()
	b.insertFormattingElement(t)
}

func (b *treeBuilder) nobrStartTagInBody(t *Token) {
	b.reconstructActiveFormattingElements()
	if b.open.inScope(tagNobr) {
		b.parseError(CodeUnexpectedStartTagImpliesEndTag)
		b.adoptionAgency(t)
		b.reconstructActiveFormattingElements()
	}
	b.insertFormattingElement(t)
}

func (b *treeBuilder) rbStartTagInBody(t *Token) {
	if b.open.inScope(tagRuby) {
		b.generateImpliedEndTags()
		if b.open.current().tag != tagRuby {
			b.parseError(CodeUnexpectedStartTag)
		}
	}
	b.insertHTMLElement(t)
}

func (b *treeBuilder) rtStartTagInBody(t *Token) {
	if b.open.inScope(tagRuby) {
		b.generateImpliedEndTagsExcept(tagRtc)
		if current := b.open.current().tag; current != tagRtc && current != tagRuby {
			b.parseError(CodeUnexpectedStartTag)
		}
	}
	b.insertHTMLElement(t)
}
