package htmlparse

import "golang.org/x/net/html"

// Tokenizer is the tokenization stage of the standard: a state machine that cuts source text into tokens.
// See https://html.spec.whatwg.org/multipage/parsing.html#tokenization
type Tokenizer struct {
	src   string // the decoded source; newlines are normalized where they are read
	pos   int    // offset of the next input character
	state State  // where next goes on
	tok   *Token // the token being made

	lastStartTag string // decides whether an end tag token is appropriate

	// Set by the tree builder.
	foreign                bool // there is an adjusted current node and it is not in the HTML namespace: CDATA sections are allowed
	positions              bool // fill attrRanges
	processingInstructions bool // <?target data> is a token of its own

	attrRanges []attrRange // where the attributes of the current tag stand; parallel to Token.Attr

	public  Token // what Next hands out
	onError func(ParseError)
}

// attrRange is where an attribute stands in the decoded source, as byte offsets.
// The value's range is without its quotes, and empty when there is no value.
type attrRange struct {
	nameStart, nameEnd   int
	valueStart, valueEnd int
}

// TokenizerOptions of NewTokenizer.
type TokenizerOptions struct {
	State        State            // the state to start in: DataState, PlaintextState, RCDATAState, RawtextState, ScriptDataState or CDATASectionState; default: DataState
	LastStartTag string           // the lower-case name of the start tag before the source, which the end tag that ends RCDATA, RAWTEXT or script data must have; default: none
	OnError      func(ParseError) // called for each parse error; default: errors are not looked for
}

// NewTokenizer makes a tokenizer for decoded source text. opts may be nil.
func NewTokenizer(src string, opts *TokenizerOptions) *Tokenizer {
	z := &Tokenizer{src: src}
	if opts != nil {
		z.state = opts.State
		z.lastStartTag = opts.LastStartTag
		z.onError = opts.OnError
	}
	return z
}

// Next gives the next token, and false after the last one. The token is the caller's to keep.
func (z *Tokenizer) Next() (Token, bool) {
	if !z.next(&z.public) {
		return Token{}, false
	}
	z.takeAttributes()
	return z.public, true
}

// next fills tok with the next token and says whether there is one.
// tok.Attr is valid until the next call, unless takeAttributes is called before.
func (z *Tokenizer) next(tok *Token) bool {
	return false
}

// switchTo is the tree builder's feedback after a start tag.
func (z *Tokenizer) switchTo(s State) { z.state = s }

// takeAttributes gives the attributes of the last tag, with no spare capacity, to the caller for good.
func (z *Tokenizer) takeAttributes() []html.Attribute {
	return z.tok.Attr
}

// parseError reports an error at an offset of the decoded source to the listener, if there is one.
// The tree builder reports its errors here too, so that all of them come in one order.
func (z *Tokenizer) parseError(code string, offset int) {
	if z.onError == nil {
		return
	}
	z.onError(ParseError{Code: code, Offset: offset})
}
