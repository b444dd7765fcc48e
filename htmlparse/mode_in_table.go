package htmlparse

// processInTable applies the rules of the "in table" insertion mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intable
func (b *treeBuilder) processInTable(t *Token) verdict {
	switch t.Type {
	case CharacterToken:
		if current := b.open.current(); current.is(fosterContext) || current.tag == tagTemplate {
			b.pendingTableCharacters = b.pendingTableCharacters[:0]
			b.originalMode = b.mode
			return b.reprocessIn(inTableTextMode)
		}
	case CommentToken, ProcessingInstructionToken:
		b.insertComment(t)
		return done
	case DoctypeToken:
		return b.ignoreDoctype()
	case StartTagToken:
		return b.startTagInTable(t)
	case EndTagToken:
		return b.endTagInTable(t)
	case endOfFileToken:
		return b.processInBody(t)
	}
	return b.anythingElseInTable(t)
}

func (b *treeBuilder) startTagInTable(t *Token) verdict {
	switch t.tag {
	case tagCaption:
		b.clearStackToTableContext()
		b.insertHTMLElement(t)
		b.insertMarker()
		b.mode = inCaptionMode
	case tagColgroup:
		b.clearStackToTableContext()
		b.insertHTMLElement(t)
		b.mode = inColumnGroupMode
	case tagCol:
		b.clearStackToTableContext()
		b.insertImplied(tagColgroup)
		return b.reprocessIn(inColumnGroupMode)
	case tagTbody, tagTfoot, tagThead:
		b.clearStackToTableContext()
		b.insertHTMLElement(t)
		b.mode = inTableBodyMode
	case tagTd, tagTh, tagTr:
		b.clearStackToTableContext()
		b.insertImplied(tagTbody)
		return b.reprocessIn(inTableBodyMode)
	case tagTable:
		b.parseError(CodeUnexpectedStartTagImpliesEndTag)
		if b.closeTable() {
			return reprocess
		}
	case tagStyle, tagScript, tagTemplate:
		return b.processInHead(t)
	case tagInput:
		if !isHiddenInput(t) {
			return b.anythingElseInTable(t)
		}
		b.parseError(CodeUnexpectedHiddenInputInTable)
		b.insertVoidElement(t)
		b.selfClosingAcknowledged = true
	case tagForm:
		b.formStartTagInTable(t)
	default:
		return b.anythingElseInTable(t)
	}
	return done
}

func (b *treeBuilder) endTagInTable(t *Token) verdict {
	switch t.tag {
	case tagTable:
		if !b.closeTable() {
			b.parseError(CodeUnexpectedEndTag)
		}
	case tagBody, tagCaption, tagCol, tagColgroup, tagHTML, tagTbody, tagTd, tagTfoot, tagTh, tagThead, tagTr:
		b.parseError(CodeUnexpectedEndTag)
	case tagTemplate:
		return b.processInHead(t)
	default:
		return b.anythingElseInTable(t)
	}
	return done
}

// anythingElseInTable processes a token as in the body, with its nodes put before the table.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intable
func (b *treeBuilder) anythingElseInTable(t *Token) verdict {
	switch t.Type {
	case StartTagToken:
		b.parseError(CodeUnexpectedStartTagImpliesTableVoodoo)
	case EndTagToken:
		b.parseError(CodeUnexpectedEndTagImpliesTableVoodoo)
	}
	b.fosterParenting = true
	v := b.processInBody(t)
	b.fosterParenting = false
	return v
}

// closeTable pops the table in table scope, and says whether there is one.
func (b *treeBuilder) closeTable() bool {
	if !b.open.inTableScope(tagTable) {
		return false
	}
	b.popUntil(tagTable)
	b.resetInsertionMode()
	return true
}

func (b *treeBuilder) formStartTagInTable(t *Token) {
	b.parseError(CodeUnexpectedFormInTable)
	if b.form == nil && !b.open.has(tagTemplate) {
		b.form = b.insertVoidElement(t)
	}
}

// clearStackToTableContext pops what is open in the table, or in the template or document that stands for it.
//
// https://html.spec.whatwg.org/multipage/parsing.html#clear-the-stack-back-to-a-table-context
func (b *treeBuilder) clearStackToTableContext() {
	b.popTo(int(b.open.tableContext()))
}
