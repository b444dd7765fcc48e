package htmlparse

import "golang.org/x/net/html"

// Nodes come from slabs, so that a page takes tens of allocations rather than thousands. A slab lives as long as
// any node in it.
const (
	bytesPerNode = 96 // of source, about, on ordinary pages
	minNodeSlab  = 8
	maxNodeSlab  = 128
)

// newNode makes a node. Every node of a tree is made here.
func (b *treeBuilder) newNode(t html.NodeType, data string) *html.Node {
	if b.slabUsed == len(b.slab) {
		b.slab = b.memory.nodeSlab(b.slabSize)
		b.slabUsed = 0
		b.slabSize = min(2*b.slabSize, maxNodeSlab)
	}
	n := &b.slab[b.slabUsed]
	b.slabUsed++
	n.Type = t
	n.Data = data
	b.spend(1)
	return n
}

// firstNodeSlab gives the size of the first slab for a source of this length.
func firstNodeSlab(length int) int {
	return min(max(length/bytesPerNode, minNodeSlab), maxNodeSlab)
}

// copyAttributes copies the attributes of an element that is made again.
func (b *treeBuilder) copyAttributes(attr []html.Attribute) []html.Attribute {
	if len(attr) == 0 {
		return nil
	}
	b.spend(len(attr))
	return append(make([]html.Attribute, 0, len(attr)), attr...)
}
