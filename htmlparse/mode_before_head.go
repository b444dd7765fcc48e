package htmlparse

// processBeforeHead applies the rules of the "before head" insertion mode: it makes the head element.
//
// https://html.spec.whatwg.org/multipage/parsing.html#the-before-head-insertion-mode
func (b *treeBuilder) processBeforeHead(t *Token) verdict {
	switch t.Type {
	case CharacterToken:
		if b.dropLeadingWhitespace(t) {
			return done
		}
	case CommentToken, ProcessingInstructionToken:
		b.insertComment(t)
		return done
	case DoctypeToken:
		return b.ignoreDoctype()
	case StartTagToken:
		switch t.tag {
		case tagHTML:
			return b.processInBody(t)
		case tagHead:
			b.head = b.insertHTMLElement(t)
			b.mode = inHeadMode
			return done
		}
	case EndTagToken:
		if !impliesDocumentStructure(t.tag) {
			return b.ignore(CodeUnexpectedEndTag)
		}
	}
	b.head = b.insertImplied(tagHead)
	return b.reprocessIn(inHeadMode)
}
