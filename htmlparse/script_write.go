package htmlparse

import "strings"

// maxScriptNesting is how deep scripts may write scripts that write scripts: deeper ones write nothing, as in browsers.
const maxScriptNesting = 20

// Write inserts text into the input at the insertion point, just behind the script, and has the parser process it as far
// as it is complete: what it makes is in the tree when Write returns. The rest waits for what comes behind it.
// Write does nothing once OnScript has returned, and for scripts that are deferred or async.
//
// https://html.spec.whatwg.org/multipage/dynamic-markup-insertion.html#document-write-steps
func (s *Script) Write(text string) {
	b := s.builder
	if !s.running || s.Kind > BlockingScript || text == "" || b.stopped || b.scripts.nesting > maxScriptNesting {
		return
	}
	b.nodesLeft += len(text)
	s.written += text
	if b.scripts.pending == nil {
		s.written = b.processWritten(s.written)
	}
}

// sourceMap says what the tokenizer's text has to do with the page's, of which a script's output is no part: offsets in the
// output become that of the insertion point.
type sourceMap struct {
	page   *Tokenizer // the tokenizer of the page itself, nil while no script writes
	rest   int        // bytes of the page behind the insertion point
	beyond int        // bytes of them that are behind the tokenizer's text
}

// offset maps an offset of the tokenizer's text to one of the page's.
func (m *sourceMap) offset(z *Tokenizer, offset int) int {
	return len(m.page.src) - min(len(z.src)-offset+m.beyond, m.rest)
}

// locate gives a token its place in the page.
func (m *sourceMap) locate(z *Tokenizer, t *Token) {
	t.start, t.end = m.offset(z, t.start), m.offset(z, t.end)
	t.verbatim = false
}

// writing is what is set aside of the builder's state while it processes a script's output.
type writing struct {
	tokenizer    *Tokenizer
	token        *Token
	source       sourceMap
	acknowledged bool
}

// startWriting has the builder go on in another text, which ends with a number of bytes of the page.
func (b *treeBuilder) startWriting(text string, ofPage int) writing {
	outer := writing{b.tokenizer, b.token, b.source, b.selfClosingAcknowledged}
	if b.source.page == nil {
		b.source = sourceMap{page: b.tokenizer, rest: len(b.tokenizer.src) - b.tokenizer.pos}
	}
	b.source.beyond = b.source.rest - ofPage
	b.token = new(Token)
	b.tokenizer = b.writtenTokenizer(text)
	return outer
}

// endWriting has the builder go on where it was, in the state that the other text ended in.
func (b *treeBuilder) endWriting(outer writing) {
	outer.tokenizer.resume(b.tokenizer)
	b.tokenizer, b.token, b.source, b.selfClosingAcknowledged = outer.tokenizer, outer.token, outer.source, outer.acknowledged
}

// writtenTokenizer makes a tokenizer for text that goes on in the state that the current one is in.
func (b *treeBuilder) writtenTokenizer(text string) *Tokenizer {
	z := NewTokenizer(text, nil)
	z.resume(b.tokenizer)
	z.processingInstructions = b.tokenizer.processingInstructions
	if b.source.page.onError != nil {
		z.onError = func(e ParseError) { b.source.page.parseError(e.Code, b.source.offset(z, e.Offset)) }
	}
	return z
}

func (z *Tokenizer) resume(from *Tokenizer) {
	z.state, z.lastStartTag, z.foreign = from.state, from.lastStartTag, from.foreign
}

// beforeMarkup goes back to the < of markup that the tokenizer has begun to read behind the text that it emitted, so that
// another tokenizer can read it from there.
func (z *Tokenizer) beforeMarkup() {
	switch z.state {
	case tagOpenState, endTagOpenState:
		z.state = DataState
	case rcdataEndTagNameState:
		z.state = RCDATAState
	case rawtextEndTagNameState:
		z.state = RawtextState
	case scriptDataEndTagNameState:
		z.state = ScriptDataState
	case scriptDataEscapedEndTagNameState:
		z.state = scriptDataEscapedState
	default:
		return
	}
	z.pos = z.markup
}

