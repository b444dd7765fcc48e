package htmlparse

import (
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// ProcessingInstructionNode is the type of the nodes of processing
// instructions: Data is the target, the attribute "data" has the rest. Package
// golang.org/x/net/html has no such type, and its Render no word for it.
const ProcessingInstructionNode html.NodeType = 64

// RenderOptions say how a tree is written. A nil *RenderOptions stands for
// the zero value, which is the standard's fragment serialization algorithm.
type RenderOptions struct {
	// Children leaves out the node itself: what it contains is written, as
	// innerHTML does. Default: false.
	Children bool

	// Scripting is the scripting flag that the tree was parsed with: the text
	// in noscript is written as it is. Default: false.
	Scripting bool

	// RoundTrip writes what the algorithm loses: the identifiers of a
	// doctype, which decide the mode that the document is parsed in, and the
	// newline that the text of a pre, listing or textarea begins with.
	// Default: false.
	RoundTrip bool

	// OmitTags leaves out the tags that authors may leave out, because the
	// parser puts them back. Default: false.
	// https://html.spec.whatwg.org/multipage/syntax.html#optional-tags
	OmitTags bool

	// MaxBytes ends the output before it grows longer; trees can be far
	// larger than their source. Default: 0, no limit.
	MaxBytes int64
}

// Render writes n and what it contains as HTML, by the standard's fragment
// serialization algorithm. The errors are w's, wrapped, and one for a node
// that has no place in a document.
// https://html.spec.whatwg.org/multipage/parsing.html#serialising-html-fragments
func Render(w io.Writer, n *html.Node) error {
	return RenderWith(w, n, nil)
}

// RenderWith is Render with options.
func RenderWith(w io.Writer, n *html.Node, opts *RenderOptions) error {
	if opts == nil {
		opts = &RenderOptions{}
	}
	r := &renderer{out: newLimitedWriter(w, opts.MaxBytes), opts: opts}
	if opts.OmitTags {
		r.tags = newOptionalTags(n, opts.Children)
	}
	err := r.render(n)
	if closeErr := r.out.close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("htmlparse: render: %w", err)
	}
	return nil
}

// walk visits n and what it contains in tree order, without recursion: trees
// can be deep. enter and leave are called for the nodes that wanted accepts;
// enter says whether to go on to the node's children.
func walk(n *html.Node, enter func(*html.Node) (descend bool, err error), leave func(*html.Node), wanted func(*html.Node) bool) error {
	for m := n; ; {
		descend := true
		if wanted(m) {
			var err error
			if descend, err = enter(m); err != nil {
				return err
			}
		}
		if descend && m.FirstChild != nil {
			m = m.FirstChild
			continue
		}
		for {
			if wanted(m) {
				leave(m)
			}
			if m == n {
				return nil
			}
			if m.NextSibling != nil {
				m = m.NextSibling
				break
			}
			m = m.Parent
		}
	}
}

type renderer struct {
	out  *limitedWriter
	opts *RenderOptions
	tags *optionalTags // nil: every tag is written
}

// render writes n and what it contains. It is walk without calls through function values.
func (r *renderer) render(n *html.Node) error {
	if r.opts.Children {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if err := r.renderTree(c); err != nil {
				return err
			}
		}
		return nil
	}
	return r.renderTree(n)
}

func (r *renderer) renderTree(top *html.Node) error {
	for n := top; ; {
		descend, err := r.enter(n)
		if err != nil {
			return err
		}
		if descend && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		for {
			if n.Type == html.ElementNode {
				r.endTag(n)
			}
			if n == top {
				return nil
			}
			if n.NextSibling != nil {
				n = n.NextSibling
				break
			}
			n = n.Parent
		}
	}
}

// enter writes what stands before a node's children.
func (r *renderer) enter(n *html.Node) (descend bool, err error) {
	switch n.Type {
	case html.ElementNode:
		if r.tags == nil || !r.tags.omitStart(n) {
			r.startTag(n)
		}
		if r.opts.RoundTrip && losesNewline(n) {
			r.out.writeString("\n")
		}
		return !isVoid(n), r.out.err
	case html.TextNode:
		if isRawText(n.Parent, r.opts.Scripting) {
			r.out.writeString(n.Data)
		} else {
			r.out.escape(&textEscapes, n.Data)
		}
		return true, r.out.err
	}
	return true, r.enterRare(n)
}

