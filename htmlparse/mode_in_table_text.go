package htmlparse

// processInTableText applies the rules of the "in table text" insertion mode: it gathers characters until it is known
// whether they are whitespace alone, which stays in the table.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intabletext
func (b *treeBuilder) processInTableText(t *Token) verdict {
	if t.Type != CharacterToken {
		b.flushPendingTableCharacters()
		return b.reprocessIn(b.originalMode)
	}
	pending := *t
	if t.hasNUL {
		pending.Data = b.dropNUL(t)
		pending.hasNUL, pending.verbatim = false, false
	}
	b.pendingTableCharacters = append(b.pendingTableCharacters, pending)
	return done
}

func (b *treeBuilder) flushPendingTableCharacters() {
	if b.pendingWhitespaceOnly() {
		for i := range b.pendingTableCharacters {
			b.insertCharacters(&b.pendingTableCharacters[i])
		}
		return
	}
	b.parseError(CodeFosterParentingCharacter)
	for i := range b.pendingTableCharacters {
		b.anythingElseInTable(&b.pendingTableCharacters[i])
	}
}

func (b *treeBuilder) pendingWhitespaceOnly() bool {
	for i := range b.pendingTableCharacters {
		if data := b.pendingTableCharacters[i].Data; leadingWhitespace(data) < len(data) {
			return false
		}
	}
	return true
}
