package htmlparse

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// TokenType is the kind of a Token.
type TokenType uint8

// The tokens of the standard. End of file is not a token here: Next returns false.
const (
	_ TokenType = iota
	DoctypeToken
	StartTagToken
	EndTagToken
	CommentToken
	CharacterToken
	// ProcessingInstructionToken is made only by a parser whose Options.ProcessingInstructions is set:
	// Name is the target, Data what follows it.
	ProcessingInstructionToken
)

// Token is what the tokenizer emits.
// See https://html.spec.whatwg.org/multipage/parsing.html#tokenization
type Token struct {
	Type        TokenType
	SelfClosing bool             // tags: the self-closing flag
	ForceQuirks bool             // doctypes: the force-quirks flag
	Name        string           // tag name, doctype name or processing instruction target; ASCII upper-case letters are lowered but in targets
	Data        string           // text of a comment or processing instruction, or characters
	Attr        []html.Attribute // tags: attributes in source order, duplicates dropped
	PublicID    *string          // doctypes: nil when missing
	SystemID    *string          // doctypes: nil when missing

	hasNUL   bool      // characters: Data contains U+0000
	verbatim bool      // characters: Data is src[start:end], nothing in it was replaced
	atom     atom.Atom // tags: the atom of Name, 0 if it has none
	tag      tag       // tags: what tree construction knows Name as
	start    int       // offset of the token's first byte in the decoded source
	end      int       // offset behind its last byte
}
