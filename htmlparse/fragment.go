package htmlparse

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// parseFragment builds the nodes that text is in a context element.
//
// https://html.spec.whatwg.org/multipage/parsing.html#html-fragment-parsing-algorithm
func parseFragment(text string, context *html.Node, opts *Options) []*html.Node {
	b := newTreeBuilder(text, opts, nil)
	b.quirks = modeOfDocument(context)
	b.context = contextEntry(context)
	b.tokenizer.switchTo(b.stateInContext())
	root := b.newNode(html.ElementNode, "html")
	root.DataAtom = atom.Html
	b.insertAt(place{parent: b.document}, root)
	b.open.push(root, root.Data, tagHTML, tagHTML.class())
	if b.context.tag == tagTemplate {
		b.templateModes = append(b.templateModes, inTemplateMode)
	}
	b.resetInsertionMode()
	b.form = formOwner(context)
	b.run()
	return takeChildren(root)
}

// contextEntry makes the entry that the context element would have on the stack of open elements.
func contextEntry(context *html.Node) *openElement {
	var e openElement
	if context.Namespace != "" {
		e = foreignEntry(context, asciiLower(context.Data))
	} else {
		t := tagOf(rareAtom(context.Data), context.Data)
		e = openElement{node: context, name: context.Data, tag: t, class: t.class()}
	}
	return &e
}

// stateInContext gives the state that the tokenizer starts in.
func (b *treeBuilder) stateInContext() State {
	switch b.context.tag {
	case tagTitle, tagTextarea:
		return RCDATAState
	case tagStyle, tagXmp, tagIframe, tagNoembed, tagNoframes:
		return RawtextState
	case tagScript:
		return ScriptDataState
	case tagNoscript:
		if b.scripting {
			return RawtextState
		}
	case tagPlaintext:
		return PlaintextState
	}
	return DataState
}

// modeOfDocument gives the mode of the document that a node is in. A node in none is as good as in one without quirks.
func modeOfDocument(n *html.Node) Mode {
	for n.Parent != nil {
		n = n.Parent
	}
	if n.Type != html.DocumentNode {
		return NoQuirks
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.DoctypeNode {
			return nodeMode(c)
		}
	}
	return Quirks
}

// formOwner gives the nearest form element that is the node itself or around it.
func formOwner(n *html.Node) *html.Node {
	for ; n != nil; n = n.Parent {
		if n.Type == html.ElementNode && n.Namespace == "" && n.Data == "form" {
			return n
		}
	}
	return nil
}

// takeChildren takes all children out of a node.
func takeChildren(n *html.Node) []*html.Node {
	var children []*html.Node
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		c.Parent, c.PrevSibling, c.NextSibling = nil, nil, nil
		children = append(children, c)
		c = next
	}
	n.FirstChild, n.LastChild = nil, nil
	return children
}
