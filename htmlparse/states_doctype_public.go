package htmlparse

// https://html.spec.whatwg.org/multipage/parsing.html#after-doctype-public-keyword-state
func (z *Tokenizer) afterDoctypePublicKeywordState() State {
	if z.pos < len(z.src) && isQuote(z.src[z.pos]) {
		z.parseError(CodeMissingWhitespaceAfterDoctypePublicKeyword, z.pos)
	}
	return beforeDoctypePublicIdentifierState
}

// https://html.spec.whatwg.org/multipage/parsing.html#before-doctype-public-identifier-state
func (z *Tokenizer) beforeDoctypePublicIdentifierState() State {
	z.pos = whitespaceClass.while(z.src, z.pos)
	if z.pos == len(z.src) {
		return z.eofInDoctype()
	}
	switch c := z.src[z.pos]; c {
	case '"', '\'':
		return z.beginIdentifier(doctypePublicIdentifierDoubleQuotedState, doctypePublicIdentifierSingleQuotedState)
	case '>':
		return z.abruptDoctype(CodeMissingDoctypePublicIdentifier)
	}
	z.parseError(CodeMissingQuoteBeforeDoctypePublicIdentifier, z.pos)
	z.tok.ForceQuirks = true
	return bogusDoctypeState
}

// https://html.spec.whatwg.org/multipage/parsing.html#doctype-public-identifier-(double-quoted)-state
func (z *Tokenizer) doctypePublicIdentifierDoubleQuotedState() State {
	return z.publicIdentifier(doubleQuotedIdentifierClass)
}

// https://html.spec.whatwg.org/multipage/parsing.html#doctype-public-identifier-(single-quoted)-state
func (z *Tokenizer) doctypePublicIdentifierSingleQuotedState() State {
	return z.publicIdentifier(singleQuotedIdentifierClass)
}

func (z *Tokenizer) publicIdentifier(quoted class) State {
	var closed bool
	z.tok.PublicID, closed = z.identifier(quoted)
	switch {
	case closed:
		return afterDoctypePublicIdentifierState
	case z.pos == len(z.src):
		return z.eofInDoctype()
	}
	return z.abruptDoctype(CodeAbruptDoctypePublicIdentifier)
}

// https://html.spec.whatwg.org/multipage/parsing.html#after-doctype-public-identifier-state
func (z *Tokenizer) afterDoctypePublicIdentifierState() State {
	if z.pos < len(z.src) && isQuote(z.src[z.pos]) {
		z.parseError(CodeMissingWhitespaceBetweenDoctypePublicAndSystemIdentifiers, z.pos)
	}
	return betweenDoctypePublicAndSystemIdentifiersState
}

// https://html.spec.whatwg.org/multipage/parsing.html#between-doctype-public-and-system-identifiers-state
func (z *Tokenizer) betweenDoctypePublicAndSystemIdentifiersState() State {
	z.pos = whitespaceClass.while(z.src, z.pos)
	if z.pos < len(z.src) && z.src[z.pos] == '>' {
		return z.emitDoctype()
	}
	return z.systemIdentifierOrBogus()
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

// beginIdentifier reads the quote that an identifier begins with.
func (z *Tokenizer) beginIdentifier(doubleQuoted, singleQuoted State) State {
	z.pos++
	z.begin(z.pos)
	if z.src[z.pos-1] == '"' {
		return doubleQuoted
	}
	return singleQuoted
}

// identifier reads an identifier and says whether its quote closes it. Else the next input character is the > that
// ends it too early, or there is none.
func (z *Tokenizer) identifier(quoted class) (id *string, closed bool) {
	id = new(string)
	for {
		z.pos = quoted.until(z.src, z.pos)
		if z.pos == len(z.src) {
			*id = z.text(z.pos)
			return id, false
		}
		switch z.src[z.pos] {
		case 0:
			z.replaceNUL(z.pos)
		case '\r':
			z.normalizeNewline(z.pos)
		case '>':
			*id = z.text(z.pos)
			return id, false
		default:
			*id = z.text(z.pos)
			z.pos++
			return id, true
		}
	}
}
