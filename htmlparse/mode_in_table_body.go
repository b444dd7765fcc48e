package htmlparse

// processInTableBody applies the rules of the "in table body" insertion mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intbody
func (b *treeBuilder) processInTableBody(t *Token) verdict {
	switch t.Type {
	case StartTagToken:
		switch t.tag {
		case tagTr:
			b.clearStackToTableBodyContext()
			b.insertHTMLElement(t)
			b.mode = inRowMode
			return done
		case tagTh, tagTd:
			b.parseError(CodeUnexpectedCellInTableBody)
			b.clearStackToTableBodyContext()
			b.insertImplied(tagTr)
			return b.reprocessIn(inRowMode)
		case tagCaption, tagCol, tagColgroup, tagTbody, tagTfoot, tagThead:
			return b.closeTableBody(t)
		}
	case EndTagToken:
		switch t.tag {
		case tagTbody, tagTfoot, tagThead:
			if !b.open.inTableScope(t.tag) {
				return b.ignore(CodeUnexpectedEndTagInTableBody)
			}
			b.popTableBody()
			return done
		case tagTable:
			return b.closeTableBody(t)
		case tagBody, tagCaption, tagCol, tagColgroup, tagHTML, tagTd, tagTh, tagTr:
			return b.ignore(CodeUnexpectedEndTagInTableBody)
		}
	}
	return b.processInTable(t)
}

// closeTableBody closes the table section and has the token processed again in its table. Without a section,
// in the fragment case, the token is ignored.
func (b *treeBuilder) closeTableBody(t *Token) verdict {
	if !b.open.inTableScope(tagTbody) && !b.open.inTableScope(tagThead) && !b.open.inTableScope(tagTfoot) {
		return b.ignore(unexpectedCode(t))
	}
	b.popTableBody()
	return reprocess
}

func (b *treeBuilder) popTableBody() {
	b.clearStackToTableBodyContext()
	b.pop()
	b.mode = inTableMode
}

// clearStackToTableBodyContext pops what is open in the table section.
//
// https://html.spec.whatwg.org/multipage/parsing.html#clear-the-stack-back-to-a-table-body-context
func (b *treeBuilder) clearStackToTableBodyContext() {
	newest := &b.open.newest
	b.popTo(int(max(newest[tagTbody], newest[tagTfoot], newest[tagThead], newest[tagTemplate], newest[tagHTML])))
}
