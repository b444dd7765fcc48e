package htmlparse

// processInSelect applies the rules of the "in select" insertion mode of the standard as it was until 2025.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inselect
func (b *treeBuilder) processInSelect(t *Token) verdict {
	switch t.Type {
	case CharacterToken:
		b.charactersInSelect(t)
	case CommentToken, ProcessingInstructionToken:
		b.insertComment(t)
	case DoctypeToken:
		b.parseError(CodeUnexpectedDoctype)
	case StartTagToken:
		return b.startTagInSelect(t)
	case EndTagToken:
		return b.endTagInSelect(t)
	case endOfFileToken:
		return b.processInBody(t)
	}
	return done
}

func (b *treeBuilder) charactersInSelect(t *Token) {
	text := t.Data
	if t.hasNUL {
		text = b.dropNUL(t)
	}
	b.insertText(t, text)
}

func (b *treeBuilder) startTagInSelect(t *Token) verdict {
	switch t.tag {
	case tagHTML:
		return b.processInBody(t)
	case tagOption:
		b.popIfCurrent(tagOption)
		b.insertHTMLElement(t)
	case tagOptgroup:
		b.popIfCurrent(tagOption)
		b.popIfCurrent(tagOptgroup)
		b.insertHTMLElement(t)
	case tagHr:
		b.popIfCurrent(tagOption)
		b.popIfCurrent(tagOptgroup)
		b.insertVoidElement(t)
		b.selfClosingAcknowledged = true
	case tagSelect:
		b.parseError(CodeUnexpectedSelectInSelect)
		b.closeSelect()
	case tagInput, tagKeygen, tagTextarea:
		b.parseError(CodeUnexpectedInputInSelect)
		if b.closeSelect() {
			return reprocess
		}
	case tagScript, tagTemplate:
		return b.processInHead(t)
	default:
		b.parseError(CodeUnexpectedStartTagInSelect)
	}
	return done
}

func (b *treeBuilder) endTagInSelect(t *Token) verdict {
	switch t.tag {
	case tagOptgroup:
		b.optgroupEndTagInSelect()
	case tagOption:
		if !b.popIfCurrent(tagOption) {
			b.parseError(CodeUnexpectedEndTagInSelect)
		}
	case tagSelect:
		if !b.closeSelect() {
			b.parseError(CodeUnexpectedEndTagInSelect)
		}
	case tagTemplate:
		return b.processInHead(t)
	default:
		b.parseError(CodeUnexpectedEndTagInSelect)
	}
	return done
}

func (b *treeBuilder) optgroupEndTagInSelect() {
	depth := b.open.depth()
	if b.open.current().tag == tagOption && depth > 1 && b.open.at(depth-1).tag == tagOptgroup {
		b.pop()
	}
	if !b.popIfCurrent(tagOptgroup) {
		b.parseError(CodeUnexpectedEndTagInSelect)
	}
}

// popIfCurrent pops the current node if it has this tag, and says whether it did.
func (b *treeBuilder) popIfCurrent(t tag) bool {
	if b.open.current().tag != t {
		return false
	}
	b.pop()
	return true
}

// closeSelect pops the select in select scope, and says whether there is one.
func (b *treeBuilder) closeSelect() bool {
	if !b.open.inSelectScope(tagSelect) {
		return false
	}
	b.popUntil(tagSelect)
	b.resetInsertionMode()
	return true
}

// selectModeFor gives the insertion mode that an open select calls for, which depends on whether it is in a table.
//
// https://html.spec.whatwg.org/multipage/parsing.html#reset-the-insertion-mode-appropriately
func (b *treeBuilder) selectModeFor(depth int, last bool) insertionMode {
	if last {
		return inSelectMode
	}
	for ancestor := depth - 1; ancestor > 1; ancestor-- {
		switch b.open.at(ancestor).tag {
		case tagTemplate:
			return inSelectMode
		case tagTable:
			return inSelectInTableMode
		}
	}
	return inSelectMode
}
