package htmlparse

// processBeforeHTML applies the rules of the "before html" insertion mode: it makes the root element.
//
// https://html.spec.whatwg.org/multipage/parsing.html#the-before-html-insertion-mode
func (b *treeBuilder) processBeforeHTML(t *Token) verdict {
	switch t.Type {
	case DoctypeToken:
		return b.ignoreDoctype()
	case CommentToken, ProcessingInstructionToken:
		b.insertCommentAt(t, place{parent: b.document})
		return done
	case CharacterToken:
		if b.dropLeadingWhitespace(t) {
			return done
		}
	case StartTagToken:
		if t.tag == tagHTML {
			n := b.createElement(t)
			b.insertAt(place{parent: b.document}, n)
			b.push(n, tagHTML)
			b.mode = beforeHeadMode
			return done
		}
	case EndTagToken:
		if !impliesDocumentStructure(t.tag) {
			return b.ignore(CodeUnexpectedEndTagBeforeHTML)
		}
	}
	n := b.createImplied(tagHTML)
	b.insertAt(place{parent: b.document}, n)
	b.push(n, tagHTML)
	return b.reprocessIn(beforeHeadMode)
}

// impliesDocumentStructure says whether an end tag in front of the body makes the elements that are left out there.
func impliesDocumentStructure(t tag) bool {
	switch t {
	case tagHead, tagBody, tagHTML, tagBr:
		return true
	}
	return false
}
