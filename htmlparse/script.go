package htmlparse

import (
	"strings"

	"golang.org/x/net/html"
)

// ScriptKind is when a script is to run.
type ScriptKind uint8

const (
	InlineScript   ScriptKind = iota // at once, before the parser goes on
	BlockingScript                   // external: as soon as it is fetched, for which the parser waits
	DeferredScript                   // when the document has been parsed, in the order of the document
	AsyncScript                      // as soon as it is fetched; the parser does not wait
)

// Scripts are the scripts of a document, each list in the order of their end tags.
//
// https://html.spec.whatwg.org/multipage/parsing.html#the-end
type Scripts struct {
	Blocking []*html.Node // inline and external classic scripts that the parser waits for
	Deferred []*html.Node // the list of scripts that will execute when the document has finished parsing
	Async    []*html.Node // the set of scripts that will execute as soon as possible
}

// Script is a script element that the parser hands to Options.OnScript.
type Script struct {
	Node *html.Node // its parent and what was parsed before it are in place
	Kind ScriptKind

	builder *treeBuilder
	running bool
	written string // what Write was given and the parser could not process yet
}

// scriptState is what tree construction keeps of scripts.
type scriptState struct {
	onScript func(*Script)
	lists    Scripts
	nesting  int     // https://html.spec.whatwg.org/multipage/parsing.html#script-nesting-level
	paused   bool    // https://html.spec.whatwg.org/multipage/parsing.html#parser-pause-flag
	pending  *Script // https://html.spec.whatwg.org/multipage/scripting.html#pending-parsing-blocking-script
}

// scriptEnded prepares a script element whose end tag has been processed, and runs it if it is its time.
//
// https://html.spec.whatwg.org/multipage/parsing.html#scriptEndTag
func (b *treeBuilder) scriptEnded(n *html.Node) {
	if !b.scripting || b.context != nil || b.open.has(tagTemplate) {
		return // the document of a template's contents has no browsing context
	}
	kind, runs := prepareScript(n)
	if !runs {
		return
	}
	b.scripts.lists.add(n, kind)
	if b.scripts.onScript == nil {
		return
	}
	s := &Script{Node: n, Kind: kind, builder: b}
	if kind == BlockingScript && b.scripts.nesting > 0 {
		b.scripts.pending = s
		b.scripts.paused = true
		return
	}
	rest := b.runScript(s)
	for b.scripts.nesting == 0 && b.scripts.pending != nil {
		s, b.scripts.pending = b.scripts.pending, nil
		rest = b.runScript(s) + rest
	}
	b.takeWritten(rest)
}

// runScript calls OnScript and gives what the script wrote that is not processed yet.
func (b *treeBuilder) runScript(s *Script) (rest string) {
	b.scripts.nesting++
	s.running = true
	b.scripts.onScript(s)
	s.running = false
	b.scripts.nesting--
	if b.scripts.nesting == 0 {
		b.scripts.paused = false
	}
	return s.written
}

func (l *Scripts) add(n *html.Node, kind ScriptKind) {
	switch kind {
	case DeferredScript:
		l.Deferred = append(l.Deferred, n)
	case AsyncScript:
		l.Async = append(l.Async, n)
	default:
		l.Blocking = append(l.Blocking, n)
	}
}

// prepareScript says when a script element runs, and whether it does.
//
// https://html.spec.whatwg.org/multipage/scripting.html#prepare-the-script-element
func prepareScript(n *html.Node) (kind ScriptKind, runs bool) {
	src, external := scriptSource(n)
	if external && src == "" || !external && n.FirstChild == nil {
		return 0, false
	}
	module, classic := scriptType(n)
	if !module && !classic {
		return 0, false
	}
	if _, nomodule := attribute(n.Attr, "nomodule"); classic && (nomodule || !runsOnLoad(n)) {
		return 0, false
	}
	_, async := attribute(n.Attr, "async")
	_, deferred := attribute(n.Attr, "defer")
	switch {
	case async && (external || module):
		return AsyncScript, true
	case module, external && deferred:
		return DeferredScript, true
	case external:
		return BlockingScript, true
	}
	return InlineScript, true
}

// scriptSource gives the address of an external script.
func scriptSource(n *html.Node) (src string, external bool) {
	if n.Namespace == "" {
		return attribute(n.Attr, "src")
	}
	for _, a := range n.Attr {
		if a.Key == "href" && (a.Namespace == "" || a.Namespace == "xlink") {
			return a.Val, true
		}
	}
	return "", false
}

// scriptType says whether a script element holds a module or a classic script; else it holds data.
func scriptType(n *html.Node) (module, classic bool) {
	kind, hasType := attribute(n.Attr, "type")
	if !hasType {
		if language, ok := attribute(n.Attr, "language"); ok && language != "" {
			kind = "text/" + language
		}
	}
	kind = asciiLower(kind)
	if trimmed := strings.Trim(kind, "\t\n\f\r "); kind != "" {
		kind = trimmed
	} else {
		return false, true
	}
	return kind == "module", isJavaScriptType(kind)
}

// isJavaScriptType: https://mimesniff.spec.whatwg.org/#javascript-mime-type-essence-match
func isJavaScriptType(essence string) bool {
	switch essence {
	case "application/ecmascript", "application/javascript", "application/x-ecmascript", "application/x-javascript",
		"text/ecmascript", "text/javascript", "text/javascript1.0", "text/javascript1.1", "text/javascript1.2",
		"text/javascript1.3", "text/javascript1.4", "text/javascript1.5", "text/jscript", "text/livescript",
		"text/x-ecmascript", "text/x-javascript":
		return true
	}
	return false
}

// runsOnLoad says whether the attributes event and for, which only old browsers understood, let a script run.
func runsOnLoad(n *html.Node) bool {
	event, hasEvent := attribute(n.Attr, "event")
	target, hasFor := attribute(n.Attr, "for")
	if !hasEvent || !hasFor {
		return true
	}
	event = strings.Trim(event, "\t\n\f\r ")
	return equalFoldASCII(strings.Trim(target, "\t\n\f\r "), "window") &&
		(equalFoldASCII(event, "onload") || equalFoldASCII(event, "onload()"))
}
