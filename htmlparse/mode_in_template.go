package htmlparse

// processInTemplate applies the rules of the "in template" insertion mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intemplate
func (b *treeBuilder) processInTemplate(t *Token) verdict {
	switch t.Type {
	case StartTagToken:
		return b.startTagInTemplate(t)
	case EndTagToken:
		if t.tag == tagTemplate {
			return b.processInHead(t)
		}
		return b.ignore(CodeUnexpectedEndTag)
	case endOfFileToken:
		return b.endOfFileInTemplate()
	}
	return b.processInBody(t)
}

func (b *treeBuilder) startTagInTemplate(t *Token) verdict {
	mode := inBodyMode
	switch t.tag {
	case tagBase, tagBasefont, tagBgsound, tagLink, tagMeta, tagNoframes, tagScript, tagStyle, tagTemplate, tagTitle:
		return b.processInHead(t)
	case tagCaption, tagColgroup, tagTbody, tagTfoot, tagThead:
		mode = inTableMode
	case tagCol:
		mode = inColumnGroupMode
	case tagTr:
		mode = inTableBodyMode
	case tagTd, tagTh:
		mode = inRowMode
	}
	b.templateModes[len(b.templateModes)-1] = mode
	return b.reprocessIn(mode)
}

func (b *treeBuilder) endOfFileInTemplate() verdict {
	if !b.open.has(tagTemplate) {
		b.stopParsing() // fragment case
		return done
	}
	b.parseError(CodeEOFInTemplate)
	b.closeTemplate()
	return reprocess
}
