package htmlparse

import "strings"

// https://html.spec.whatwg.org/multipage/parsing.html#bogus-comment-state
func (z *Tokenizer) bogusCommentState() State {
	end := indexFrom(z.src, z.pos, '>')
	z.normalize(end)
	z.pos = min(end+1, len(z.src))
	return z.emitComment(end)
}

// https://html.spec.whatwg.org/multipage/parsing.html#markup-declaration-open-state
func (z *Tokenizer) markupDeclarationOpenState() State {
	const cdata = "[CDATA["
	rest := z.src[z.pos:]
	switch {
	case strings.HasPrefix(rest, "--"):
		z.pos += len("--")
		z.begin(z.pos)
		return commentStartState
	case hasPrefixFoldASCII(rest, "doctype"):
		z.pos += len("doctype")
		return doctypeState
	case strings.HasPrefix(rest, cdata) && z.foreign != nil && z.foreign():
		z.pos += len(cdata)
		z.beginText(z.pos)
		return CDATASectionState
	case strings.HasPrefix(rest, cdata):
		z.parseError(CodeCDATAInHTMLContent, z.pos+len(cdata)-1)
		z.begin(z.pos)
		z.pos += len(cdata)
		return bogusCommentState
	}
	z.parseError(CodeIncorrectlyOpenedComment, z.pos)
	z.begin(z.pos)
	return bogusCommentState
}

// https://html.spec.whatwg.org/multipage/parsing.html#comment-start-state
func (z *Tokenizer) commentStartState() State {
	if z.pos < len(z.src) && z.src[z.pos] == '>' {
		return z.abruptComment()
	}
	return z.dash(commentStartDashState, commentState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#comment-start-dash-state
func (z *Tokenizer) commentStartDashState() State {
	switch {
	case z.pos == len(z.src):
		return z.eofInComment(len("-"))
	case z.src[z.pos] == '>':
		return z.abruptComment()
	}
	return z.dash(commentEndState, commentState)
}

// abruptComment emits the empty comment that the > in <!--> or <!---> closes.
func (z *Tokenizer) abruptComment() State {
	z.parseError(CodeAbruptClosingOfEmptyComment, z.pos)
	z.pos++
	return z.emitComment(z.run)
}

// eofInComment emits the comment at the end of the source without the dashes that are not its data.
func (z *Tokenizer) eofInComment(dashes int) State {
	z.parseError(CodeEOFInComment, len(z.src))
	return z.emitComment(len(z.src) - dashes)
}

// https://html.spec.whatwg.org/multipage/parsing.html#comment-state
func (z *Tokenizer) commentState() State {
	for {
		z.pos = commentClass.until(z.src, z.pos)
		if z.pos == len(z.src) {
			return z.eofInComment(0)
		}
		switch z.src[z.pos] {
		case '<':
			z.pos++
			return commentLessThanSignState
		case '-':
			z.pos++
			return commentEndDashState
		case '\r':
			z.normalizeNewline(z.pos)
		default:
			z.replaceNUL(z.pos)
		}
	}
}

// https://html.spec.whatwg.org/multipage/parsing.html#comment-less-than-sign-state
func (z *Tokenizer) commentLessThanSignState() State {
	for z.pos < len(z.src) && z.src[z.pos] == '<' {
		z.pos++
	}
	if z.pos < len(z.src) && z.src[z.pos] == '!' {
		z.pos++
		return commentLessThanSignBangState
	}
	return commentState
}

// https://html.spec.whatwg.org/multipage/parsing.html#comment-less-than-sign-bang-state
func (z *Tokenizer) commentLessThanSignBangState() State {
	return z.dash(commentLessThanSignBangDashState, commentState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#comment-less-than-sign-bang-dash-state
func (z *Tokenizer) commentLessThanSignBangDashState() State {
	return z.dash(commentLessThanSignBangDashDashState, commentEndDashState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#comment-less-than-sign-bang-dash-dash-state
func (z *Tokenizer) commentLessThanSignBangDashDashState() State {
	if z.pos < len(z.src) && z.src[z.pos] != '>' {
		z.parseError(CodeNestedComment, z.pos)
	}
	return commentEndState
}

// https://html.spec.whatwg.org/multipage/parsing.html#comment-end-dash-state
func (z *Tokenizer) commentEndDashState() State {
	if z.pos == len(z.src) {
		return z.eofInComment(len("-"))
	}
	return z.dash(commentEndState, commentState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#comment-end-state
func (z *Tokenizer) commentEndState() State {
	for z.pos < len(z.src) && z.src[z.pos] == '-' {
		z.pos++
	}
	if z.pos == len(z.src) {
		return z.eofInComment(len("--"))
	}
	switch z.src[z.pos] {
	case '>':
		z.pos++
		return z.emitComment(z.pos - len("-->"))
	case '!':
		z.pos++
		return commentEndBangState
	}
	return commentState
}

// https://html.spec.whatwg.org/multipage/parsing.html#comment-end-bang-state
func (z *Tokenizer) commentEndBangState() State {
	switch {
	case z.pos == len(z.src):
		return z.eofInComment(len("--!"))
	case z.src[z.pos] == '>':
		z.parseError(CodeIncorrectlyClosedComment, z.pos)
		z.pos++
		return z.emitComment(z.pos - len("--!>"))
	}
	return z.dash(commentEndDashState, commentState)
}
