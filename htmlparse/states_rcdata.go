package htmlparse

// https://html.spec.whatwg.org/multipage/parsing.html#rcdata-state
func (z *Tokenizer) rcdataState() State {
	for {
		lessThan := z.lessThanFrom(z.pos)
		special := z.specialFrom(z.pos)
		if lessThan < special {
			z.markup, z.pos = lessThan, lessThan+1
			return rcdataLessThanSignState
		}
		if special == len(z.src) {
			return z.emitLastText(RCDATAState)
		}
		switch z.src[special] {
		case '&':
			return z.beginCharacterReference(special, RCDATAState)
		case '\r':
			z.normalizeNewline(special)
		default:
			z.replaceNUL(special)
		}
	}
}

// https://html.spec.whatwg.org/multipage/parsing.html#rcdata-less-than-sign-state
func (z *Tokenizer) rcdataLessThanSignState() State {
	return z.endTagSolidus(rcdataEndTagOpenState, RCDATAState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#rcdata-end-tag-open-state
func (z *Tokenizer) rcdataEndTagOpenState() State {
	return z.endTagLetter(rcdataEndTagNameState, RCDATAState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#rcdata-end-tag-name-state
func (z *Tokenizer) rcdataEndTagNameState() State {
	return z.appropriateEndTag(rcdataEndTagNameState, RCDATAState)
}
