package crawl

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/magpie-crawl/magpie/extract"
)

// content is a fingerprint of what a page holds: of its records, where there
// are any, else of the text that a reader sees, where it was looked at, else
// of the body. Adverts, tokens and dates around the records are not what a page
// is visited for.
func content(v *Visit) []byte {
	h := sha256.New()
	switch {
	case len(v.Records)+len(v.Rejects) > 0:
		hashRecords(h, v.Records)
		hashRecords(h, v.Rejects)
	case v.text != [16]byte{}:
		h.Write(v.text[:])
	default:
		h.Write(v.Page.Body)
	}
	return h.Sum(nil)[:16]
}

func hashRecords(h hash.Hash, records []extract.Record) {
	for i := range records {
		fields, err := records[i].Fields.AppendJSON(nil)
		if err != nil {
			continue // the store will say so
		}
		for _, part := range [][]byte{[]byte(records[i].Item), []byte(records[i].Key), fields} {
			h.Write(binary.AppendUvarint(nil, uint64(len(part))))
			h.Write(part)
		}
	}
}

// hashText is a fingerprint of a document's text, whatever its spacing.
func hashText(root *html.Node) [16]byte {
	h := sha256.New()
	for n := root; n != nil; n = following(n, root) {
		if n.Type != html.TextNode {
			continue
		}
		for word := range strings.FieldsSeq(n.Data) {
			h.Write([]byte(word))
			h.Write([]byte{' '})
		}
	}
	return [16]byte(h.Sum(nil))
}

// following is the node after n in tree order, below root, without what is in
// elements that show no text.
func following(n, root *html.Node) *html.Node {
	if n.FirstChild != nil && !textless[n.DataAtom] {
		return n.FirstChild
	}
	for n != root && n.NextSibling == nil {
		n = n.Parent
	}
	if n == root {
		return nil
	}
	return n.NextSibling
}

var textless = map[atom.Atom]bool{atom.Script: true, atom.Style: true, atom.Template: true, atom.Noscript: true}
