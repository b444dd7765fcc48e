package htmlparse

// processInHeadNoscript applies the rules of the "in head noscript" insertion mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inheadnoscript
func (b *treeBuilder) processInHeadNoscript(t *Token) verdict {
	switch t.Type {
	case DoctypeToken:
		return b.ignoreDoctype()
	case StartTagToken:
		switch t.tag {
		case tagHTML:
			return b.processInBody(t)
		case tagBasefont, tagBgsound, tagLink, tagMeta, tagNoframes, tagStyle:
			return b.processInHead(t)
		case tagHead, tagNoscript:
			return b.ignore(CodeUnexpectedStartTag)
		}
	case EndTagToken:
		switch t.tag {
		case tagNoscript:
			b.pop()
			b.mode = inHeadMode
			return done
		case tagBr:
		default:
			return b.ignore(CodeUnexpectedEndTag)
		}
	case CharacterToken:
		if b.insertLeadingWhitespace(t) {
			return done
		}
	case CommentToken, ProcessingInstructionToken:
		return b.processInHead(t)
	}
	b.parseError(unexpectedCode(t))
	b.pop()
	return b.reprocessIn(inHeadMode)
}
