package htmlparse

// https://html.spec.whatwg.org/multipage/parsing.html#data-state
func (z *Tokenizer) dataState() State {
	for {
		lessThan := z.lessThanFrom(z.pos)
		special := z.specialFrom(z.pos)
		if lessThan < special {
			z.markup, z.pos = lessThan, lessThan+1
			return z.tagOpenState()
		}
		if special == len(z.src) {
			return z.emitLastText(DataState)
		}
		switch z.src[special] {
		case '&':
			return z.beginCharacterReference(special, DataState)
		case '\r':
			z.normalizeNewline(special)
		default: // NUL stays, tree construction drops or replaces it
			z.parseError(CodeUnexpectedNullCharacter, special)
			z.tok.hasNUL = true
			z.pos = special + 1
		}
	}
}

// https://html.spec.whatwg.org/multipage/parsing.html#plaintext-state
func (z *Tokenizer) plaintextState() State {
	z.normalize(len(z.src))
	return z.emitLastText(PlaintextState)
}
