package htmlparse

import "golang.org/x/net/html"

const (
	defaultMaxDepth = 512
	leastMaxDepth   = 16     // below it a document has no room for its own structure
	structureFactor = 8      // how much deeper the elements of document, table and template structure may go
	defaultNodeRoom = 10_000 // nodes that a page may have beyond one for each byte
)

// hasRoom says whether the stack of open elements takes another element.
func (b *treeBuilder) hasRoom() bool { return b.open.depth() < b.maxDepth }

// push makes an HTML element the current node.
func (b *treeBuilder) push(n *html.Node, t tag) {
	b.pushIfRoom(n, n.Data, t, b.classOf(t))
}

// pushIfRoom makes an element the current node. Beyond the depth limit only those elements are pushed that the structure
// of document, tables and templates hangs on; the others are in the tree, but hold nothing.
func (b *treeBuilder) pushIfRoom(n *html.Node, name string, t tag, class elementClass) {
	if !b.hasRoom() && class&structural == 0 {
		b.depthLimitReached()
		return
	}
	b.open.push(n, name, t, class)
}

// hasStructuralRoom says whether the stack takes an element of document, table or template structure.
func (b *treeBuilder) hasStructuralRoom() bool { return b.open.depth() < b.maxDepth*structureFactor }

// tooDeep says whether a token is a start tag that is dropped because even the depth left for structure is used up.
func (b *treeBuilder) tooDeep(t *Token) bool {
	if t.Type != StartTagToken || t.tag.class()&structural == 0 {
		return false
	}
	b.depthLimitReached()
	return true
}

// depthLimitReached reports once that the tree is cut at its depth limit.
func (b *treeBuilder) depthLimitReached() {
	if !b.depthReported {
		b.depthReported = true
		b.parseError(CodeDepthLimit)
	}
}

// spend counts nodes, and attributes of nodes made again, against the limit.
func (b *treeBuilder) spend(n int) {
	b.nodesLeft -= n
	if b.nodesLeft < 0 && !b.stopped {
		b.stopped = true
		b.parseError(CodeNodeLimit)
	}
}
