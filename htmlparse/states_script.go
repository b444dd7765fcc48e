package htmlparse

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-state
func (z *Tokenizer) scriptDataState() State {
	return z.rawText(ScriptDataState, scriptDataLessThanSignState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-less-than-sign-state
func (z *Tokenizer) scriptDataLessThanSignState() State {
	if z.pos < len(z.src) && z.src[z.pos] == '!' {
		z.pos++
		return scriptDataEscapeStartState
	}
	return z.endTagSolidus(scriptDataEndTagOpenState, ScriptDataState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-end-tag-open-state
func (z *Tokenizer) scriptDataEndTagOpenState() State {
	return z.endTagLetter(scriptDataEndTagNameState, ScriptDataState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-end-tag-name-state
func (z *Tokenizer) scriptDataEndTagNameState() State {
	return z.appropriateEndTag(scriptDataEndTagNameState, ScriptDataState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-escape-start-state
func (z *Tokenizer) scriptDataEscapeStartState() State {
	return z.dash(scriptDataEscapeStartDashState, ScriptDataState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-escape-start-dash-state
func (z *Tokenizer) scriptDataEscapeStartDashState() State {
	return z.dash(scriptDataEscapedDashDashState, ScriptDataState)
}

// dash goes on in one state behind a -, or else in another one.
func (z *Tokenizer) dash(dashed, otherwise State) State {
	if z.pos < len(z.src) && z.src[z.pos] == '-' {
		z.pos++
		return dashed
	}
	return otherwise
}