// enterRare is enter for nodes that are neither elements nor text.
func (r *renderer) enterRare(n *html.Node) error {
	switch n.Type {
	case html.DocumentNode:
	case html.CommentNode:
		r.out.write("<!--", n.Data, "-->")
	case html.DoctypeNode:
		r.doctype(n)
	case html.RawNode:
		r.out.write(n.Data)
	case ProcessingInstructionNode:
		r.out.write("<?", n.Data, " ", instructionData(n), ">")
	default:
		return fmt.Errorf("node of type %d", n.Type)
	}
	return r.out.err
}

// endTag writes the end tag of an element that has one.
func (r *renderer) endTag(n *html.Node) {
	if isVoid(n) || r.tags != nil && r.tags.omitEnd(n) {
		return
	}
	r.out.tag("</", n.Data, ">")
}

func (r *renderer) startTag(n *html.Node) {
	if len(n.Attr) == 0 {
		r.out.tag("<", n.Data, ">")
		return
	}
	r.out.tag("<", n.Data, "")
	for i := range n.Attr {
		a := &n.Attr[i]
		key := a.Key
		if prefix := attributePrefix(a); prefix != "" {
			key = prefix + ":" + key
		}
		r.out.attribute(key, a.Val)
	}
	r.out.writeString(">")
}

// attributePrefix returns the prefix that an attribute's namespace has in
// HTML, which is the name that x/net/html has for the namespace.
func attributePrefix(a *html.Attribute) string {
	if a.Namespace == "xmlns" && a.Key == "xmlns" {
		return ""
	}
	return a.Namespace
}

func (r *renderer) doctype(n *html.Node) {
	r.out.write("<!DOCTYPE ", n.Data)
	if r.opts.RoundTrip {
		public, hasPublic := lookupAttribute(n, "public")
		system, hasSystem := lookupAttribute(n, "system")
		switch {
		case hasPublic:
			r.out.write(" PUBLIC ", quoteIdentifier(public))
		case hasSystem:
			r.out.write(" SYSTEM")
		}
		if hasSystem {
			r.out.write(" ", quoteIdentifier(system))
		}
	}
	r.out.write(">")
}

// quoteIdentifier puts quotes around a doctype identifier. One that came out
// of a parser has not both kinds in it.
func quoteIdentifier(id string) string {
	if strings.Contains(id, `"`) {
		return "'" + id + "'"
	}
	return `"` + id + `"`
}

// instructionData returns the data of a processing instruction.
func instructionData(n *html.Node) string {
	data, _ := lookupAttribute(n, "data")
	return data
}

func lookupAttribute(n *html.Node, key string) (value string, ok bool) {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val, true
		}
	}
	return "", false
}

// isVoid reports whether n serializes as void.
// https://html.spec.whatwg.org/multipage/parsing.html#serializes-as-void
func isVoid(n *html.Node) bool {
	if n.Namespace != "" {
		return false
	}
	switch n.Data {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
		"basefont", "bgsound", "frame", "keygen", "param":
		return true
	}
	return false
}

// losesNewline reports whether the parser would drop the newline that n's text
// begins with.
func losesNewline(n *html.Node) bool {
	if n.Namespace != "" || n.FirstChild == nil || n.FirstChild.Type != html.TextNode {
		return false
	}
	switch n.Data {
	case "pre", "listing", "textarea":
		return strings.HasPrefix(n.FirstChild.Data, "\n")
	}
	return false
}

// isRawText reports whether the text in an element is written as it is.
func isRawText(parent *html.Node, scripting bool) bool {
	if parent == nil || parent.Type != html.ElementNode || parent.Namespace != "" {
		return false
	}
	switch parent.Data {
	case "style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext":
		return true
	case "noscript":
		return scripting
	}
	return false
}
