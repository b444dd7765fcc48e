package htmlparse

// insertionMode is the state of tree construction.
//
// https://html.spec.whatwg.org/multipage/parsing.html#the-insertion-mode
type insertionMode uint8

const (
	initialMode insertionMode = iota
	beforeHTMLMode
	beforeHeadMode
	inHeadMode
	inHeadNoscriptMode
	afterHeadMode
	inBodyMode
	textMode
	inTableMode
	inTableTextMode
	inCaptionMode
	inColumnGroupMode
	inTableBodyMode
	inRowMode
	inCellMode
	inSelectMode        // only with Options.ClassicSelect
	inSelectInTableMode // only with Options.ClassicSelect
	inTemplateMode
	afterBodyMode
	inFramesetMode
	afterFramesetMode
	afterAfterBodyMode
	afterAfterFramesetMode
)

// processIn processes a token by the rules of an insertion mode.
func (b *treeBuilder) processIn(mode insertionMode, t *Token) verdict {
	switch mode {
	case initialMode:
		return b.processInInitial(t)
	case beforeHTMLMode:
		return b.processBeforeHTML(t)
	case beforeHeadMode:
		return b.processBeforeHead(t)
	case inHeadMode:
		return b.processInHead(t)
	case inHeadNoscriptMode:
		return b.processInHeadNoscript(t)
	case afterHeadMode:
		return b.processAfterHead(t)
	case inBodyMode:
		return b.processInBody(t)
	case textMode:
		return b.processInText(t)
	case inTableMode:
		return b.processInTable(t)
	case inTableTextMode:
		return b.processInTableText(t)
	case inCaptionMode:
		return b.processInCaption(t)
	case inColumnGroupMode:
		return b.processInColumnGroup(t)
	case inTableBodyMode:
		return b.processInTableBody(t)
	case inRowMode:
		return b.processInRow(t)
	case inCellMode:
		return b.processInCell(t)
	case inSelectMode:
		return b.processInSelect(t)
	case inSelectInTableMode:
		return b.processInSelectInTable(t)
	case inTemplateMode:
		return b.processInTemplate(t)
	case afterBodyMode:
		return b.processAfterBody(t)
	case inFramesetMode:
		return b.processInFrameset(t)
	case afterFramesetMode:
		return b.processAfterFrameset(t)
	case afterAfterBodyMode:
		return b.processAfterAfterBody(t)
	default:
		return b.processAfterAfterFrameset(t)
	}
}

// reprocessIn switches the insertion mode and has the token processed again there.
func (b *treeBuilder) reprocessIn(mode insertionMode) verdict {
	b.mode = mode
	return reprocess
}

// resetInsertionMode finds the insertion mode that the open elements call for.
//
// https://html.spec.whatwg.org/multipage/parsing.html#reset-the-insertion-mode-appropriately
func (b *treeBuilder) resetInsertionMode() {
	for depth := b.open.depth(); depth > 0; depth-- {
		node, last := b.open.at(depth), depth == 1
		if last && b.context != nil {
			node = b.context
		}
		if mode, ok := b.modeFor(node.tag, depth, last); ok {
			b.mode = mode
			return
		}
	}
	b.mode = inBodyMode
}

// modeFor gives the insertion mode that an open element calls for, if it calls for one.
func (b *treeBuilder) modeFor(t tag, depth int, last bool) (mode insertionMode, ok bool) {
	switch t {
	case tagSelect:
		if b.classicSelect {
			return b.selectModeFor(depth, last), true
		}
	case tagTd, tagTh:
		return inCellMode, !last
	case tagTr:
		return inRowMode, true
	case tagTbody, tagThead, tagTfoot:
		return inTableBodyMode, true
	case tagCaption:
		return inCaptionMode, true
	case tagColgroup:
		return inColumnGroupMode, true
	case tagTable:
		return inTableMode, true
	case tagTemplate:
		return b.templateModes[len(b.templateModes)-1], true
	case tagHead:
		return inHeadMode, !last
	case tagBody:
		return inBodyMode, true
	case tagFrameset:
		return inFramesetMode, true
	case tagHTML:
		if b.head == nil {
			return beforeHeadMode, true
		}
		return afterHeadMode, true
	}
	return 0, false
}
