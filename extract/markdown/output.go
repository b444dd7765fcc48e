package markdown

import (
	"strconv"
	"strings"
)

// output writes blocks with the prefixes of the containers they are in.
type output struct {
	b      strings.Builder
	max    int
	full   bool
	end    int    // of the last block that was written
	lead   string // prefix of the next line: with the markers of items that begin there
	prefix string // of the lines behind it
}

// blocks writes blocks, an empty line between them unless they are tight.
func (o *output) blocks(blocks []block, tight bool) {
	other := false // the marker that the list before has not
	for i := range blocks {
		b := &blocks[i]
		if i > 0 && !tight {
			o.blank()
		}
		other = i > 0 && b.kind == list && blocks[i-1].kind == list && blocks[i-1].ordered == b.ordered && !other
		switch b.kind {
		case quote:
			o.within("> ", "> ", func() { o.blocks(b.children, false) })
		case list:
			o.list(b, other)
		default:
			o.leaf(b)
		}
		if o.full {
			return
		}
	}
}

// list writes the items of a list.
//
// https://spec.commonmark.org/0.31.2/#lists
func (o *output) list(b *block, other bool) {
	tight := b.tight()
	for i := range b.children {
		if i > 0 && !tight {
			o.blank()
		}
		marker := b.marker(i, other)
		o.within(marker, strings.Repeat(" ", len(marker)), func() {
			o.blocks(b.children[i].children, tight)
			if len(b.children[i].children) == 0 {
				o.line("")
			}
		})
		if o.full {
			return
		}
	}
}

// marker returns what item i of a list begins with. A list behind another
// has the other sign, which keeps them apart.
func (b *block) marker(i int, other bool) string {
	switch {
	case b.ordered && other:
		return strconv.Itoa(min(b.number+i, maxNumber)) + ") "
	case b.ordered:
		return strconv.Itoa(min(b.number+i, maxNumber)) + ". "
	case other:
		return "+ "
	}
	return "- "
}

// within writes the content of a container.
func (o *output) within(lead, prefix string, content func()) {
	outer := o.prefix
	o.lead += lead
	o.prefix += prefix
	content()
	o.prefix = outer
	o.lead = outer
}

// leaf writes a block that holds no others.
func (o *output) leaf(b *block) {
	text := b.text
	switch b.kind {
	case heading:
		text = strings.Repeat("#", b.number) + " " + text
	case rule:
		text = "***"
	case code:
		fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
		text = fence + b.language + "\n" + text + "\n" + fence
	}
	if size := len(text) + 1 + (strings.Count(text, "\n")+1)*len(o.prefix); o.b.Len()+size > o.max {
		o.full = true
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		o.line(line)
	}
	o.end = o.b.Len()
}

// String returns what was written, up to the last block that is whole.
func (o *output) String() string {
	if o.full {
		return o.b.String()[:o.end]
	}
	return o.b.String()
}

// line writes a line.
func (o *output) line(s string) {
	if o.full = o.full || o.b.Len()+len(o.lead)+len(s)+1 > o.max; o.full {
		return
	}
	if s == "" {
		s = strings.TrimRight(o.lead, " ")
	} else {
		o.b.WriteString(o.lead)
	}
	o.b.WriteString(s)
	o.b.WriteByte('\n')
	o.lead = o.prefix
}

func (o *output) blank() { o.line("") }

// tight reports whether a list can stand without empty lines: each item is a
// block, and lists that are told from it without one.
//
// https://spec.commonmark.org/0.31.2/#tight
func (b *block) tight() bool {
	for i := range b.children {
		children := b.children[i].children
		for k := range children {
			c := &children[k]
			if c.spaced && len(b.children) > 1 || k > 0 && !(k == 1 && c.followsText() && children[0].kind != quote) {
				return false
			}
		}
	}
	return true
}

// followsText reports whether b is a list that may interrupt a paragraph.
//
// https://spec.commonmark.org/0.31.2/#list-items
func (b *block) followsText() bool {
	if b.kind != list || b.ordered && b.number != 1 {
		return false
	}
	first := b.children[0].children
	return len(first) > 0 && (first[0].kind == paragraph || first[0].kind == heading)
}
