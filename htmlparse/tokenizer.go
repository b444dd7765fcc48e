package htmlparse

import "golang.org/x/net/html"

// Tokenizer is the tokenization stage of the standard: a state machine that cuts source text into tokens.
// See https://html.spec.whatwg.org/multipage/parsing.html#tokenization
type Tokenizer struct {
	src   string // the decoded source; newlines are normalized where they are read
	pos   int    // offset of the next input character
	ahead lookahead
	state State // where next goes on

	tok       *Token // the current token
	markup    int    // offset of the < that the current token, if it is not text, began with
	textStart int    // offset where the current text began
	run       int    // offset of the first byte of the current string that is not copied yet, see text.go
	copied    arena

	attrs         attributeList
	attrRanges    []attrRange // where the attributes of the current tag stand, parallel to Token.Attr
	attr          attrRange   // where the current attribute stands
	dropAttribute bool        // the current attribute is a duplicate

	referenceStart int   // offset of the & of the current character reference
	returnState    State // where to go on after the character reference
	characterCode  rune  // the character reference code

	lastStartTag string // name of the start tag that switched to this state, which decides whether an end tag token is appropriate

	// Set by the tree builder.
	foreign                func() bool // there is an adjusted current node and it is not in the HTML namespace: CDATA sections are allowed; nil: there is not
	positions              bool        // fill attrRanges
	processingInstructions bool        // <?target data> is a token of its own

	stepwise bool // read attributes state by state alone; for tests

	public       Token // what Next hands out
	onError      func(ParseError)
	preprocessed int // offset up to which input stream errors are reported
	lines        lineCounter
}

// TokenizerOptions of NewTokenizer.
type TokenizerOptions struct {
	State        State            // the state to start in: DataState, PlaintextState, RCDATAState, RawtextState, ScriptDataState or CDATASectionState; default: DataState
	LastStartTag string           // the lower-case name of the start tag before the source, which the end tag that ends RCDATA, RAWTEXT or script data must have; default: none
	OnError      func(ParseError) // called for each parse error, in the order of the source; default: errors are not looked for
}

// NewTokenizer makes a tokenizer for decoded source text. opts may be nil.
//
// A tokenizer alone doesn't switch to another state after start tags such as title or script: that is what
// tree construction does.
func NewTokenizer(src string, opts *TokenizerOptions) *Tokenizer {
	z := &Tokenizer{src: src, ahead: noLookahead}
	if opts != nil {
		if opts.State <= CDATASectionState {
			z.state = opts.State
		}
		z.lastStartTag = opts.LastStartTag
		z.onError = opts.OnError
	}
	return z
}

// Next gives the next token, and false after the last one. The token is the caller's to keep.
// Text may come as several character tokens in a row.
func (z *Tokenizer) Next() (Token, bool) {
	z.public = Token{}
	if !z.next(&z.public) {
		return Token{}, false
	}
	z.takeAttributes()
	return z.public, true
}

// switchTo is the tree builder's feedback after a start tag.
func (z *Tokenizer) switchTo(s State) {
	z.state = s
	if z.tok != nil && z.tok.Type == StartTagToken {
		z.lastStartTag = z.tok.Name
	}
}

// insert puts decoded text before the next input character, as scripts do that write at the insertion point. The tree
// builder may call it between two tokens. Offsets behind that point are those of the source with all insertions.
// See https://html.spec.whatwg.org/multipage/parsing.html#insertion-point
func (z *Tokenizer) insert(text string) {
	z.src = z.src[:z.pos] + text + z.src[z.pos:]
	z.ahead = noLookahead
	if z.state == endOfFile {
		z.state = DataState
	}
}

// takeAttributes gives the attributes of the last tag, with no spare capacity, to the caller for good.
func (z *Tokenizer) takeAttributes() []html.Attribute {
	z.attrs.take()
	return z.tok.Attr
}
