package main

import (
	"bufio"
	"encoding/json"
	"iter"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

// encodingJSON is an encoding as commands write it for machines.
type encodingJSON struct {
	Name       string `json:"name"`
	Confidence string `json:"confidence"`
	Source     string `json:"source"`
}

func jsonEncoding(e htmlparse.Encoding) encodingJSON {
	return encodingJSON{e.Name, e.Confidence.String(), e.Source}
}

// nodeJSON is a node without its children.
type nodeJSON struct {
	Type       string          `json:"type"`
	Name       string          `json:"name,omitempty"`      // of an element or doctype
	Namespace  string          `json:"namespace,omitempty"` // svg or math
	Attributes []attributeJSON `json:"attributes,omitempty"`
	Data       *string         `json:"data,omitempty"` // of a text or comment
	Mode       string          `json:"mode,omitempty"` // of the document
	Encoding   *encodingJSON   `json:"encoding,omitempty"`
	Position   *positionJSON   `json:"position,omitempty"`
}

// positionJSON is where a node stands in the decoded source: byte offsets,
// and line and column of both ends, from 1.
type positionJSON struct {
	Start [3]int `json:"start"` // offset, line, column
	End   [3]int `json:"end"`
}

func jsonPosition(n *html.Node, doc *htmlparse.Document) *positionJSON {
	p, ok := doc.Position(n)
	if !ok {
		return nil
	}
	at := func(offset int) [3]int {
		line, column := doc.LineColumn(offset)
		return [3]int{offset, line, column}
	}
	return &positionJSON{at(p.Node.Start), at(p.Node.End)}
}

type attributeJSON struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Value     string `json:"value"`
}

// writeTreeJSON writes a document as nested JSON objects, each element with
// its children.
func writeTreeJSON(b *bufio.Writer, doc *htmlparse.Document) error {
	for n, leaving := range walk(doc.Root) {
		parent := n.Type == html.ElementNode || n.Type == html.DocumentNode
		if leaving {
			if parent {
				b.WriteString("]}")
			}
			continue
		}
		if n != doc.Root && n.PrevSibling != nil {
			b.WriteByte(',')
		}
		text, err := json.Marshal(nodeOf(n, doc))
		if err != nil {
			return err
		}
		text = harmless.JSON(text)
		if parent {
			text = append(text[:len(text)-1], `,"children":[`...)
		}
		b.Write(text)
	}
	return b.WriteByte('\n')
}

func nodeOf(n *html.Node, doc *htmlparse.Document) nodeJSON {
	j := nodeJSON{Namespace: n.Namespace, Position: jsonPosition(n, doc)}
	switch n.Type {
	case html.DocumentNode:
		encoding := jsonEncoding(doc.Encoding)
		j.Type, j.Mode, j.Encoding = "document", doc.Mode.String(), &encoding
	case html.ElementNode:
		j.Type, j.Name = "element", n.Data
	case html.DoctypeNode:
		j.Type, j.Name = "doctype", n.Data
	case html.CommentNode:
		j.Type, j.Data = "comment", &n.Data
	default:
		j.Type, j.Data = "text", &n.Data
	}
	for _, a := range n.Attr {
		j.Attributes = append(j.Attributes, attributeJSON{a.Namespace, a.Key, a.Val})
	}
	return j
}

// walk visits root and what is below it in the order of the document, each
// node once when it is entered and once when it is left. It needs no stack,
// however deep the tree is.
func walk(root *html.Node) iter.Seq2[*html.Node, bool] {
	return func(yield func(n *html.Node, leaving bool) bool) {
		n := root
		for {
			if !yield(n, false) {
				return
			}
			if n.FirstChild != nil {
				n = n.FirstChild
				continue
			}
			for {
				if !yield(n, true) || n == root {
					return
				}
				if n.NextSibling != nil {
					n = n.NextSibling
					break
				}
				n = n.Parent
			}
		}
	}
}
