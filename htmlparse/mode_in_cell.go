package htmlparse

// processInCell applies the rules of the "in cell" insertion mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intd
func (b *treeBuilder) processInCell(t *Token) verdict {
	switch t.Type {
	case StartTagToken:
		switch t.tag {
		case tagCaption, tagCol, tagColgroup, tagTbody, tagTd, tagTfoot, tagTh, tagThead, tagTr:
			return b.closeCell()
		}
	case EndTagToken:
		switch t.tag {
		case tagTd, tagTh:
			b.cellEndTagInCell(t)
			return done
		case tagBody, tagCaption, tagCol, tagColgroup, tagHTML:
			return b.ignore(CodeUnexpectedEndTag)
		case tagTable, tagTbody, tagTfoot, tagThead, tagTr:
			if !b.open.inTableScope(t.tag) {
				return b.ignore(CodeUnexpectedEndTag)
			}
			return b.closeCell()
		}
	}
	return b.processInBody(t)
}

func (b *treeBuilder) cellEndTagInCell(t *Token) {
	if !b.open.inTableScope(t.tag) {
		b.parseError(CodeUnexpectedEndTag)
		return
	}
	b.generateImpliedEndTags()
	if b.open.current().tag != t.tag {
		b.parseError(CodeUnexpectedCellEndTag)
	}
	b.popUntil(t.tag)
	b.formatting.clearToLastMarker()
	b.mode = inRowMode
}

// closeCell closes the cell and has the token that asked for it processed again in the row.
//
// https://html.spec.whatwg.org/multipage/parsing.html#close-the-cell
func (b *treeBuilder) closeCell() verdict {
	cell := max(b.open.newest[tagTd], b.open.newest[tagTh])
	if cell < b.open.tableContext() {
		return b.ignore(CodeUnexpectedStartTag) // fragment case
	}
	b.generateImpliedEndTags()
	if b.open.depth() != int(cell) {
		b.parseError(CodeUnexpectedCellEndTag)
	}
	b.popTo(int(cell) - 1)
	b.formatting.clearToLastMarker()
	return b.reprocessIn(inRowMode)
}
