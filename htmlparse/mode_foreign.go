package htmlparse

import "strings"

// processInForeignContent applies the rules for parsing tokens in foreign content.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign
func (b *treeBuilder) processInForeignContent(t *Token) verdict {
	switch t.Type {
	case CharacterToken:
		b.charactersInForeignContent(t)
	case CommentToken, ProcessingInstructionToken:
		b.insertComment(t)
	case DoctypeToken:
		b.parseError(CodeUnexpectedDoctype)
	case StartTagToken:
		if t.tag.class()&breakout != 0 || t.tag == tagFont && hasFontAttribute(t) {
			return b.breakOutOfForeignContent(t)
		}
		b.anyOtherStartTagInForeignContent(t)
	case EndTagToken:
		switch {
		case t.tag == tagBr || t.tag == tagP:
			return b.breakOutOfForeignContent(t)
		case t.tag == tagScript && b.open.current().tag == tagSVGScript:
			b.svgScriptEndTag()
		default:
			return b.anyOtherEndTagInForeignContent(t)
		}
	}
	return done
}

func (b *treeBuilder) charactersInForeignContent(t *Token) {
	text := t.Data
	if t.hasNUL {
		for range strings.Count(text, "\x00") {
			b.parseError(CodeUnexpectedNullCharacter)
		}
		text = strings.ReplaceAll(text, "\x00", "\uFFFD")
	}
	b.insertText(t, text)
	if b.framesetOK && strings.Trim(t.Data, "\x00\t\n\f\r ") != "" {
		b.framesetOK = false
	}
}

// hasFontAttribute says whether a font tag is one that ends foreign content.
func hasFontAttribute(t *Token) bool {
	for i := range t.Attr {
		switch t.Attr[i].Key {
		case "color", "face", "size":
			return true
		}
	}
	return false
}

// breakOutOfForeignContent closes foreign elements before a tag that belongs to HTML, which is then processed
// by the rules of the insertion mode.
func (b *treeBuilder) breakOutOfForeignContent(t *Token) verdict {
	b.parseError(CodeUnexpectedHTMLElementInForeignContent)
	for {
		e := b.open.current()
		if !e.is(foreign) || e.is(mathMLTextIntegrationPoint|htmlIntegrationPoint) {
			return b.processIn(b.mode, t)
		}
		b.pop()
	}
}

func (b *treeBuilder) anyOtherStartTagInForeignContent(t *Token) {
	namespace := b.adjustedCurrentNode().node.Namespace
	n := b.insertForeignElement(t, namespace)
	if t.SelfClosing && t.tag == tagScript && namespace == "svg" {
		b.scriptEnded(n)
	}
}

func (b *treeBuilder) svgScriptEndTag() {
	script := b.open.current().node
	b.pop()
	b.scriptEnded(script)
}

// anyOtherEndTagInForeignContent closes the lowest open element of this name, if only foreign elements stand below it;
// else the tag is processed by the rules of the insertion mode, unless the root element alone is open: fragment case.
func (b *treeBuilder) anyOtherEndTagInForeignContent(t *Token) verdict {
	current := b.open.current()
	if current.name != t.Name {
		b.parseError(CodeUnexpectedEndTag)
	}
	switch depth := b.open.newestForeign[t.Name]; {
	case depth > current.html:
		b.popTo(int(depth) - 1)
	case b.open.depth() > 1:
		return b.processIn(b.mode, t)
	}
	return done
}
