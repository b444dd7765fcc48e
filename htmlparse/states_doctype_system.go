package htmlparse

// https://html.spec.whatwg.org/multipage/parsing.html#after-doctype-system-keyword-state
func (z *Tokenizer) afterDoctypeSystemKeywordState() State {
	if z.pos < len(z.src) && isQuote(z.src[z.pos]) {
		z.parseError(CodeMissingWhitespaceAfterDoctypeSystemKeyword, z.pos)
	}
	return beforeDoctypeSystemIdentifierState
}

// https://html.spec.whatwg.org/multipage/parsing.html#before-doctype-system-identifier-state
func (z *Tokenizer) beforeDoctypeSystemIdentifierState() State {
	z.pos = whitespaceClass.while(z.src, z.pos)
	if z.pos < len(z.src) && z.src[z.pos] == '>' {
		return z.abruptDoctype(CodeMissingDoctypeSystemIdentifier)
	}
	return z.systemIdentifierOrBogus()
}

// systemIdentifierOrBogus reads the quote of a system identifier, or goes on in the bogus DOCTYPE state.
func (z *Tokenizer) systemIdentifierOrBogus() State {
	if z.pos == len(z.src) {
		return z.eofInDoctype()
	}
	if isQuote(z.src[z.pos]) {
		return z.beginIdentifier(doctypeSystemIdentifierDoubleQuotedState, doctypeSystemIdentifierSingleQuotedState)
	}
	z.parseError(CodeMissingQuoteBeforeDoctypeSystemIdentifier, z.pos)
	z.tok.ForceQuirks = true
	return bogusDoctypeState
}

// https://html.spec.whatwg.org/multipage/parsing.html#doctype-system-identifier-(double-quoted)-state
func (z *Tokenizer) doctypeSystemIdentifierDoubleQuotedState() State {
	return z.systemIdentifier(doubleQuotedIdentifierClass)
}

// https://html.spec.whatwg.org/multipage/parsing.html#doctype-system-identifier-(single-quoted)-state
func (z *Tokenizer) doctypeSystemIdentifierSingleQuotedState() State {
	return z.systemIdentifier(singleQuotedIdentifierClass)
}

func (z *Tokenizer) systemIdentifier(quoted class) State {
	var closed bool
	z.tok.SystemID, closed = z.identifier(quoted)
	switch {
	case closed:
		return afterDoctypeSystemIdentifierState
	case z.pos == len(z.src):
		return z.eofInDoctype()
	}
	return z.abruptDoctype(CodeAbruptDoctypeSystemIdentifier)
}

// https://html.spec.whatwg.org/multipage/parsing.html#after-doctype-system-identifier-state
func (z *Tokenizer) afterDoctypeSystemIdentifierState() State {
	z.pos = whitespaceClass.while(z.src, z.pos)
	if z.pos == len(z.src) {
		return z.eofInDoctype()
	}
	if z.src[z.pos] == '>' {
		return z.emitDoctype()
	}
	z.parseError(CodeUnexpectedCharacterAfterDoctypeSystemIdentifier, z.pos)
	return bogusDoctypeState
}
