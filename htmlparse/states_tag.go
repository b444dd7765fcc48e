package htmlparse

// https://html.spec.whatwg.org/multipage/parsing.html#tag-open-state
func (z *Tokenizer) tagOpenState() State {
	if z.pos == len(z.src) {
		z.parseError(CodeEOFBeforeTagName, z.pos)
		return DataState
	}
	c := z.src[z.pos]
	if c == '/' {
		z.pos++
		return z.endTagOpenState()
	}
	if c != '!' && c != '?' && !letterClass.has(c) {
		z.parseError(CodeInvalidFirstCharacterOfTagName, z.pos)
		return DataState
	}
	if z.hasText(z.markup) {
		return z.emitTextBeforeMarkup(tagOpenState)
	}
	switch {
	case c == '!':
		z.pos++
		return markupDeclarationOpenState
	case c != '?':
		z.beginTag(StartTagToken)
		return z.tagNameState()
	case z.processingInstructions:
		z.pos++
		return processingInstructionOpenState
	}
	z.parseError(CodeUnexpectedQuestionMarkInsteadOfTagName, z.pos)
	z.begin(z.pos)
	return bogusCommentState
}

// https://html.spec.whatwg.org/multipage/parsing.html#end-tag-open-state
func (z *Tokenizer) endTagOpenState() State {
	if z.pos == len(z.src) {
		z.parseError(CodeEOFBeforeTagName, z.pos)
		return DataState
	}
	c := z.src[z.pos]
	if c == '>' {
		z.parseError(CodeMissingEndTagName, z.pos)
		z.pos++
		z.replace(z.markup, z.pos, "")
		return DataState
	}
	if z.hasText(z.markup) {
		return z.emitTextBeforeMarkup(endTagOpenState)
	}
	if letterClass.has(c) {
		z.beginTag(EndTagToken)
		return z.tagNameState()
	}
	z.parseError(CodeInvalidFirstCharacterOfTagName, z.pos)
	z.begin(z.pos)
	return bogusCommentState
}

// beginTag creates a tag token whose name starts with the next input character.
func (z *Tokenizer) beginTag(t TokenType) {
	z.tok.Type, z.tok.SelfClosing = t, false
	z.attrs.reset()
	z.attrRanges = z.attrRanges[:0]
	z.begin(z.pos)
}

// https://html.spec.whatwg.org/multipage/parsing.html#tag-name-state
func (z *Tokenizer) tagNameState() State {
	z.pos = skipLower(z.src, z.pos)
	for {
		z.pos = tagNameClass.until(z.src, z.pos)
		if z.pos == len(z.src) {
			return z.eofIn(CodeEOFInTag)
		}
		switch c := z.src[z.pos]; {
		case c == 0:
			z.replaceNUL(z.pos)
		case isUpper(c):
			z.replaceUpper(z.pos)
		default:
			if !z.copied.open {
				return z.endTagName(z.src[z.run:], z.pos-z.run)
			}
			name := z.copiedText(z.pos)
			return z.endTagName(name, len(name))
		}
	}
}

// endTagName sets the name of the current tag to the first n bytes of s. The next input character is whitespace, / or >.
func (z *Tokenizer) endTagName(s string, n int) State {
	z.tok.setName(s, n)
	c := z.src[z.pos]
	z.pos++
	switch c {
	case '>':
		return z.emitTag()
	case '/':
		return selfClosingStartTagState
	}
	return z.beforeAttributeNameState()
}

// https://html.spec.whatwg.org/multipage/parsing.html#self-closing-start-tag-state
func (z *Tokenizer) selfClosingStartTagState() State {
	if z.pos == len(z.src) {
		return z.eofIn(CodeEOFInTag)
	}
	if z.src[z.pos] != '>' {
		z.parseError(CodeUnexpectedSolidusInTag, z.pos)
		return beforeAttributeNameState
	}
	z.pos++
	z.tok.SelfClosing = true
	return z.emitTag()
}
