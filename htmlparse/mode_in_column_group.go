package htmlparse

// processInColumnGroup applies the rules of the "in column group" insertion mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-incolgroup
func (b *treeBuilder) processInColumnGroup(t *Token) verdict {
	switch t.Type {
	case CharacterToken:
		if b.insertLeadingWhitespace(t) {
			return done
		}
		if b.open.current().tag != tagColgroup {
			b.insertWhitespaceOnly(t, CodeUnexpectedChar)
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
		case tagCol:
			b.insertVoidElement(t)
			b.selfClosingAcknowledged = true
			return done
		case tagTemplate:
			return b.processInHead(t)
		}
	case EndTagToken:
		switch t.tag {
		case tagColgroup:
			return b.closeColumnGroup(t, done)
		case tagCol:
			return b.ignore(CodeUnexpectedEndTag)
		case tagTemplate:
			return b.processInHead(t)
		}
	case endOfFileToken:
		return b.processInBody(t)
	}
	return b.closeColumnGroup(t, reprocess)
}

// closeColumnGroup closes the colgroup and then says what becomes of the token that asked for it. Without a
// colgroup as the current node the token is ignored.
func (b *treeBuilder) closeColumnGroup(t *Token, then verdict) verdict {
	if b.open.current().tag != tagColgroup {
		return b.ignore(unexpectedCode(t))
	}
	b.pop()
	b.mode = inTableMode
	return then
}
