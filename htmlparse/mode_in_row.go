package htmlparse

// processInRow applies the rules of the "in row" insertion mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intr
func (b *treeBuilder) processInRow(t *Token) verdict {
	switch t.Type {
	case StartTagToken:
		switch t.tag {
		case tagTh, tagTd:
			b.clearStackToTableRowContext()
			b.insertHTMLElement(t)
			b.mode = inCellMode
			b.insertMarker()
			return done
		case tagCaption, tagCol, tagColgroup, tagTbody, tagTfoot, tagThead, tagTr:
			return b.closeRow(t, reprocess)
		}
	case EndTagToken:
		switch t.tag {
		case tagTr:
			return b.closeRow(t, done)
		case tagTable:
			return b.closeRow(t, reprocess)
		case tagTbody, tagTfoot, tagThead:
			if !b.open.inTableScope(t.tag) {
				return b.ignore(CodeUnexpectedEndTagInTableRow)
			}
			if !b.open.inTableScope(tagTr) {
				return done
			}
			return b.closeRow(t, reprocess)
		case tagBody, tagCaption, tagCol, tagColgroup, tagHTML, tagTd, tagTh:
			return b.ignore(CodeUnexpectedEndTagInTableRow)
		}
	}
	return b.processInTable(t)
}

// closeRow closes the row and then says what becomes of the token that asked for it. Without a row, in the fragment
// case, the token is ignored.
func (b *treeBuilder) closeRow(t *Token, then verdict) verdict {
	if !b.open.inTableScope(tagTr) {
		return b.ignore(unexpectedCode(t))
	}
	b.clearStackToTableRowContext()
	b.pop()
	b.mode = inTableBodyMode
	return then
}

// clearStackToTableRowContext pops what is open in the row.
//
// https://html.spec.whatwg.org/multipage/parsing.html#clear-the-stack-back-to-a-table-row-context
func (b *treeBuilder) clearStackToTableRowContext() {
	newest := &b.open.newest
	b.popTo(int(max(newest[tagTr], newest[tagTemplate], newest[tagHTML])))
}
