package htmlparse

// processAfterFrameset applies the rules of the "after frameset" insertion mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-afterframeset
func (b *treeBuilder) processAfterFrameset(t *Token) verdict {
	switch t.Type {
	case CharacterToken:
		b.insertWhitespaceOnly(t, CodeUnexpectedCharAfterFrameset)
	case CommentToken, ProcessingInstructionToken:
		b.insertComment(t)
	case DoctypeToken:
		return b.ignoreDoctype()
	case StartTagToken:
		switch t.tag {
		case tagHTML:
			return b.processInBody(t)
		case tagNoframes:
			return b.processInHead(t)
		}
		b.parseError(CodeUnexpectedStartTagAfterFrameset)
	case EndTagToken:
		if t.tag != tagHTML {
			return b.ignore(CodeUnexpectedEndTagAfterFrameset)
		}
		b.mode = afterAfterFramesetMode
	case endOfFileToken:
		b.stopParsing()
	}
	return done
}
