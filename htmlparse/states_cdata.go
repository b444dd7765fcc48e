package htmlparse

// https://html.spec.whatwg.org/multipage/parsing.html#cdata-section-state
func (z *Tokenizer) cdataSectionState() State {
	for {
		bracket := z.bracketFrom(z.pos)
		at := z.nulOrCRFrom(z.pos)
		if bracket < at {
			z.pos = bracket + 1
			return cdataSectionBracketState
		}
		if at == len(z.src) {
			return z.eofInCDATA()
		}
		if z.src[at] == '\r' {
			z.normalizeNewline(at)
		} else { // NUL stays, tree construction replaces it
			z.tok.hasNUL = true
			z.pos = at + 1
		}
	}
}

func (z *Tokenizer) eofInCDATA() State {
	if z.hasText(len(z.src)) {
		return z.emitLastText(CDATASectionState)
	}
	return z.eofIn(CodeEOFInCDATA)
}

// https://html.spec.whatwg.org/multipage/parsing.html#cdata-section-bracket-state
func (z *Tokenizer) cdataSectionBracketState() State {
	if z.pos < len(z.src) && z.src[z.pos] == ']' {
		z.pos++
		return cdataSectionEndState
	}
	return CDATASectionState
}

// https://html.spec.whatwg.org/multipage/parsing.html#cdata-section-end-state
func (z *Tokenizer) cdataSectionEndState() State {
	for z.pos < len(z.src) && z.src[z.pos] == ']' {
		z.pos++
	}
	if z.pos == len(z.src) || z.src[z.pos] != '>' {
		return CDATASectionState
	}
	z.pos++
	end := z.pos - len("]]>")
	if z.hasText(end) {
		return z.emitText(end, z.pos, DataState)
	}
	z.beginText(z.pos)
	return DataState
}
