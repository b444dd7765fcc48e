package htmlparse

// https://html.spec.whatwg.org/multipage/parsing.html#doctype-state
func (z *Tokenizer) doctypeState() State {
	*z.tok = Token{Type: DoctypeToken}
	if z.pos == len(z.src) {
		return z.eofInDoctype()
	}
	if c := z.src[z.pos]; c != '>' && !whitespaceClass.has(c) {
		z.parseError(CodeMissingWhitespaceBeforeDoctypeName, z.pos)
	}
	return beforeDoctypeNameState
}

// https://html.spec.whatwg.org/multipage/parsing.html#before-doctype-name-state
func (z *Tokenizer) beforeDoctypeNameState() State {
	z.pos = whitespaceClass.while(z.src, z.pos)
	if z.pos == len(z.src) {
		return z.eofInDoctype()
	}
	if z.src[z.pos] == '>' {
		return z.abruptDoctype(CodeMissingDoctypeName)
	}
	z.begin(z.pos)
	return doctypeNameState
}

// https://html.spec.whatwg.org/multipage/parsing.html#doctype-name-state
func (z *Tokenizer) doctypeNameState() State {
	for {
		z.pos = tagNameClass.until(z.src, z.pos)
		if z.pos == len(z.src) {
			z.tok.Name = z.text(z.pos)
			return z.eofInDoctype()
		}
		switch c := z.src[z.pos]; {
		case c == 0:
			z.replaceNUL(z.pos)
		case isUpper(c):
			z.replaceUpper(z.pos)
		case c == '/':
			z.pos++
		default:
			z.tok.Name = z.text(z.pos)
			return afterDoctypeNameState
		}
	}
}

// https://html.spec.whatwg.org/multipage/parsing.html#after-doctype-name-state
func (z *Tokenizer) afterDoctypeNameState() State {
	z.pos = whitespaceClass.while(z.src, z.pos)
	if z.pos == len(z.src) {
		return z.eofInDoctype()
	}
	rest := z.src[z.pos:]
	switch {
	case rest[0] == '>':
		return z.emitDoctype()
	case hasPrefixFoldASCII(rest, "public"):
		z.pos += len("public")
		return afterDoctypePublicKeywordState
	case hasPrefixFoldASCII(rest, "system"):
		z.pos += len("system")
		return afterDoctypeSystemKeywordState
	}
	z.parseError(CodeInvalidCharacterSequenceAfterDoctypeName, z.pos)
	z.tok.ForceQuirks = true
	return bogusDoctypeState
}

// https://html.spec.whatwg.org/multipage/parsing.html#bogus-doctype-state
func (z *Tokenizer) bogusDoctypeState() State {
	end := indexFrom(z.src, z.pos, '>')
	for {
		nul := indexFrom(z.src[:end], z.pos, 0)
		if nul == end {
			break
		}
		z.parseError(CodeUnexpectedNullCharacter, nul)
		z.pos = nul + 1
	}
	z.pos = min(end+1, len(z.src))
	return z.emit(DataState)
}

// emitDoctype emits the doctype that the > at the next input character ends.
func (z *Tokenizer) emitDoctype() State {
	z.pos++
	return z.emit(DataState)
}

// abruptDoctype emits the doctype that a > ends too early.
func (z *Tokenizer) abruptDoctype(code string) State {
	z.parseError(code, z.pos)
	z.tok.ForceQuirks = true
	return z.emitDoctype()
}

// eofInDoctype emits the doctype at the end of the source.
func (z *Tokenizer) eofInDoctype() State {
	z.pos = len(z.src)
	z.parseError(CodeEOFInDoctype, z.pos)
	z.tok.ForceQuirks = true
	return z.emit(DataState)
}
