package htmlparse

// The tags of the document's structure within its body: html, body and frameset.

func (b *treeBuilder) htmlStartTagInBody(t *Token) {
	b.parseError(CodeNonHTMLRoot)
	if !b.open.has(tagTemplate) {
		b.mergeAttributes(b.open.at(1).node, t)
	}
}

func (b *treeBuilder) bodyStartTagInBody(t *Token) {
	b.parseError(CodeUnexpectedStartTag)
	if !b.bodyIsSecond() || b.open.has(tagTemplate) {
		return
	}
	b.framesetOK = false
	b.mergeAttributes(b.open.at(2).node, t)
}

// bodyIsSecond says whether the second open element is the body. It may not be in the fragment case.
func (b *treeBuilder) bodyIsSecond() bool {
	return b.open.depth() > 1 && b.open.at(2).tag == tagBody
}

func (b *treeBuilder) framesetStartTagInBody(t *Token) {
	b.parseError(CodeUnexpectedStartTag)
	if !b.bodyIsSecond() || !b.framesetOK {
		return
	}
	b.detach(b.open.at(2).node)
	b.popTo(1)
	b.insertHTMLElement(t)
	b.mode = inFramesetMode
}

// bodyEndTagInBody says whether there was a body to end.
func (b *treeBuilder) bodyEndTagInBody() bool {
	if !b.open.inScope(tagBody) {
		b.parseError(CodeUnexpectedEndTag)
		return false
	}
	b.checkOpenAtEnd(CodeExpectedOneEndTagButGotAnother)
	b.mode = afterBodyMode
	return true
}
