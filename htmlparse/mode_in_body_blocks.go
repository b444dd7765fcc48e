package htmlparse

// The tags of blocks in the body: headings, preformatted text, lists, forms.

func (b *treeBuilder) headingStartTagInBody(t *Token) {
	b.closePInButtonScope()
	if b.open.current().is(heading) {
		b.parseError(CodeUnexpectedStartTag)
		b.pop()
	}
	b.insertHTMLElement(t)
}

func (b *treeBuilder) preStartTagInBody(t *Token) {
	b.closePInButtonScope()
	b.insertHTMLElement(t)
	b.skipNewline = true
	b.framesetOK = false
}

func (b *treeBuilder) formStartTagInBody(t *Token) {
	inTemplate := b.open.has(tagTemplate)
	if b.form != nil && !inTemplate {
		b.parseError(CodeUnexpectedStartTag)
		return
	}
	b.closePInButtonScope()
	n := b.insertHTMLElement(t)
	if !inTemplate {
		b.form = n
	}
}

// liStartTagInBody closes an li element that is open with nothing between but address, div, p and ordinary elements.
func (b *treeBuilder) liStartTagInBody(t *Token) {
	b.framesetOK = false
	if b.lowestBarrier() == tagLi {
		b.close(tagLi, CodeUnexpectedEndTag)
	}
	b.closePInButtonScope()
	b.insertHTMLElement(t)
}

// ddStartTagInBody does for dd and dt what liStartTagInBody does for li.
func (b *treeBuilder) ddStartTagInBody(t *Token) {
	b.framesetOK = false
	if open := b.lowestBarrier(); open == tagDd || open == tagDt {
		b.close(open, CodeUnexpectedEndTag)
	}
	b.closePInButtonScope()
	b.insertHTMLElement(t)
}

// lowestBarrier gives the tag of the lowest open element that is special and not address, div or p.
func (b *treeBuilder) lowestBarrier() tag {
	depth := b.open.current().barrier
	if depth == 0 {
		return tagOther
	}
	return b.open.at(int(depth)).tag
}

func (b *treeBuilder) plaintextStartTagInBody(t *Token) {
	b.closePInButtonScope()
	b.insertHTMLElement(t)
	b.tokenizer.switchTo(PlaintextState)
}

func (b *treeBuilder) buttonStartTagInBody(t *Token) {
	if b.open.inScope(tagButton) {
		b.parseError(CodeUnexpectedStartTagImpliesEndTag)
		b.generateImpliedEndTags()
		b.popUntil(tagButton)
	}
	b.reconstructActiveFormattingElements()
	b.insertHTMLElement(t)
	b.framesetOK = false
}

// blockEndTagInBody closes the element that the end tag names and what is open in it.
func (b *treeBuilder) blockEndTagInBody(t *Token) {
	if !b.open.inScope(t.tag) {
		b.parseError(CodeUnexpectedEndTag)
		return
	}
	b.close(t.tag, CodeEndTagTooEarly)
}

func (b *treeBuilder) formEndTagInBody() {
	if b.open.has(tagTemplate) {
		b.formEndTagInTemplate()
		return
	}
	form := b.form
	b.form = nil
	depth := 0
	if form != nil {
		depth = b.open.depthOf(form)
	}
	if depth == 0 || depth < int(b.open.current().scope) {
		b.parseError(CodeUnexpectedEndTag)
		return
	}
	b.generateImpliedEndTags()
	if b.open.depth() != depth {
		b.parseError(CodeEndTagTooEarlyIgnored)
	}
	b.removeOpen(depth)
}

func (b *treeBuilder) formEndTagInTemplate() {
	if !b.open.inScope(tagForm) {
		b.parseError(CodeUnexpectedEndTag)
		return
	}
	b.close(tagForm, CodeEndTagTooEarly)
}

func (b *treeBuilder) pEndTagInBody() {
	if !b.open.inButtonScope(tagP) {
		b.parseError(CodeUnexpectedEndTag)
		b.insertImpliedVoid(tagP)
		return
	}
	b.closePElement()
}

func (b *treeBuilder) liEndTagInBody() {
	if !b.open.inListItemScope(tagLi) {
		b.parseError(CodeUnexpectedEndTag)
		return
	}
	b.close(tagLi, CodeEndTagTooEarly)
}

func (b *treeBuilder) headingEndTagInBody(t *Token) {
	if !b.open.headingInScope() {
		b.parseError(CodeUnexpectedEndTag)
		return
	}
	b.generateImpliedEndTags()
	if b.open.current().tag != t.tag {
		b.parseError(CodeEndTagTooEarly)
	}
	for !b.open.current().is(heading) {
		b.pop()
	}
	b.pop()
}
