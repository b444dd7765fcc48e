package markdown

import (
	"bytes"
	"slices"
)

type opKind uint8

const (
	opText opKind = iota // also the signs of links and inline HTML
	opOpen               // signs of strong, emphasis or deleted
	opClose
	opLink // the bracket that opens a link
)

// op is a piece of an inline text: its content, or signs that are chosen when
// all of the text is known.
type op struct {
	kind       opKind
	html       bool // signs: written as tags
	mark       mark
	pair       int // signs: the op that closes or opens
	start, end int // content: in the writer's buffer
}

// inlineWriter writes the runs of a line.
type inlineWriter struct {
	cell, heading bool
	buf           []byte
	ops           []op
	stack         []opened
	ends          [][len(formats)]int
}

// opened is a format that is open.
type opened struct {
	format int // index into formats
	op     int // that opened it
}

// formats are the formats that enclose runs. Code is none: nothing but text
// is in it.
var formats = [...]mark{0 /* link */, strong, emphasis, deleted, superscript, subscript}

// has reports whether a run is in a format.
func (r *run) has(f int) bool {
	if f == 0 {
		return r.format.link != nil
	}
	return r.format.marks&formats[f] != 0
}

// goesOn reports whether r, right behind before, is in the same format.
func (r *run) goesOn(before *run, f int) bool {
	if f == 0 {
		return r.has(0) && r.format.link == before.format.link
	}
	return r.has(f) && before.has(f)
}

// inline returns the open line as Markdown.
func (w *walker) inline() string {
	runs := w.line.runs
	if len(runs) == 1 && runs[0].kind == textRun && runs[0].format == (format{}) {
		text := escape(nil, w.line.buf[runs[0].start:runs[0].end], place{lineStart: !w.cell && w.heading == 0, cell: w.cell})
		return w.asHeading(text)
	}
	i := &w.writer
	i.cell, i.heading = w.cell, w.heading > 0
	i.buf, i.ops, i.stack = i.buf[:0], i.ops[:0], i.stack[:0]
	i.measure(runs)
	for at := range runs {
		i.close(runs, at)
		i.open(runs, at)
		i.content(&runs[at], w.line.buf)
	}
	i.closeTo(0, runs[len(runs)-1].format.link)
	i.chooseSigns()
	return w.asHeading(i.assemble())
}

// asHeading escapes a "#" at the end of a heading, which would close it.
//
// https://spec.commonmark.org/0.31.2/#atx-headings
func (w *walker) asHeading(text []byte) string {
	if i := len(text) - 1; w.heading > 0 && i >= 0 && text[i] == '#' {
		text = append(text[:i], `\#`...)
	}
	return string(text)
}

// measure finds for each run where each of its formats ends.
func (i *inlineWriter) measure(runs []run) {
	i.ends = slices.Grow(i.ends[:0], len(runs))[:len(runs)]
	clear(i.ends)
	for at := len(runs) - 1; at >= 0; at-- {
		for f := range formats {
			switch {
			case !runs[at].has(f):
			case at+1 < len(runs) && runs[at+1].goesOn(&runs[at], f):
				i.ends[at][f] = i.ends[at+1][f]
			default:
				i.ends[at][f] = at + 1
			}
		}
	}
}

// close ends the formats that don't go on in a run, and those opened within
// them; also those that end before a link that begins, since a link can't be
// cut in two.
func (i *inlineWriter) close(runs []run, at int) {
	if at == 0 {
		return
	}
	keep := 0
	for keep < len(i.stack) && runs[at].goesOn(&runs[at-1], i.stack[keep].format) {
		keep++
	}
	if runs[at].has(0) && !runs[at].goesOn(&runs[at-1], 0) {
		for k := range keep {
			if i.ends[at][i.stack[k].format] < i.ends[at][0] {
				keep = k
				break
			}
		}
	}
	i.closeTo(keep, runs[at-1].format.link)
}

// closeTo ends all but the outermost open formats. l is the link that is open.
func (i *inlineWriter) closeTo(keep int, l *link) {
	for len(i.stack) > keep {
		top := i.stack[len(i.stack)-1]
		i.stack = i.stack[:len(i.stack)-1]
		switch m := formats[top.format]; m {
		case 0:
			start := len(i.buf)
			i.buf = append(i.buf, ']')
			i.buf = i.destination(i.buf, l.url, l.title)
			i.ops = append(i.ops, op{start: start, end: len(i.buf)})
		case superscript, subscript:
			i.text(closingTag(m))
		default:
			i.ops[top.op].pair = len(i.ops)
			i.ops = append(i.ops, op{kind: opClose, mark: m, pair: top.op})
		}
	}
}

