package htmlparse

// emit completes the current token, which ends before the next input character, and goes on in the given state.
func (z *Tokenizer) emit(goOn State) State {
	z.tok.start, z.tok.end = z.markup, z.pos
	z.state = goOn
	return tokenEmitted
}

// emitText emits the current text, ended at an offset, and goes on at an offset and in a state.
func (z *Tokenizer) emitText(end, goOnAt int, goOn State) State {
	z.tok.Type = CharacterToken
	z.tok.verbatim = !z.copied.open && z.run == z.textStart
	z.tok.Data = z.text(end)
	z.tok.start, z.tok.end = z.textStart, end
	z.pos = goOnAt
	z.state = goOn
	return tokenEmitted
}

// beginText starts text at an offset.
func (z *Tokenizer) beginText(at int) {
	z.textStart = at
	z.begin(at)
}

// emitTextBeforeMarkup emits the text before the < at z.markup, and goes on with that markup in the state that found it.
func (z *Tokenizer) emitTextBeforeMarkup(goOn State) State {
	return z.emitText(z.markup, z.pos, goOn)
}

// emitLastText ends a content state at the end of the source: with the text there is, then with the end of file.
func (z *Tokenizer) emitLastText(content State) State {
	if z.hasText(len(z.src)) {
		return z.emitText(len(z.src), len(z.src), content)
	}
	z.pos = len(z.src)
	return endOfFile
}

// eofIn ends the source within markup whose token is dropped.
func (z *Tokenizer) eofIn(code string) State {
	z.pos = len(z.src)
	z.parseError(code, z.pos)
	return endOfFile
}

// emitTag emits the current tag, the > of which is read.
func (z *Tokenizer) emitTag() State {
	if len(z.tok.Attr) > 0 || !z.attrs.empty() {
		z.tok.Attr = z.attrs.list()
	}
	if z.tok.Type == StartTagToken {
		return z.emit(DataState)
	}
	if len(z.tok.Attr) > 0 {
		z.parseError(CodeEndTagWithAttributes, z.pos-1)
	}
	if z.tok.SelfClosing {
		z.parseError(CodeEndTagWithTrailingSolidus, z.pos-1)
	}
	return z.emit(DataState)
}

// emitComment emits the current comment, whose data ends at an offset.
func (z *Tokenizer) emitComment(end int) State {
	z.tok.Type = CommentToken
	z.tok.Data = z.text(end)
	return z.emit(DataState)
}
