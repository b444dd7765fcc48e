package htmlparse

// The states of script data in a script within what looks like an HTML comment, <!-- <script> … </script> -->,
// where an end tag ends that inner script alone.

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-double-escape-start-state
func (z *Tokenizer) scriptDataDoubleEscapeStartState() State {
	return z.scriptTagName(scriptDataDoubleEscapedState, scriptDataEscapedState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-double-escaped-state
func (z *Tokenizer) scriptDataDoubleEscapedState() State {
	return z.escapedText(scriptDataDoubleEscapedState, scriptDataDoubleEscapedDashState, scriptDataDoubleEscapedLessThanSignState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-double-escaped-dash-state
func (z *Tokenizer) scriptDataDoubleEscapedDashState() State {
	return z.dash(scriptDataDoubleEscapedDashDashState, scriptDataDoubleEscapedState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-double-escaped-dash-dash-state
func (z *Tokenizer) scriptDataDoubleEscapedDashDashState() State {
	return z.escapedDashDash(scriptDataDoubleEscapedState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-double-escaped-less-than-sign-state
func (z *Tokenizer) scriptDataDoubleEscapedLessThanSignState() State {
	return z.endTagSolidus(scriptDataDoubleEscapeEndState, scriptDataDoubleEscapedState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#script-data-double-escape-end-state
func (z *Tokenizer) scriptDataDoubleEscapeEndState() State {
	return z.scriptTagName(scriptDataEscapedState, scriptDataDoubleEscapedState)
}

// scriptTagName goes on in one state behind the whole name "script", or else in another one.
// What ends the name is left to that state, for which it is plain text.
func (z *Tokenizer) scriptTagName(script, otherwise State) State {
	start := z.pos
	z.pos = letterClass.while(z.src, start)
	if z.pos < len(z.src) && equalFoldASCII(z.src[start:z.pos], "script") {
		if next := z.src[z.pos]; next == '/' || next == '>' || whitespaceClass.has(next) {
			return script
		}
	}
	return otherwise
}
