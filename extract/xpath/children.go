package xpath

import "golang.org/x/net/html"

// maxWalks is how often children are brought into document order by a walk,
// which is quicker than to number all nodes. A predicate may need it for each
// node of a page.
const maxWalks = 4

// waiting are the children that a step gives of the nodes that a walk is in;
// those of the innermost node are at the end.
type waiting struct {
	children []Node
	frames   []frame
}

// frame is a node with children that wait.
type frame struct {
	node        *html.Node
	begin, next int // of its children in waiting
}

// comes reports whether n is the child that waits.
func (w *waiting) comes(n *html.Node) bool {
	if len(w.frames) == 0 {
		return false
	}
	f := &w.frames[len(w.frames)-1]
	if f.next == len(w.children) || w.children[f.next].Node != n {
		return false
	}
	f.next++
	return true
}

// leave is for when the walk leaves n.
func (w *waiting) leave(n *html.Node) {
	if i := len(w.frames) - 1; i >= 0 && w.frames[i].node == n {
		w.children = w.children[:w.frames[i].begin]
		w.frames = w.frames[:i]
	}
}

// children takes a step to the children of nodes that may be in each other,
// and gives them in the order of a walk through what the nodes hold.
func (ev *evaluation) children(set []Node, s *step) nodeList {
	var w subtree
	for i := 0; i < len(set) && ev.left >= 0; {
		top := set[i]
		if top.Attr >= 0 {
			i++
			continue
		}
		for n := top.Node; n != nil; n = w.next(ev, n, top.Node) {
			if w.comes(n) {
				w.add(Node{n, -1})
			}
			for ; i < len(set) && set[i].Node == n; i++ {
				begin := len(w.children)
				if w.children = ev.one(set[i], s, w.children, 0); len(w.children) > begin {
					w.frames = append(w.frames, frame{n, begin, begin})
				}
			}
		}
	}
	return nodeList{w.nodes, !w.deep}
}