// open begins the formats of a run that are not open, first what lasts longest.
func (i *inlineWriter) open(runs []run, at int) {
	var is [len(formats)]bool
	for _, o := range i.stack {
		is[o.format] = true
	}
	before := len(i.stack)
	for f := range formats {
		if runs[at].has(f) && !is[f] {
			i.stack = append(i.stack, opened{format: f})
		}
	}
	begun := i.stack[before:]
	slices.SortStableFunc(begun, func(a, b opened) int { return i.ends[at][b.format] - i.ends[at][a.format] })
	for k := range begun {
		begun[k].op = len(i.ops)
		switch m := formats[begun[k].format]; m {
		case 0:
			i.text("[")
			i.ops[len(i.ops)-1].kind = opLink
		case superscript, subscript:
			i.text(openingTag(m))
		default:
			i.ops = append(i.ops, op{kind: opOpen, mark: m})
		}
	}
}

// text appends content that needs no escape.
func (i *inlineWriter) text(s string) {
	start := len(i.buf)
	i.buf = append(i.buf, s...)
	i.ops = append(i.ops, op{start: start, end: len(i.buf)})
}

// content appends what a run holds.
func (i *inlineWriter) content(r *run, text []byte) {
	start := len(i.buf)
	switch {
	case r.kind == breakRun && (i.cell || i.heading):
		i.buf = append(i.buf, "<br>"...)
	case r.kind == breakRun && bytes.HasSuffix(i.buf, []byte{'\\'}):
		i.buf = append(i.buf, "  \n"...) // some renderers count backslashes wrong
	case r.kind == breakRun:
		i.buf = append(i.buf, "\\\n"...)
	case r.kind == imageRun:
		i.buf = append(i.buf, "!["...)
		i.buf = escape(i.buf, []byte(r.image.alt), place{cell: i.cell, linked: true})
		i.buf = append(i.buf, ']')
		i.buf = i.destination(i.buf, r.image.url, r.image.title)
	case r.format.marks&codeSpan != 0 && i.misread(r, text[r.start:r.end]):
		i.buf = appendCodeTag(i.buf, text[r.start:r.end], i.cell)
	case r.format.marks&codeSpan != 0:
		i.buf = appendCode(i.buf, text[r.start:r.end], i.cell)
	default:
		p := place{cell: i.cell, linked: r.format.link != nil, lineStart: !i.cell && !i.heading && i.atLineStart()}
		i.buf = escape(i.buf, text[r.start:r.end], p)
	}
	i.ops = append(i.ops, op{start: start, end: len(i.buf)})
}

func (i *inlineWriter) atLineStart() bool {
	if len(i.ops) == 0 {
		return true
	}
	last := i.ops[len(i.ops)-1]
	return last.kind == opText && last.end > last.start && i.buf[last.end-1] == '\n'
}

// misread reports whether a renderer could take the signs of a code span for
// text: in a link that begins as the definition of one does, and in some that
// look for e-mail addresses first.
//
// https://spec.commonmark.org/0.31.2/#link-reference-definition
func (i *inlineWriter) misread(r *run, code []byte) bool {
	return r.format.link != nil && bytes.Contains(code, []byte("]:")) || bytes.IndexByte(code, '@') >= 0 && i.afterText()
}

// afterText reports whether the last thing written, signs left out, is text
// that ends with no space.
func (i *inlineWriter) afterText() bool {
	r, _ := i.beside(len(i.ops), -1)
	return !isSpaceRune(r)
}

// assemble joins the pieces.
func (i *inlineWriter) assemble() []byte {
	out := make([]byte, 0, len(i.buf)+2*len(i.ops))
	for _, o := range i.ops {
		switch {
		case o.kind == opText:
			out = append(out, i.buf[o.start:o.end]...)
		case o.kind == opLink:
			if bytes.HasSuffix(out, []byte("!")) {
				out = append(out[:len(out)-1], `\!`...) // no image
			}
			out = append(out, '[')
		case o.html && o.kind == opOpen:
			out = append(out, openingTag(o.mark)...)
		case o.html:
			out = append(out, closingTag(o.mark)...)
		default:
			out = append(out, sign(o.mark)...)
		}
	}
	return out
}

func sign(m mark) string {
	switch m {
	case strong:
		return "**"
	case deleted:
		return "~~"
	}
	return "*"
}

func openingTag(m mark) string { return "<" + tagName(m) + ">" }
func closingTag(m mark) string { return "</" + tagName(m) + ">" }

func tagName(m mark) string {
	switch m {
	case strong:
		return "strong"
	case deleted:
		return "del"
	case superscript:
		return "sup"
	case subscript:
		return "sub"
	}
	return "em"
}
