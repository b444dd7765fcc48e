package htmlparse

// https://html.spec.whatwg.org/multipage/parsing.html#rawtext-state
func (z *Tokenizer) rawtextState() State {
	return z.rawText(RawtextState, rawtextLessThanSignState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#rawtext-less-than-sign-state
func (z *Tokenizer) rawtextLessThanSignState() State {
	return z.endTagSolidus(rawtextEndTagOpenState, RawtextState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#rawtext-end-tag-open-state
func (z *Tokenizer) rawtextEndTagOpenState() State {
	return z.endTagLetter(rawtextEndTagNameState, RawtextState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#rawtext-end-tag-name-state
func (z *Tokenizer) rawtextEndTagNameState() State {
	return z.appropriateEndTag(rawtextEndTagNameState, RawtextState)
}

// rawText is what the RAWTEXT state and the script data state have in common: text up to the next <.
func (z *Tokenizer) rawText(content, lessThanSign State) State {
	lessThan := z.lessThanFrom(z.pos)
	z.normalize(lessThan)
	if lessThan == len(z.src) {
		return z.emitLastText(content)
	}
	z.markup, z.pos = lessThan, lessThan+1
	return lessThanSign
}

// The end tag of RCDATA, RAWTEXT and script data is found in three states, which are the same for each of them.

// endTagSolidus is a less-than sign state: the / of an end tag must follow, else the < is text.
func (z *Tokenizer) endTagSolidus(endTagOpen, content State) State {
	if z.pos < len(z.src) && z.src[z.pos] == '/' {
		z.pos++
		return endTagOpen
	}
	return content
}

// endTagLetter is an end tag open state: a letter must follow, else the </ is text.
func (z *Tokenizer) endTagLetter(endTagName, content State) State {
	if z.pos < len(z.src) && letterClass.has(z.src[z.pos]) {
		return endTagName
	}
	return content
}

// appropriateEndTag is an end tag name state: the name must be that of the last start tag, else it is text and goes on
// in the content state. The text before the end tag is emitted first; then the name is read again.
func (z *Tokenizer) appropriateEndTag(self, content State) State {
	start := z.pos
	z.pos = letterClass.while(z.src, start)
	if z.pos == len(z.src) || !equalFoldASCII(z.src[start:z.pos], z.lastStartTag) {
		return content
	}
	next := z.src[z.pos]
	if next != '/' && next != '>' && !whitespaceClass.has(next) {
		return content
	}
	if z.hasText(z.markup) {
		z.pos = start
		return z.emitTextBeforeMarkup(self)
	}
	z.beginTag(EndTagToken)
	return z.endTagName(z.lastStartTag, len(z.lastStartTag))
}
