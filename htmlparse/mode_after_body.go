package htmlparse

// processAfterBody applies the rules of the "after body" insertion mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-afterbody
func (b *treeBuilder) processAfterBody(t *Token) verdict {
	switch t.Type {
	case CharacterToken:
		if b.whitespaceInBody(t) {
			return done
		}
	case CommentToken, ProcessingInstructionToken:
		b.insertCommentAt(t, place{parent: b.open.at(1).node})
		return done
	case DoctypeToken:
		return b.ignoreDoctype()
	case StartTagToken:
		if t.tag == tagHTML {
			return b.processInBody(t)
		}
	case EndTagToken:
		if t.tag == tagHTML {
			if b.context != nil {
				return b.ignore(CodeUnexpectedEndTag)
			}
			b.mode = afterAfterBodyMode
			return done
		}
	case endOfFileToken:
		b.stopParsing()
		return done
	}
	b.parseError(unexpectedCode(t))
	return b.reprocessIn(inBodyMode)
}

// whitespaceInBody processes the whitespace that a character token begins with as in the body, and says whether
// nothing is left of it.
func (b *treeBuilder) whitespaceInBody(t *Token) bool {
	n := leadingWhitespace(t.Data)
	if n == 0 {
		return false
	}
	space := b.split(t, n)
	b.processInBody(&space)
	return t.Data == ""
}
