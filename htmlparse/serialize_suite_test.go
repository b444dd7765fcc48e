package htmlparse

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Cases of the html5lib serializer suite that we differ from, and why. The
// suite tells of options that we don't have; those cases are not run at all.
var serializerSuiteDiffers = map[string]string{
	"p end-tag followed by datagrid start-tag":  "the element was given up, the standard does not name it",
	"p end-tag followed by dir start-tag":       "the standard's list of elements behind p does not name dir",
	"tfoot end-tag followed by tbody start-tag": "a tfoot may stand last alone now",
	"tbody with a tr child, following a tfoot":  "a tfoot may stand last alone now",

	// The fragment serialization algorithm puts every value in double quotes.
	"proper attribute value escaping":                   "quotes are always double",
	"proper attribute value non-quoting":                "values are always quoted",
	"proper attribute value non-quoting (with <)":       "values are always quoted",
	"proper attribute value quoting (with \")":          "quotes are always double",
	"proper attribute value non-quoting (with linetab)": "values are always quoted",
	"html start-tag followed by text, with attributes":  "values are always quoted",
	"minimize_boolean_attributes=false":                 "values are always quoted",
}

type serializerCase struct {
	Description string
	Input       []json.RawMessage
	Expected    []string
	XHTML       []string
	Options     map[string]any
}

// offered are the options of the suite that are always on here.
func (c *serializerCase) offered() bool {
	for option, value := range c.Options {
		switch option {
		case "encoding", "escape_lt_in_attrs":
		case "minimize_boolean_attributes":
			if value != false {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func TestHTML5LibSerializerSuite(t *testing.T) {
	dir := conformanceDir(t, "html5lib-tests/serializer")
	run := 0
	for _, file := range []string{"core.test", "optionaltags.test", "options.test"} {
		src, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		var suite struct{ Tests []serializerCase }
		if err := json.Unmarshal(src, &suite); err != nil {
			t.Fatal(err)
		}
		for _, c := range suite.Tests {
			if !c.offered() {
				continue
			}
			run++
			t.Run(c.Description, func(t *testing.T) {
				got, ok := serializeTokens(t, &c, file == "optionaltags.test")
				reason, differs := serializerSuiteDiffers[c.Description]
				switch {
				case !ok && !differs:
					t.Errorf("got %q, want one of %q", got, c.Expected)
				case ok && differs:
					t.Errorf("passes: take it off the list (%q)", reason)
				}
			})
		}
	}
	if run < 200 {
		t.Errorf("%d cases run", run)
	}
}

// serializeTokens makes a tree of the case's tokens and renders it. An end
// tag without a start tag gets an element around the nodes before it, with an
// attribute so that its start tag is written and can be taken off. An element
// that stays open may have its end tag written or not.
func serializeTokens(t *testing.T, c *serializerCase, omit bool) (got string, ok bool) {
	t.Helper()
	root := &html.Node{Type: html.DocumentNode}
	if omit { // else the document is in quirks mode
		root.AppendChild(&html.Node{Type: html.DoctypeNode, Data: "html"})
	}
	at, added, left := root, "", ""
	for _, raw := range c.Input {
		tok := readSerializerToken(t, raw)
		switch {
		case tok.node != nil:
			at.AppendChild(tok.node)
			if tok.open {
				at = tok.node
			} else if tok.node.Type == html.ElementNode && !isVoid(tok.node) {
				left += "</" + tok.node.Data + ">"
			}
		case at != root && at.Data == tok.end:
			at = at.Parent
		default:
			n := &html.Node{Type: html.ElementNode, Data: tok.end, Attr: []html.Attribute{{Key: "x"}}}
			for child := at.FirstChild; child != nil; {
				next := child.NextSibling
				if child.Type != html.DoctypeNode {
					at.RemoveChild(child)
					n.AppendChild(child)
				}
				child = next
			}
			at.AppendChild(n)
			added = "<" + tok.end + ` x="">` + added
		}
	}
	for ; at != root; at = at.Parent {
		if !isVoid(at) {
			left += "</" + at.Data + ">"
		}
	}
	opts := &RenderOptions{OmitTags: omit, RoundTrip: true}
	var b strings.Builder
	if err := RenderWith(&b, root, opts); err != nil {
		t.Fatal(err)
	}
	// What was added stands where the standard has it, in or before the rest.
	got = b.String()
	if omit {
		got = strings.TrimPrefix(got, "<!DOCTYPE html>")
	}
	for tag := range strings.SplitAfterSeq(added, ">") {
		got = strings.Replace(got, tag, "", 1)
	}
	for _, want := range c.Expected {
		if rest, found := strings.CutPrefix(got, want); found && strings.Contains(left, rest) {
			return got, true
		}
	}
	return got, false
}

type serializerToken struct {
	node *html.Node
	open bool   // node is an element that is not void
	end  string // name of an end tag
}

func readSerializerToken(t *testing.T, raw json.RawMessage) serializerToken {
	t.Helper()
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		t.Fatal(err)
	}
	str := func(i int) (s string) {
		if i < len(parts) {
			if err := json.Unmarshal(parts[i], &s); err != nil {
				t.Fatalf("%s: %v", raw, err)
			}
		}
		return s
	}
	switch kind := str(0); kind {
	case "StartTag":
		n := &html.Node{Type: html.ElementNode, Data: str(2)}
		var attrs []struct{ Name, Value string }
		if json.Unmarshal(parts[3], &attrs) == nil { // an empty object stands for none
			for _, a := range attrs {
				n.Attr = append(n.Attr, html.Attribute{Key: a.Name, Val: a.Value})
			}
		}
		return serializerToken{node: n, open: !isVoid(n)}
	case "EmptyTag":
		return serializerToken{node: &html.Node{Type: html.ElementNode, Data: str(1)}}
	case "EndTag":
		return serializerToken{end: str(2)}
	case "Characters":
		return serializerToken{node: &html.Node{Type: html.TextNode, Data: str(1)}}
	case "Comment":
		return serializerToken{node: &html.Node{Type: html.CommentNode, Data: str(1)}}
	case "Doctype":
		n := &html.Node{Type: html.DoctypeNode, Data: str(1)}
		for i, key := range []string{2: "public", 3: "system"} {
			if i < 2 {
				continue
			}
			if id := str(i); id != "" {
				n.Attr = append(n.Attr, html.Attribute{Key: key, Val: id})
			}
		}
		return serializerToken{node: n}
	default:
		t.Fatalf("unknown token %q", kind)
		return serializerToken{}
	}
}
