package htmlparse

// processInHead applies the rules of the "in head" insertion mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
func (b *treeBuilder) processInHead(t *Token) verdict {
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
		if v, ok := b.startTagInHead(t); ok {
			return v
		}
	case EndTagToken:
		if v, ok := b.endTagInHead(t); ok {
			return v
		}
	}
	b.pop()
	return b.reprocessIn(afterHeadMode)
}

// startTagInHead reports false for a tag that ends the head.
func (b *treeBuilder) startTagInHead(t *Token) (v verdict, ok bool) {
	switch t.tag {
	case tagHTML:
		return b.processInBody(t), true
	case tagBase, tagBasefont, tagBgsound, tagLink:
		b.insertVoidElement(t)
		b.selfClosingAcknowledged = true
	case tagMeta:
		b.metaStartTagInHead(t)
	case tagTitle:
		b.parseGenericRCDATA(t)
	case tagNoscript:
		if b.scripting {
			b.parseGenericRawText(t)
			break
		}
		b.insertHTMLElement(t)
		b.mode = inHeadNoscriptMode
	case tagNoframes, tagStyle:
		b.parseGenericRawText(t)
	case tagScript:
		b.scriptStartTagInHead(t)
	case tagTemplate:
		b.templateStartTagInHead(t)
	case tagHead:
		b.parseError(CodeTwoHeadsAreNotBetterThanOne)
	default:
		return reprocess, false
	}
	return done, true
}

// endTagInHead reports false for a tag that ends the head as if it were left out.
func (b *treeBuilder) endTagInHead(t *Token) (v verdict, ok bool) {
	switch t.tag {
	case tagHead:
		b.pop()
		b.mode = afterHeadMode
	case tagBody, tagHTML, tagBr:
		return reprocess, false
	case tagTemplate:
		b.templateEndTagInHead()
	default:
		b.parseError(CodeUnexpectedEndTag)
	}
	return done, true
}

func (b *treeBuilder) metaStartTagInHead(t *Token) {
	n := b.insertVoidElement(t)
	b.selfClosingAcknowledged = true
	if b.changeEncoding == nil {
		return
	}
	if name, ok := metaCharset(n.Attr); ok && b.changeEncoding(name) {
		b.stopped, b.restart = true, true
	}
}

func (b *treeBuilder) scriptStartTagInHead(t *Token) {
	b.insertRawElement(t)
	b.tokenizer.switchTo(ScriptDataState)
	b.originalMode = b.mode
	b.mode = textMode
}

// templateStartTagInHead opens a template. A declarative shadow root stays a template too, see ShadowRoot.
func (b *treeBuilder) templateStartTagInHead(t *Token) {
	b.insertHTMLElement(t)
	b.insertMarker()
	b.framesetOK = false
	b.mode = inTemplateMode
	b.templateModes = append(b.templateModes, inTemplateMode)
}

func (b *treeBuilder) templateEndTagInHead() {
	if !b.open.has(tagTemplate) {
		b.parseError(CodeUnexpectedEndTag)
		return
	}
	b.generateAllImpliedEndTagsThoroughly()
	if b.open.current().tag != tagTemplate {
		b.parseError(CodeUnexpectedEndTag)
	}
	b.closeTemplate()
}

// closeTemplate pops the innermost template with all that is open in it.
func (b *treeBuilder) closeTemplate() {
	b.popUntil(tagTemplate)
	b.formatting.clearToLastMarker()
	b.templateModes = b.templateModes[:len(b.templateModes)-1]
	b.resetInsertionMode()
}
