package htmlparse

// The states of script data in what looks like an HTML comment, <!-- … -->, where an end tag still ends the script.

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-escaped-state
func (z *Tokenizer) scriptDataEscapedState() State {
	return z.escapedText(scriptDataEscapedState, scriptDataEscapedDashState, scriptDataEscapedLessThanSignState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-escaped-dash-state
func (z *Tokenizer) scriptDataEscapedDashState() State {
	return z.dash(scriptDataEscapedDashDashState, scriptDataEscapedState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-escaped-dash-dash-state
func (z *Tokenizer) scriptDataEscapedDashDashState() State {
	return z.escapedDashDash(scriptDataEscapedState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-escaped-less-than-sign-state
func (z *Tokenizer) scriptDataEscapedLessThanSignState() State {
	if z.pos < len(z.src) && letterClass.has(z.src[z.pos]) {
		return scriptDataDoubleEscapeStartState
	}
	return z.endTagSolidus(scriptDataEscapedEndTagOpenState, scriptDataEscapedState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-escaped-end-tag-open-state
func (z *Tokenizer) scriptDataEscapedEndTagOpenState() State {
	return z.endTagLetter(scriptDataEscapedEndTagNameState, scriptDataEscapedState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-escaped-end-tag-name-state
func (z *Tokenizer) scriptDataEscapedEndTagNameState() State {
	return z.appropriateEndTag(scriptDataEscapedEndTagNameState, scriptDataEscapedState)
}

// escapedText reads script data up to the next - or <.
func (z *Tokenizer) escapedText(self, dash, lessThanSign State) State {
	for {
		z.pos = scriptEscapedClass.until(z.src, z.pos)
		if z.pos == len(z.src) {
			return z.eofInEscapedText(self)
		}
		switch z.src[z.pos] {
		case '-':
			z.pos++
			return dash
		case '<':
			z.markup = z.pos
			z.pos++
			return lessThanSign
		case '\r':
			z.normalizeNewline(z.pos)
		default:
			z.replaceNUL(z.pos)
		}
	}
}

// escapedDashDash reads script data behind two dashes: more of them, and the > that ends what looks like a comment.
func (z *Tokenizer) escapedDashDash(otherwise State) State {
	for z.pos < len(z.src) && z.src[z.pos] == '-' {
		z.pos++
	}
	if z.pos < len(z.src) && z.src[z.pos] == '>' {
		z.pos++
		return ScriptDataState
	}
	return otherwise
}

func (z *Tokenizer) eofInEscapedText(self State) State {
	if z.hasText(len(z.src)) {
		return z.emitLastText(self)
	}
	return z.eofIn(CodeEOFInScriptHTMLCommentLikeText)
}
