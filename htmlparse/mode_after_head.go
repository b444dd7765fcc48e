package htmlparse

// processAfterHead applies the rules of the "after head" insertion mode: it makes the body element.
//
// https://html.spec.whatwg.org/multipage/parsing.html#the-after-head-insertion-mode
func (b *treeBuilder) processAfterHead(t *Token) verdict {
	switch t.Type {
	case CharacterToken:
		if b.insertLeadingWhitespace(t) {
			return done
		}
	case CommentToken, ProcessingInstructionToken:
		b.insertComment(t)
		return done
	case DoctypeToken:
		return b.ignoreDoctype()
	case StartTagToken:
		if v, ok := b.startTagAfterHead(t); ok {
			return v
		}
	case EndTagToken:
		switch t.tag {
		case tagTemplate:
			return b.processInHead(t)
		case tagBody, tagHTML, tagBr:
		default:
			return b.ignore(CodeUnexpectedEndTag)
		}
	}
	b.insertImplied(tagBody)
	return b.reprocessIn(inBodyMode)
}

// startTagAfterHead reports false for a tag that belongs to a body whose start tag is left out.
func (b *treeBuilder) startTagAfterHead(t *Token) (v verdict, ok bool) {
	switch t.tag {
	case tagHTML:
		return b.processInBody(t), true
	case tagBody:
		b.insertHTMLElement(t)
		b.framesetOK = false
		b.mode = inBodyMode
	case tagFrameset:
		b.insertHTMLElement(t)
		b.mode = inFramesetMode
	case tagBase, tagBasefont, tagBgsound, tagLink, tagMeta, tagNoframes, tagScript, tagStyle, tagTemplate, tagTitle:
		return b.headStartTagAfterHead(t), true
	case tagHead:
		b.parseError(CodeUnexpectedStartTag)
	default:
		return reprocess, false
	}
	return done, true
}

// headStartTagAfterHead puts an element that comes too late into the head.
func (b *treeBuilder) headStartTagAfterHead(t *Token) verdict {
	b.parseError(CodeUnexpectedStartTagOutOfMyHead)
	b.open.push(b.head, b.head.Data, tagHead, tagHead.class())
	v := b.processInHead(t)
	if depth := b.open.depthOf(b.head); depth > 0 {
		b.removeOpen(depth)
	}
	return v
}
