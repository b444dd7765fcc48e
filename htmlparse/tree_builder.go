package htmlparse

import "golang.org/x/net/html"

// treeBuilder is the tree construction stage of the standard: it takes the tokens one by one and builds the
// document. The insertion modes are in files of their own, mode_….go; the algorithms that they share stand in files
// named for them.
//
// https://html.spec.whatwg.org/multipage/parsing.html#tree-construction
type treeBuilder struct {
	tokenizer *Tokenizer
	token     *Token // the token being processed
	document  *html.Node
	quirks    Mode

	mode          insertionMode
	originalMode  insertionMode   // https://html.spec.whatwg.org/multipage/parsing.html#original-insertion-mode
	templateModes []insertionMode // https://html.spec.whatwg.org/multipage/parsing.html#stack-of-template-insertion-modes

	open       openElements
	formatting activeFormattingElements
	head       *html.Node   // https://html.spec.whatwg.org/multipage/parsing.html#head-element-pointer
	form       *html.Node   // https://html.spec.whatwg.org/multipage/parsing.html#form-element-pointer
	context    *openElement // the context element in the fragment case, else nil

	scripting       bool // https://html.spec.whatwg.org/multipage/parsing.html#scripting-flag
	framesetOK      bool // https://html.spec.whatwg.org/multipage/parsing.html#frameset-ok-flag
	fosterParenting bool // https://html.spec.whatwg.org/multipage/parsing.html#foster-parent
	classicSelect   bool

	selfClosingAcknowledged bool // https://html.spec.whatwg.org/multipage/parsing.html#acknowledge-self-closing-flag
	skipNewline             bool // the next token loses the newline it begins with
	pendingTableCharacters  []Token

	memory     *treeMemory // nil: new memory
	slab       []html.Node
	slabUsed   int                            // nodes of slab that are in the tree
	slabSize   int                            // of the next one
	joinedText map[*html.Node][]byte          // texts that came in pieces
	merged     map[*html.Node]map[string]bool // attribute names of html and body elements that had tags merged into them
	selects    map[*html.Node]*selectState    // select elements with a selectedcontent element
	positions  *positions                     // nil unless Options.Positions is set
	scripts    scriptState
	source     sourceMap

	changeEncoding func(name string) bool // says whether to parse again in another encoding; nil: never

	maxDepth      int
	nodesLeft     int
	depthReported bool
	stopped       bool // the parser is done before the end of its input
	restart       bool // it is because the document is to be parsed again in another encoding
}

// endOfFileToken is the token that the builder makes when the tokenizer has no more.
const endOfFileToken TokenType = 0

// verdict is what a mode says of a token.
type verdict bool

const (
	done      verdict = false // the token is dealt with
	reprocess verdict = true  // the token is to be processed again, in the mode switched to
)

// newTreeBuilder makes a builder with an empty document. opts may be nil, and so may memory.
func newTreeBuilder(src string, opts *Options, memory *treeMemory) *treeBuilder {
	if opts == nil {
		opts = &Options{}
	}
	b := &treeBuilder{
		tokenizer:     NewTokenizer(src, &TokenizerOptions{OnError: opts.OnError}),
		scripting:     opts.Scripting,
		classicSelect: opts.ClassicSelect,
		framesetOK:    true,
		memory:        memory,
		slabSize:      firstNodeSlab(len(src)),
		maxDepth:      defaultMaxDepth,
		nodesLeft:     len(src) + defaultNodeRoom,
	}
	if opts.MaxDepth > 0 {
		b.maxDepth = max(opts.MaxDepth, leastMaxDepth)
	}
	if opts.MaxNodes > 0 {
		b.nodesLeft = opts.MaxNodes
	}
	b.formatting.limit = b.maxDepth
	b.tokenizer.attrs.memory = memory
	b.tokenizer.foreign = b.inForeignContent
	b.tokenizer.processingInstructions = opts.ProcessingInstructions
	if opts.Positions {
		b.tokenizer.positions = true
		b.positions = newPositions(src)
	}
	b.scripts.onScript = opts.OnScript
	b.document = b.newNode(html.DocumentNode, "")
	return b
}

