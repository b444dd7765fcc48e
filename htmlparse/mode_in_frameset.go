package htmlparse

// processInFrameset applies the rules of the "in frameset" insertion mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inframeset
func (b *treeBuilder) processInFrameset(t *Token) verdict {
	switch t.Type {
	case CharacterToken:
		b.insertWhitespaceOnly(t, CodeUnexpectedCharInFrameset)
	case CommentToken, ProcessingInstructionToken:
		b.insertComment(t)
	case DoctypeToken:
		return b.ignoreDoctype()
	case StartTagToken:
		return b.startTagInFrameset(t)
	case EndTagToken:
		b.endTagInFrameset(t)
	case endOfFileToken:
		if b.open.depth() != 1 {
			b.parseError(CodeEOFInFrameset)
		}
		b.stopParsing()
	}
	return done
}

func (b *treeBuilder) startTagInFrameset(t *Token) verdict {
	switch t.tag {
	case tagHTML:
		return b.processInBody(t)
	case tagFrameset:
		b.insertHTMLElement(t)
	case tagFrame:
		b.insertVoidElement(t)
		b.selfClosingAcknowledged = true
	case tagNoframes:
		return b.processInHead(t)
	default:
		b.parseError(CodeUnexpectedStartTagInFrameset)
	}
	return done
}

func (b *treeBuilder) endTagInFrameset(t *Token) {
	if t.tag != tagFrameset || b.open.depth() == 1 {
		b.parseError(CodeUnexpectedEndTagInFrameset)
		return
	}
	b.pop()
	if b.context == nil && b.open.current().tag != tagFrameset {
		b.mode = afterFramesetMode
	}
}
