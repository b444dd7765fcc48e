package htmlparse

// processInSelectInTable applies the rules of the "in select in table" insertion mode of the standard as it was until 2025.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inselectintable
func (b *treeBuilder) processInSelectInTable(t *Token) verdict {
	switch t.tag {
	case tagCaption, tagTable, tagTbody, tagTfoot, tagThead, tagTr, tagTd, tagTh:
	default:
		return b.processInSelect(t)
	}
	switch t.Type {
	case StartTagToken:
		b.parseError(CodeUnexpectedTableElementStartTagInSelectInTable)
	case EndTagToken:
		b.parseError(CodeUnexpectedTableElementEndTagInSelectInTable)
		if !b.open.inTableScope(t.tag) {
			return done
		}
	default:
		return b.processInSelect(t)
	}
	b.popUntil(tagSelect)
	b.resetInsertionMode()
	return reprocess
}
