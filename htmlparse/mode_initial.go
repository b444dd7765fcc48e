package htmlparse

import "golang.org/x/net/html"

// processInInitial applies the rules of the "initial" insertion mode: the doctype decides the document's mode.
//
// https://html.spec.whatwg.org/multipage/parsing.html#the-initial-insertion-mode
func (b *treeBuilder) processInInitial(t *Token) verdict {
	switch t.Type {
	case CharacterToken:
		if b.dropLeadingWhitespace(t) {
			return done
		}
	case CommentToken, ProcessingInstructionToken:
		b.insertCommentAt(t, place{parent: b.document})
		return done
	case DoctypeToken:
		b.doctypeInInitial(t)
		return done
	}
	b.parseError(missingDoctypeCode(t))
	b.quirks = Quirks
	return b.reprocessIn(beforeHTMLMode)
}

func missingDoctypeCode(t *Token) string {
	switch t.Type {
	case StartTagToken:
		return CodeExpectedDoctypeButGotStartTag
	case EndTagToken:
		return CodeExpectedDoctypeButGotEndTag
	case CharacterToken:
		return CodeExpectedDoctypeButGotChars
	}
	return CodeExpectedDoctypeButGotEOF
}

func (b *treeBuilder) doctypeInInitial(t *Token) {
	if t.Name != "html" || t.PublicID != nil || t.SystemID != nil && *t.SystemID != "about:legacy-compat" {
		b.parseError(CodeUnknownDoctype)
	}
	n := b.newNode(html.DoctypeNode, t.Name)
	if t.PublicID != nil {
		n.Attr = append(n.Attr, html.Attribute{Key: "public", Val: *t.PublicID})
	}
	if t.SystemID != nil {
		n.Attr = append(n.Attr, html.Attribute{Key: "system", Val: *t.SystemID})
	}
	b.insertAt(place{parent: b.document}, n)
	b.positionLeaf(n, t)
	b.quirks = doctypeMode(t.Name, t.PublicID, t.SystemID, t.ForceQuirks)
	b.mode = beforeHTMLMode
}

// ignoreDoctype is what every other mode does with a doctype.
func (b *treeBuilder) ignoreDoctype() verdict {
	return b.ignore(CodeUnexpectedDoctype)
}

// ignore reports a token that has no place where it stands, and ignores it.
func (b *treeBuilder) ignore(code string) verdict {
	b.parseError(code)
	return done
}
