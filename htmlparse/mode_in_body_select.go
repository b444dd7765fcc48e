package htmlparse

// The tags of select and its options in the body, by today's rules and, with Options.ClassicSelect, by those of 2024.

// contextIs says whether the parser was made for a fragment whose context element has this tag.
func (b *treeBuilder) contextIs(t tag) bool { return b.context != nil && b.context.tag == t }

func (b *treeBuilder) selectStartTagInBody(t *Token) {
	switch {
	case b.classicSelect:
		b.classicSelectStartTagInBody(t)
		return
	case b.contextIs(tagSelect):
		b.parseError(CodeUnexpectedSelectInSelect)
		return
	case b.open.inScope(tagSelect):
		b.parseError(CodeUnexpectedSelectInSelect)
		b.popUntil(tagSelect)
		return
	}
	b.reconstructActiveFormattingElements()
	b.insertHTMLElement(t)
	b.framesetOK = false
}

func (b *treeBuilder) classicSelectStartTagInBody(t *Token) {
	b.reconstructActiveFormattingElements()
	b.insertHTMLElement(t)
	b.framesetOK = false
	switch b.mode {
	case inTableMode, inCaptionMode, inTableBodyMode, inRowMode, inCellMode:
		b.mode = inSelectInTableMode
	default:
		b.mode = inSelectMode
	}
}

func (b *treeBuilder) optionStartTagInBody(t *Token) {
	if !b.classicSelect && b.open.inScope(tagSelect) {
		b.generateImpliedEndTagsExcept(tagOptgroup)
		if b.open.inScope(tagOption) {
			b.parseError(CodeUnexpectedStartTagInSelect)
		}
	} else if b.open.current().tag == tagOption {
		b.pop()
	}
	b.reconstructActiveFormattingElements()
	n := b.insertHTMLElement(t)
	if b.selects != nil {
		b.optionInserted(n)
	}
}

func (b *treeBuilder) optgroupStartTagInBody(t *Token) {
	if !b.classicSelect && b.open.inScope(tagSelect) {
		b.generateImpliedEndTags()
		if b.open.inScope(tagOption) || b.open.inScope(tagOptgroup) {
			b.parseError(CodeUnexpectedStartTagInSelect)
		}
	} else if b.open.current().tag == tagOption {
		b.pop()
	}
	b.reconstructActiveFormattingElements()
	b.insertHTMLElement(t)
}