// processWritten processes what is complete of a text that a script wrote, and gives the rest.
func (b *treeBuilder) processWritten(text string) (rest string) {
	outer := b.startWriting(text, 0)
	for !b.stopped && !b.scripts.paused && b.nextComplete() {
		b.processWrittenToken()
	}
	rest = b.tokenizer.src[b.tokenizer.pos:]
	b.endWriting(outer)
	return rest
}

func (b *treeBuilder) processWrittenToken() {
	b.source.locate(b.tokenizer, b.token)
	b.process(b.token)
}

// nextComplete reads the next token if nothing that could follow the text would change it, else nothing.
// Of text as much is read as is sure.
func (b *treeBuilder) nextComplete() bool {
	z, t := b.tokenizer, b.token
	from, state, lastStartTag := z.pos, z.state, z.lastStartTag
	report, complete := z.onError, true
	var errors []ParseError
	z.onError = func(e ParseError) {
		complete = complete && !strings.HasPrefix(e.Code, "eof-")
		errors = append(errors, e)
	}
	t.Type = endOfFileToken
	complete = z.next(t) && complete
	z.onError = report
	z.beforeMarkup()
	if complete && z.pos == len(z.src) {
		switch t.Type {
		case CharacterToken:
			complete = from+sureText(z.src[from:]) == len(z.src)
		case CommentToken, DoctypeToken: // an unfinished one is not always an error
			complete = strings.HasSuffix(z.src, ">")
		}
	}
	if !complete {
		z.state, z.lastStartTag = state, lastStartTag
		b.tokenizer = b.writtenTokenizer(z.src[from:])
		return t.Type == CharacterToken && b.nextText(sureText(b.tokenizer.src))
	}
	if report != nil {
		for _, e := range errors {
			report(e)
		}
	}
	return true
}

// nextText reads n bytes of text as a token, if that is any.
func (b *treeBuilder) nextText(n int) bool {
	if n == 0 {
		return false
	}
	rest := b.tokenizer.src
	z := b.writtenTokenizer(rest[:n])
	if !z.next(b.token) || b.token.Type != CharacterToken {
		return false
	}
	z.beforeMarkup()
	b.tokenizer.resume(z)
	b.tokenizer = b.writtenTokenizer(rest[z.pos:])
	return true
}

// sureText gives the length of the text at the start of s that stays the same whatever follows s. What begins with the last
// < or & may become markup or a character reference, and CR, - and ] may be the start of longer sequences.
func sureText(s string) int {
	sure := len(strings.TrimRight(s, "\r-]"))
	if i := strings.LastIndexByte(s[:sure], '<'); i >= 0 {
		sure = i
	}
	if i := strings.LastIndexByte(s[:sure], '&'); i >= 0 && alphanumericClass.while(strings.Replace(s[i+1:sure], "#", "0", 1), 0) == sure-i-1 {
		sure = i
	}
	return sure
}

// takeWritten processes the end of a script's output together with what follows it in the input.
func (b *treeBuilder) takeWritten(rest string) {
	if rest == "" || b.stopped {
		return
	}
	z := b.tokenizer
	if b.source.page != nil {
		z.insert(rest)
		return
	}
	ofPage := len(z.src) - z.pos
	outer := b.startWriting(rest+z.src[z.pos:], ofPage)
	for !b.stopped && b.inWritten(ofPage) && b.tokenizer.next(b.token) {
		b.tokenizer.beforeMarkup()
		b.processWrittenToken()
	}
	z.pos = min(len(z.src), len(z.src)-(len(b.tokenizer.src)-b.tokenizer.pos))
	b.endWriting(outer)
}

// inWritten says whether the next input character is one that a script wrote.
func (b *treeBuilder) inWritten(ofPage int) bool {
	return len(b.tokenizer.src)-b.tokenizer.pos > ofPage
}
