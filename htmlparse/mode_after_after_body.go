package htmlparse

// processAfterAfterBody applies the rules of the "after after body" insertion mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#the-after-after-body-insertion-mode
func (b *treeBuilder) processAfterAfterBody(t *Token) verdict {
	switch t.Type {
	case CommentToken, ProcessingInstructionToken:
		b.insertCommentAt(t, place{parent: b.document})
		return done
	case DoctypeToken:
		return b.processInBody(t)
	case CharacterToken:
		if b.whitespaceInBody(t) {
			return done
		}
	case StartTagToken:
		if t.tag == tagHTML {
			return b.processInBody(t)
		}
	case endOfFileToken:
		b.stopParsing()
		return done
	}
	b.parseError(unexpectedCode(t))
	return b.reprocessIn(inBodyMode)
}
