package xpath

import (
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// name: https://www.w3.org/TR/1999/REC-xpath-19991116/#function-name
func name(ev *evaluation, f focus, args []expr) Value {
	n, ok := ev.first(args[0], f)
	if !ok || n.Attr < 0 {
		return stringValue(nodeName(n, ok))
	}
	a := n.attribute()
	if a.Namespace != "" {
		return stringValue(a.Namespace + ":" + a.Key)
	}
	return stringValue(a.Key)
}

// localName: https://www.w3.org/TR/1999/REC-xpath-19991116/#function-local-name
func localName(ev *evaluation, f focus, args []expr) Value {
	n, ok := ev.first(args[0], f)
	if ok && n.Attr >= 0 {
		return stringValue(n.attribute().Key)
	}
	return stringValue(nodeName(n, ok))
}

// nodeName is the name of a node that is no attribute.
func nodeName(n Node, ok bool) string {
	if ok && (n.Type == html.ElementNode || n.Type == htmlparse.ProcessingInstructionNode) {
		return n.Data
	}
	return ""
}

// namespaceURI: https://www.w3.org/TR/1999/REC-xpath-19991116/#function-namespace-uri
func namespaceURI(ev *evaluation, f focus, args []expr) Value {
	n, ok := ev.first(args[0], f)
	switch {
	case !ok || n.Attr < 0 && n.Type != html.ElementNode || n.Attr >= 0 && n.attribute().Namespace == "":
		return stringValue("")
	case n.Attr >= 0:
		return stringValue(namespaceURIs[n.attribute().Namespace])
	}
	return stringValue(namespaceURIs[n.Namespace])
}

// id finds the first elements of the ids, which are words.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#function-id
func id(ev *evaluation, f focus, args []expr) Value {
	var found []Node
	add := func(words string) {
		for word := range strings.FieldsFuncSeq(words, func(r rune) bool { return strings.ContainsRune(space, r) }) {
			if n := ev.element(word); n != nil {
				found = append(found, Node{n, -1})
			}
		}
	}
	if x := args[0]; x.kind() != NodeSet {
		add(ev.string(x, f))
	} else {
		for _, n := range ev.nodes(x, f, 0) {
			if add(ev.text(n)); ev.left < 0 {
				break
			}
		}
	}
	return Value{nodes: ev.sorted(found)}
}

// element returns the first element with an id.
func (ev *evaluation) element(id string) *html.Node {
	if ev.ids == nil {
		ev.ids = map[string]*html.Node{}
		for n := range ev.all(ev.root()) {
			if a, ok := idTest.attribute(Node{n, -1}); ok && ev.ids[leafText(a)] == nil {
				ev.ids[leafText(a)] = n
			}
		}
	}
	return ev.ids[id]
}

// lang reads the language of the context node off the nearest element that
// tells one, in xml:lang or, as HTML has it, in lang.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#function-lang
// https://html.spec.whatwg.org/multipage/dom.html#language
func lang(ev *evaluation, f focus, args []expr) Value {
	want := asciiLower(ev.string(args[0], f))
	for n, ok := f.node, true; ok && ev.left >= 0; n, ok = n.up() {
		ev.left--
		if n.Attr >= 0 {
			continue
		}
		if s, ok := language(n); ok {
			s = asciiLower(s)
			return booleanValue(s == want || strings.HasPrefix(s, want) && s[len(want)] == '-')
		}
	}
	return booleanValue(false)
}

func language(n Node) (string, bool) {
	if n.Type == html.ElementNode {
		for _, a := range n.Node.Attr {
			if a.Namespace == "xml" && a.Key == "lang" {
				return a.Val, true
			}
		}
	}
	if a, ok := langTest.attribute(n); ok {
		return leafText(a), true
	}
	return "", false
}
