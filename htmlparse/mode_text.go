package htmlparse

// processInText applies the rules of the "text" insertion mode: the contents of an element without markup.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-incdata
func (b *treeBuilder) processInText(t *Token) verdict {
	switch t.Type {
	case CharacterToken:
		b.insertCharacters(t)
	case endOfFileToken:
		b.parseError(CodeExpectedNamedClosingTagButGotEOF)
		b.pop()
		return b.reprocessIn(b.originalMode)
	case EndTagToken:
		script := b.open.current()
		b.pop()
		b.mode = b.originalMode
		if t.tag == tagScript {
			b.scriptEnded(script.node)
		}
	}
	return done
}

// parseGenericRawText and parseGenericRCDATA insert an element whose contents are text up to its end tag.
//
// https://html.spec.whatwg.org/multipage/parsing.html#generic-raw-text-element-parsing-algorithm
func (b *treeBuilder) parseGenericRawText(t *Token) {
	b.parseText(t, RawtextState)
}

// https://html.spec.whatwg.org/multipage/parsing.html#generic-rcdata-element-parsing-algorithm
func (b *treeBuilder) parseGenericRCDATA(t *Token) {
	b.parseText(t, RCDATAState)
}

func (b *treeBuilder) parseText(t *Token, s State) {
	b.insertRawElement(t)
	b.tokenizer.switchTo(s)
	b.originalMode = b.mode
	b.mode = textMode
}

// insertRawElement inserts an element that holds text alone. It is pushed whatever the depth, since nothing nests
// in it.
func (b *treeBuilder) insertRawElement(t *Token) {
	n := b.insertVoidElement(t)
	b.open.push(n, n.Data, t.tag, t.tag.class())
}