// run processes all tokens of the source.
func (b *treeBuilder) run() {
	var t Token
	b.token = &t
	b.pump(&t)
	if b.restart {
		return
	}
	if !b.stopped {
		t = Token{Type: endOfFileToken, start: len(b.tokenizer.src), end: len(b.tokenizer.src)}
		b.process(&t)
	}
	b.stopParsing()
}

// pump processes the tokens that the tokenizer has.
func (b *treeBuilder) pump(t *Token) {
	for !b.stopped && b.tokenizer.next(t) {
		b.process(t)
	}
}

// process processes one token to its end.
func (b *treeBuilder) process(t *Token) {
	if b.skipNewline {
		b.skipNewline = false
		if b.dropNewline(t) {
			return
		}
	}
	if !b.hasStructuralRoom() && b.tooDeep(t) {
		return
	}
	b.selfClosingAcknowledged = false
	for b.dispatch(t) == reprocess {
	}
	if t.SelfClosing && t.Type == StartTagToken && !b.selfClosingAcknowledged {
		b.parseError(CodeNonVoidHTMLElementStartTagWithTrailingSolidus)
	}
}

// dispatch is the tree construction dispatcher.
//
// https://html.spec.whatwg.org/multipage/parsing.html#tree-construction-dispatcher
func (b *treeBuilder) dispatch(t *Token) verdict {
	if b.open.depth() > 0 && t.Type != endOfFileToken {
		if node := b.adjustedCurrentNode(); node.is(foreign) && !b.integrates(node, t) {
			return b.processInForeignContent(t)
		}
	}
	if b.mode == inBodyMode { // nearly always
		return b.processInBody(t)
	}
	return b.processIn(b.mode, t)
}

// integrates says whether a token within a foreign element is processed as HTML.
func (b *treeBuilder) integrates(node *openElement, t *Token) bool {
	switch t.Type {
	case CharacterToken:
		return node.is(mathMLTextIntegrationPoint | htmlIntegrationPoint)
	case StartTagToken:
		if node.is(mathMLTextIntegrationPoint) && t.tag != tagMglyph && t.tag != tagMalignmark {
			return true
		}
		return node.is(htmlIntegrationPoint) || node.is(annotationXML) && t.tag == tagSvg
	}
	return false
}

// adjustedCurrentNode is the current node, or the context element where the fragment case has only its root open.
//
// https://html.spec.whatwg.org/multipage/parsing.html#adjusted-current-node
func (b *treeBuilder) adjustedCurrentNode() *openElement {
	if b.context != nil && b.open.depth() == 1 {
		return b.context
	}
	return b.open.current()
}

// inForeignContent says whether there is an adjusted current node and it is not in the HTML namespace.
func (b *treeBuilder) inForeignContent() bool {
	return b.open.depth() > 0 && b.adjustedCurrentNode().is(foreign)
}

// dropNewline takes the newline off a token that follows a pre, listing or textarea start tag, and says whether
// nothing is left of it.
func (b *treeBuilder) dropNewline(t *Token) bool {
	if t.Type != CharacterToken || t.Data[0] != '\n' {
		return false
	}
	b.cut(t, 1)
	return t.Data == ""
}

// pop takes the current node off the stack of open elements.
func (b *treeBuilder) pop() {
	e := b.open.pop()
	b.closed(e)
}

// popTo pops elements until the stack of open elements has a depth.
func (b *treeBuilder) popTo(depth int) {
	for b.open.depth() > depth {
		b.pop()
	}
}

// popUntil pops elements until one with this tag, which must be open, has been popped.
func (b *treeBuilder) popUntil(t tag) {
	b.popTo(int(b.open.newest[t]) - 1)
}

// closed does what an element's leaving the stack of open elements brings with it.
func (b *treeBuilder) closed(e *openElement) {
	if b.positions != nil {
		b.positions.closed(e, b.token)
	}
	if e.tag == tagOption && b.selects != nil {
		b.optionPopped(e.node)
	}
}

// stopParsing closes all that is open.
//
// https://html.spec.whatwg.org/multipage/parsing.html#stop-parsing
func (b *treeBuilder) stopParsing() {
	b.popTo(0)
	b.stopped = true
}

// parseError reports an error at the token being processed.
func (b *treeBuilder) parseError(code string) {
	switch {
	case b.token == nil:
	case b.source.page != nil:
		b.source.page.parseError(code, b.token.start)
	default:
		b.tokenizer.parseError(code, b.token.start)
	}
}
