package htmlparse

// https://html.spec.whatwg.org/multipage/parsing.html#before-attribute-name-state
func (z *Tokenizer) beforeAttributeNameState() State {
	for { // once for each attribute, as long as nothing unusual comes between them
		z.pos = whitespaceClass.while(z.src, z.pos)
		if z.pos == len(z.src) {
			return afterAttributeNameState
		}
		if !z.stepwise && z.plainAttribute() {
			next := z.afterAttributeValueQuotedState()
			if next != beforeAttributeNameState {
				return next
			}
			continue
		}
		z.begin(z.pos)
		z.attr.nameStart = z.pos
		switch z.src[z.pos] {
		case '/', '>':
			return z.afterAttributeNameState()
		case '=':
			z.parseError(CodeUnexpectedEqualsSignBeforeAttributeName, z.pos)
			z.pos++
		}
		if next := z.attributeNameState(); next != beforeAttributeNameState {
			return next
		}
	}
}

// plainAttribute reads an attribute at once if it is written as most are: name="value", with nothing in it to replace or to
// report. It says whether it did; then the states from the attribute name state to the attribute value (double-quoted)
// state are behind it, and else it has done nothing.
func (z *Tokenizer) plainAttribute() bool {
	nameEnd := attributeNameClass.until(z.src, skipLower(z.src, z.pos))
	valueStart := nameEnd + len(`="`)
	if nameEnd == z.pos || valueStart > len(z.src) || z.src[nameEnd:valueStart] != `="` {
		return false
	}
	end := z.quoteFrom(valueStart, '"')
	if end == len(z.src) || z.specialFrom(valueStart) < end || !z.attrs.add(z.src[z.pos:nameEnd]) {
		return false
	}
	z.attrs.setValue(z.src[valueStart:end])
	if z.positions {
		z.attrRanges = append(z.attrRanges, attrRange{z.pos, nameEnd, valueStart, end})
	}
	z.pos = end + 1
	return true
}

// https://html.spec.whatwg.org/multipage/parsing.html#attribute-name-state
func (z *Tokenizer) attributeNameState() State {
	z.pos = skipLower(z.src, z.pos)
	for {
		z.pos = attributeNameClass.until(z.src, z.pos)
		if z.pos == len(z.src) {
			z.leaveAttributeName()
			return afterAttributeNameState
		}
		switch c := z.src[z.pos]; {
		case c == '=':
			z.leaveAttributeName()
			z.pos++
			return z.beforeAttributeValueState()
		case c == 0:
			z.replaceNUL(z.pos)
		case isUpper(c):
			z.replaceUpper(z.pos)
		case c == '"', c == '\'', c == '<':
			z.parseError(CodeUnexpectedCharacterInAttributeName, z.pos)
			z.pos++
		default:
			z.leaveAttributeName()
			return afterAttributeNameState
		}
	}
}

// leaveAttributeName starts the attribute whose name ends before the next input character, unless the tag has it already.
func (z *Tokenizer) leaveAttributeName() {
	z.dropAttribute = !z.attrs.add(z.text(z.pos))
	if z.dropAttribute {
		z.parseError(CodeDuplicateAttribute, z.pos)
	} else if z.positions {
		z.attrRanges = append(z.attrRanges, attrRange{z.attr.nameStart, z.pos, z.pos, z.pos})
	}
}

// https://html.spec.whatwg.org/multipage/parsing.html#after-attribute-name-state
func (z *Tokenizer) afterAttributeNameState() State {
	z.pos = whitespaceClass.while(z.src, z.pos)
	if z.pos == len(z.src) {
		return z.eofIn(CodeEOFInTag)
	}
	switch z.src[z.pos] {
	case '/':
		z.pos++
		return selfClosingStartTagState
	case '=':
		z.pos++
		return beforeAttributeValueState
	case '>':
		z.pos++
		return z.emitTag()
	}
	z.begin(z.pos)
	z.attr.nameStart = z.pos
	return attributeNameState
}

// https://html.spec.whatwg.org/multipage/parsing.html#before-attribute-value-state
func (z *Tokenizer) beforeAttributeValueState() State {
	z.pos = whitespaceClass.while(z.src, z.pos)
	state := attributeValueUnquotedState
	if z.pos < len(z.src) {
		switch z.src[z.pos] {
		case '"':
			z.pos++
			z.begin(z.pos)
			z.attr.valueStart = z.pos
			return z.attributeValueDoubleQuotedState()
		case '\'':
			z.pos++
			state = attributeValueSingleQuotedState
		case '>':
			z.parseError(CodeMissingAttributeValue, z.pos)
			z.pos++
			return z.emitTag()
		}
	}
	z.begin(z.pos)
	z.attr.valueStart = z.pos
	return state
}

// https://html.spec.whatwg.org/multipage/parsing.html#attribute-value-(double-quoted)-state
func (z *Tokenizer) attributeValueDoubleQuotedState() State {
	return z.quotedAttributeValue('"', attributeValueDoubleQuotedState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#attribute-value-(single-quoted)-state
func (z *Tokenizer) attributeValueSingleQuotedState() State {
	return z.quotedAttributeValue('\'', attributeValueSingleQuotedState)
}

func (z *Tokenizer) quotedAttributeValue(quote byte, self State) State {
	end := z.quoteFrom(z.pos, quote)
	for {
		special := z.specialFrom(z.pos)
		if special >= end {
			break
		}
		switch z.src[special] {
		case '&':
			return z.beginCharacterReference(special, self)
		case '\r':
			z.normalizeNewline(special)
		default:
			z.replaceNUL(special)
		}
	}
	if end == len(z.src) {
		return z.eofIn(CodeEOFInTag)
	}
	z.endAttributeValue(end)
	z.pos = end + 1
	return z.afterAttributeValueQuotedState()
}

// https://html.spec.whatwg.org/multipage/parsing.html#attribute-value-(unquoted)-state
func (z *Tokenizer) attributeValueUnquotedState() State {
	for {
		z.pos = unquotedValueClass.until(z.src, z.pos)
		if z.pos == len(z.src) {
			return z.eofIn(CodeEOFInTag)
		}
		switch z.src[z.pos] {
		case '&':
			return z.beginCharacterReference(z.pos, attributeValueUnquotedState)
		case '>':
			z.endAttributeValue(z.pos)
			z.pos++
			return z.emitTag()
		case 0:
			z.replaceNUL(z.pos)
		case '"', '\'', '<', '=', '`':
			z.parseError(CodeUnexpectedCharacterInUnquotedAttributeValue, z.pos)
			z.pos++
		default:
			z.endAttributeValue(z.pos)
			return beforeAttributeNameState
		}
	}
}

// endAttributeValue sets the value of the current attribute, which ends at an offset.
func (z *Tokenizer) endAttributeValue(end int) {
	if z.dropAttribute {
		return
	}
	z.attrs.setValue(z.text(end))
	if z.positions {
		r := &z.attrRanges[len(z.attrRanges)-1]
		r.valueStart, r.valueEnd = z.attr.valueStart, end
	}
}

// https://html.spec.whatwg.org/multipage/parsing.html#after-attribute-value-(quoted)-state
func (z *Tokenizer) afterAttributeValueQuotedState() State {
	if z.pos == len(z.src) {
		return z.eofIn(CodeEOFInTag)
	}
	switch c := z.src[z.pos]; {
	case c == '>':
		z.pos++
		return z.emitTag()
	case c == '/':
		z.pos++
		return selfClosingStartTagState
	case !whitespaceClass.has(c):
		z.parseError(CodeMissingWhitespaceBetweenAttributes, z.pos)
	}
	return beforeAttributeNameState
}
