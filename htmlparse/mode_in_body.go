package htmlparse

import "strings"

// processInBody applies the rules of the "in body" insertion mode. The handlers of its tags are in
// the files mode_in_body_….go.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody
func (b *treeBuilder) processInBody(t *Token) verdict {
	switch t.Type {
	case CharacterToken:
		b.charactersInBody(t)
	case CommentToken, ProcessingInstructionToken:
		b.insertComment(t)
	case DoctypeToken:
		b.parseError(CodeUnexpectedDoctype)
	case StartTagToken:
		return b.startTagInBody(t)
	case EndTagToken:
		return b.endTagInBody(t)
	case endOfFileToken:
		return b.endOfFileInBody(t)
	}
	return done
}

func (b *treeBuilder) charactersInBody(t *Token) {
	text := t.Data
	if t.hasNUL {
		text = b.dropNUL(t)
		if text == "" {
			return
		}
	}
	b.reconstructActiveFormattingElements()
	b.insertText(t, text)
	if b.framesetOK && leadingWhitespace(text) < len(text) {
		b.framesetOK = false
	}
}

// dropNUL gives the characters of a token without U+0000, each of which is an error.
func (b *treeBuilder) dropNUL(t *Token) string {
	for range strings.Count(t.Data, "\x00") {
		b.parseError(CodeInvalidCodepoint)
	}
	return strings.ReplaceAll(t.Data, "\x00", "")
}

func (b *treeBuilder) endOfFileInBody(t *Token) verdict {
	if len(b.templateModes) > 0 {
		return b.processInTemplate(t)
	}
	b.checkOpenAtEnd(CodeExpectedClosingTagButGotEOF)
	b.stopParsing()
	return done
}

// checkOpenAtEnd reports an error if an element is open whose end tag may not be left out.
func (b *treeBuilder) checkOpenAtEnd(code string) {
	if b.tokenizer.onError == nil {
		return
	}
	for depth := b.open.depth(); depth > 0; depth-- {
		if !b.open.at(depth).is(mayStayOpen) {
			b.parseError(code)
			return
		}
	}
}

// startTagInBody gives each start tag to its handler.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody
func (b *treeBuilder) startTagInBody(t *Token) verdict {
	switch t.tag {
	case tagHTML:
		b.htmlStartTagInBody(t)
	case tagBase, tagBasefont, tagBgsound, tagLink, tagMeta, tagNoframes, tagScript, tagStyle, tagTemplate, tagTitle:
		return b.processInHead(t)
	case tagBody:
		b.bodyStartTagInBody(t)
	case tagFrameset:
		b.framesetStartTagInBody(t)
	case tagAddress, tagArticle, tagAside, tagBlockquote, tagCenter, tagDetails, tagDialog, tagDir, tagDiv, tagDl,
		tagFieldset, tagFigcaption, tagFigure, tagFooter, tagHeader, tagHgroup, tagMain, tagMenu, tagNav, tagOl, tagP,
		tagSearch, tagSection, tagSummary, tagUl:
		b.closePInButtonScope()
		b.insertHTMLElement(t)
	case tagH1, tagH2, tagH3, tagH4, tagH5, tagH6:
		b.headingStartTagInBody(t)
	case tagPre, tagListing:
		b.preStartTagInBody(t)
	case tagForm:
		b.formStartTagInBody(t)
	case tagLi:
		b.liStartTagInBody(t)
	case tagDd, tagDt:
		b.ddStartTagInBody(t)
	case tagPlaintext:
		b.plaintextStartTagInBody(t)
	case tagButton:
		b.buttonStartTagInBody(t)
	case tagA:
		b.aStartTagInBody(t)
	case tagB, tagBig, tagCode, tagEm, tagFont, tagI, tagS, tagSmall, tagStrike, tagStrong, tagTt, tagU:
		b.reconstructActiveFormattingElements()
		b.insertFormattingElement(t)
	case tagNobr:
		b.nobrStartTagInBody(t)
	case tagApplet, tagMarquee, tagObject:
		b.objectStartTagInBody(t)
	case tagTable:
		b.tableStartTagInBody(t)
	case tagArea, tagBr, tagEmbed, tagImg, tagKeygen, tagWbr:
		b.voidStartTagInBody(t)
	case tagInput:
		b.inputStartTagInBody(t)
	case tagParam, tagSource, tagTrack:
		b.insertVoidElement(t)
		b.selfClosingAcknowledged = true
	case tagHr:
		b.hrStartTagInBody(t)
	case tagImage:
		b.imageStartTagInBody(t)
		return reprocess
	case tagTextarea:
		b.textareaStartTagInBody(t)
	case tagXmp:
		b.xmpStartTagInBody(t)
	case tagIframe:
		b.framesetOK = false
		b.parseGenericRawText(t)
	case tagNoembed:
		b.parseGenericRawText(t)
	case tagNoscript:
		b.noscriptStartTagInBody(t)
	case tagSelect:
		b.selectStartTagInBody(t)
	case tagOption:
		b.optionStartTagInBody(t)
	case tagOptgroup:
		b.optgroupStartTagInBody(t)
	case tagRb, tagRtc:
		b.rbStartTagInBody(t)
	case tagRp, tagRt:
		b.rtStartTagInBody(t)
	case tagMath:
		b.reconstructActiveFormattingElements()
		b.insertForeignElement(t, "math")
	case tagSvg:
		b.reconstructActiveFormattingElements()
		b.insertForeignElement(t, "svg")
	case tagCaption, tagCol, tagColgroup, tagFrame, tagHead, tagTbody, tagTd, tagTfoot, tagTh, tagThead, tagTr:
		b.parseError(CodeUnexpectedStartTagIgnored)
	default:
		b.anyOtherStartTagInBody(t)
	}
	return done
}

