package htmlparse

// processInCaption applies the rules of the "in caption" insertion mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-incaption
func (b *treeBuilder) processInCaption(t *Token) verdict {
	switch t.Type {
	case StartTagToken:
		switch t.tag {
		case tagCaption, tagCol, tagColgroup, tagTbody, tagTd, tagTfoot, tagTh, tagThead, tagTr:
			return b.closeCaption(t, reprocess)
		}
	case EndTagToken:
		switch t.tag {
		case tagCaption:
			return b.closeCaption(t, done)
		case tagTable:
			return b.closeCaption(t, reprocess)
		case tagBody, tagCol, tagColgroup, tagHTML, tagTbody, tagTd, tagTfoot, tagTh, tagThead, tagTr:
			return b.ignore(CodeUnexpectedEndTag)
		}
	}
	return b.processInBody(t)
}

// closeCaption closes the caption and then says what becomes of the token that asked for it. Without a caption,
// in the fragment case, the token is ignored.
func (b *treeBuilder) closeCaption(t *Token, then verdict) verdict {
	if !b.open.inTableScope(tagCaption) {
		return b.ignore(unexpectedCode(t))
	}
	b.generateImpliedEndTags()
	if b.open.current().tag != tagCaption {
		b.parseError(CodeExpectedOneEndTagButGotAnother)
	}
	b.popUntil(tagCaption)
	b.formatting.clearToLastMarker()
	b.mode = inTableMode
	return then
}
