package htmlparse

// processAfterAfterFrameset applies the rules of the "after after frameset" insertion mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#the-after-after-frameset-insertion-mode
func (b *treeBuilder) processAfterAfterFrameset(t *Token) verdict {
	switch t.Type {
	case CommentToken, ProcessingInstructionToken:
		b.insertCommentAt(t, place{parent: b.document})
		return done
	case DoctypeToken:
		return b.processInBody(t)
	case CharacterToken:
		if space := whitespaceOnly(t.Data); len(space) < len(t.Data) {
			b.parseError(CodeExpectedEOFButGotChar)
			t.Data, t.verbatim, t.hasNUL = space, false, false
		}
		if t.Data != "" {
			return b.processInBody(t)
		}
		return done
	case StartTagToken:
		switch t.tag {
		case tagHTML:
			return b.processInBody(t)
		case tagNoframes:
			return b.processInHead(t)
		}
	case endOfFileToken:
		b.stopParsing()
		return done
	}
	return b.ignore(unexpectedCode(t))
}