// endTagInBody gives each end tag to its handler.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody
func (b *treeBuilder) endTagInBody(t *Token) verdict {
	switch t.tag {
	case tagTemplate:
		return b.processInHead(t)
	case tagBody:
		b.bodyEndTagInBody()
	case tagHTML:
		if b.bodyEndTagInBody() {
			return reprocess
		}
	case tagSelect:
		if b.classicSelect {
			b.anyOtherEndTagInBody(t)
			break
		}
		b.blockEndTagInBody(t)
	case tagAddress, tagArticle, tagAside, tagBlockquote, tagButton, tagCenter, tagDetails, tagDialog, tagDir, tagDiv, tagDl,
		tagFieldset, tagFigcaption, tagFigure, tagFooter, tagHeader, tagHgroup, tagListing, tagMain, tagMenu, tagNav, tagOl,
		tagPre, tagSearch, tagSection, tagSummary, tagUl:
		b.blockEndTagInBody(t)
	case tagForm:
		b.formEndTagInBody()
	case tagP:
		b.pEndTagInBody()
	case tagLi:
		b.liEndTagInBody()
	case tagDd, tagDt:
		b.blockEndTagInBody(t)
	case tagH1, tagH2, tagH3, tagH4, tagH5, tagH6:
		b.headingEndTagInBody(t)
	case tagA, tagB, tagBig, tagCode, tagEm, tagFont, tagI, tagNobr, tagS, tagSmall, tagStrike, tagStrong, tagTt, tagU:
		b.adoptionAgency(t)
	case tagApplet, tagMarquee, tagObject:
		b.objectEndTagInBody(t)
	case tagBr:
		b.brEndTagInBody(t)
	default:
		b.anyOtherEndTagInBody(t)
	}
	return done
}

// anyOtherStartTagInBody inserts an ordinary element.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody
func (b *treeBuilder) anyOtherStartTagInBody(t *Token) {
	b.reconstructActiveFormattingElements()
	n := b.insertHTMLElement(t)
	if t.tag == tagSelectedcontent && !b.classicSelect {
		b.selectedcontentInserted(n)
	}
}

// anyOtherEndTagInBody closes the lowest open element of this name, unless a special element stands below it.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody
func (b *treeBuilder) anyOtherEndTagInBody(t *Token) {
	depth := b.open.newest[t.tag]
	if t.tag == tagOther {
		depth = b.open.newestOther[t.Name]
	}
	if depth == 0 || depth < b.open.current().special {
		b.parseError(CodeUnexpectedEndTag)
		return
	}
	b.generateImpliedEndTagsExcept(t.tag)
	if b.open.depth() != int(depth) {
		b.parseError(CodeUnexpectedEndTag)
	}
	b.popTo(int(depth) - 1)
}
