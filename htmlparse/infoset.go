package htmlparse

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// CoerceInfoset returns a copy of n, and of what it contains, that XML tools
// can take: names are XML names without a colon, characters are XML
// characters, comments have no "--" and attributes that declare namespaces are
// left out. Siblings and parent of n are not copied.
// https://html.spec.whatwg.org/multipage/parsing.html#coercing-an-html-dom-into-an-infoset
func CoerceInfoset(n *html.Node) *html.Node {
	var top, at *html.Node
	_ = walk(n, func(m *html.Node) (bool, error) {
		c := infosetNode(m)
		if at == nil {
			top = c
		} else {
			at.AppendChild(c)
		}
		at = c
		return true, nil
	}, func(*html.Node) { at = at.Parent }, func(*html.Node) bool { return true })
	return top
}

// infosetNode returns the coerced copy of a node, without links.
func infosetNode(n *html.Node) *html.Node {
	c := &html.Node{Type: n.Type, DataAtom: n.DataAtom, Namespace: n.Namespace}
	switch n.Type {
	case html.ElementNode:
		c.Data = infosetName(n.Data)
		c.Attr = infosetAttributes(n.Attr)
	case html.CommentNode:
		c.Data = infosetComment(n.Data)
	case ProcessingInstructionNode:
		c.Data = infosetName(n.Data)
		if asciiLower(c.Data) == "xml" {
			c.Data = escapeNameRune(rune(n.Data[0])) + c.Data[1:] // the name is taken
		}
		data := strings.ReplaceAll(infosetText(instructionData(n)), "?>", "? >")
		c.Attr = []html.Attribute{{Key: "data", Val: data}}
	case html.DoctypeNode:
		c.Data = infosetName(n.Data)
		for _, a := range n.Attr {
			a.Val = infosetText(a.Val)
			c.Attr = append(c.Attr, a)
		}
	default:
		c.Data = infosetText(n.Data)
	}
	return c
}

func infosetAttributes(attrs []html.Attribute) []html.Attribute {
	var coerced []html.Attribute
	seen := make(map[[2]string]bool, len(attrs))
	for _, a := range attrs {
		if a.Namespace == "xmlns" || a.Namespace == "" && (a.Key == "xmlns" || strings.HasPrefix(a.Key, "xmlns:")) {
			continue
		}
		a.Key, a.Val = infosetName(a.Key), infosetText(a.Val)
		if name := [2]string{a.Namespace, a.Key}; !seen[name] {
			seen[name] = true
			coerced = append(coerced, a)
		}
	}
	return coerced
}

// infosetName replaces what XML does not take in a name by "U" and the six
// hexadecimal digits of the code point. Names of the parser have no capital
// letters but in foreign elements, so that the result is no other one's name.
func infosetName(name string) string {
	if isXMLName(name) {
		return name
	}
	var b strings.Builder
	for i, r := range name {
		if isXMLNameStart(r) || i > 0 && isXMLNameRune(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(escapeNameRune(r))
		}
	}
	if b.Len() == 0 {
		return "_" // no name of the parser is empty
	}
	return b.String()
}

func escapeNameRune(r rune) string { return fmt.Sprintf("U%06X", r) }

func isXMLName(name string) bool {
	for i, r := range name {
		if !isXMLNameStart(r) && (i == 0 || !isXMLNameRune(r)) {
			return false
		}
	}
	return name != ""
}

func isXMLNameStart(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return unicode.Is(xmlLetters, r)
}

func isXMLNameRune(r rune) bool {
	return isXMLNameStart(r) || r == '-' || r == '.' || '0' <= r && r <= '9'
}

// xmlLetters are the letters outside of ASCII that names may have in every
// edition of XML 1.0, as far as they are common: editions up to the fourth,
// which package encoding/xml follows, list them one by one.
// https://www.w3.org/TR/2006/REC-xml-20060816/#NT-Letter
var xmlLetters = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00C0, Hi: 0x00D6, Stride: 1}, {Lo: 0x00D8, Hi: 0x00F6, Stride: 1}, {Lo: 0x00F8, Hi: 0x0131, Stride: 1},
		{Lo: 0x0134, Hi: 0x013E, Stride: 1}, {Lo: 0x0141, Hi: 0x0148, Stride: 1}, {Lo: 0x014A, Hi: 0x017E, Stride: 1},
		{Lo: 0x038E, Hi: 0x03A1, Stride: 1}, {Lo: 0x03A3, Hi: 0x03CE, Stride: 1},
		{Lo: 0x0401, Hi: 0x040C, Stride: 1}, {Lo: 0x040E, Hi: 0x044F, Stride: 1}, {Lo: 0x0451, Hi: 0x045C, Stride: 1},
		{Lo: 0x05D0, Hi: 0x05EA, Stride: 1}, {Lo: 0x0621, Hi: 0x063A, Stride: 1}, {Lo: 0x0641, Hi: 0x064A, Stride: 1},
		{Lo: 0x3041, Hi: 0x3094, Stride: 1}, {Lo: 0x30A1, Hi: 0x30FA, Stride: 1},
		{Lo: 0x4E00, Hi: 0x9FA5, Stride: 1}, {Lo: 0xAC00, Hi: 0xD7A3, Stride: 1},
	},
	LatinOffset: 2,
}

// infosetComment puts a space between two hyphens, and behind one at the end.
func infosetComment(s string) string {
	s = infosetText(s)
	if !strings.Contains(s, "--") && !strings.HasSuffix(s, "-") {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		b.WriteByte(s[i])
		if s[i] == '-' && (i+1 == len(s) || s[i+1] == '-') {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// infosetText replaces form feeds by spaces, and other characters that XML
// does not have by U+FFFD.
func infosetText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\f':
			return ' '
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == 0xFFFE, r == 0xFFFF:
			return utf8.RuneError
		}
		return r
	}, s)
}
