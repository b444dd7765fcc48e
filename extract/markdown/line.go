package markdown

import (
	"bytes"
	"slices"
	"unicode"
)

// mark is a set of the inline formats that text stands in.
type mark uint8

const (
	strong mark = 1 << iota
	emphasis
	deleted
	superscript
	subscript
	codeSpan
)

// format is all the inline formats of a run.
type format struct {
	marks mark
	link  *link
}

// and is what two formats have in common: the format of what stands between.
func (f format) and(g format) format {
	f.marks &= g.marks
	if f.link != g.link {
		f.link = nil
	}
	return f
}

// link is where a link leads. Two links are never the same.
type link struct{ url, title string }

type image struct{ url, alt, title string }

type runKind uint8

const (
	textRun runKind = iota
	breakRun
	imageRun
)

// run is a piece of a line in one format.
type run struct {
	kind       runKind
	format     format
	start, end int // of its text in the line's buffer
	image      *image
}

// line collects the inline content of a paragraph, whitespace collapsed as
// by white-space: normal. Whitespace waits until text follows, and then has
// the formats of both sides only, so that it is never at the edge of a mark.
//
// https://drafts.csswg.org/css-text/#white-space-phase-1
type line struct {
	buf    []byte
	runs   []run
	space  bool   // a space waits for text
	breaks int    // line breaks that wait for text
	apart  format // what is common to all that waits
}

func (l *line) reset() {
	l.buf, l.runs = l.buf[:0], l.runs[:0]
	l.space, l.breaks = false, 0
}

// waitSpace notes whitespace in format f.
func (l *line) waitSpace(f format) {
	if len(l.runs) > 0 && l.breaks == 0 {
		if l.space {
			f = f.and(l.apart)
		}
		l.space, l.apart = true, f
	}
}

// waitBreak notes a line break; those before all text are dropped.
func (l *line) waitBreak(f format) {
	if l.space = false; len(l.runs) > 0 {
		if l.breaks > 0 {
			f = f.and(l.apart)
		}
		l.breaks++
		l.apart = f
	}
}

// settle writes what waits before a run of format f.
func (l *line) settle(f format) {
	if len(l.runs) > 0 && (l.space || l.breaks > 0) {
		between := l.runs[len(l.runs)-1].format.and(f).and(l.apart)
		if l.breaks > 0 {
			between.marks &^= codeSpan
			for range min(l.breaks, 2) {
				l.runs = append(l.runs, run{kind: breakRun, format: between})
			}
		} else {
			l.put(" ", between)
		}
	}
	l.space, l.breaks = false, 0
}

// put appends text to the last run, or to one of its own.
func (l *line) put(s string, f format) {
	start := len(l.buf)
	l.buf = append(l.buf, s...)
	if i := len(l.runs) - 1; i >= 0 && l.runs[i].kind == textRun && l.runs[i].format == f {
		l.runs[i].end = len(l.buf)
		return
	}
	l.runs = append(l.runs, run{kind: textRun, format: f, start: start, end: len(l.buf)})
}

// literal adds text whose whitespace counts.
func (l *line) literal(s string, f format) {
	if s != "" {
		l.settle(f)
		l.put(s, f)
	}
}

// collapsed adds text with each run of whitespace as one space. Line feeds
// are breaks where lines says so.
func (l *line) collapsed(s string, f format, lines bool) {
	for s != "" {
		words := 0
		for words < len(s) && !isSpace(s[words]) {
			words++
		}
		if words > 0 {
			l.settle(f)
			l.put(s[:words], f)
			s = s[words:]
		}
		for s != "" && isSpace(s[0]) {
			if lines && s[0] == '\n' {
				l.waitBreak(f)
			} else {
				l.waitSpace(f)
			}
			s = s[1:]
		}
	}
}

// picture adds an image, which stands in no code.
func (l *line) picture(i *image, f format) {
	f.marks &^= codeSpan
	l.settle(f)
	l.runs = append(l.runs, run{kind: imageRun, format: f, image: i})
}

// isSpace tells ASCII whitespace: https://infra.spec.whatwg.org/#ascii-whitespace
func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r'
}

// spread gives whitespace that does not collapse, such as no-break spaces, at
// the edges of runs the formats of both sides only, and drops it at the ends
// of the line.
func (l *line) spread() {
	if !slices.ContainsFunc(l.runs, l.spaced) {
		return
	}
	runs := make([]run, 0, len(l.runs)+8)
	for _, r := range l.runs {
		if !l.spaced(r) {
			runs = append(runs, r)
			continue
		}
		text := l.buf[r.start:r.end]
		from := r.start + len(text) - len(bytes.TrimLeftFunc(text, unicode.IsSpace))
		to := max(from, r.start+len(bytes.TrimRightFunc(text, unicode.IsSpace)))
		space, rest := r, r
		space.end, r.start, r.end, rest.start = from, from, to, to
		for _, part := range []run{space, r, rest} {
			if part.start < part.end {
				runs = append(runs, part)
			}
		}
	}
	l.runs = l.meet(runs)
}

// spaced reports whether a run has whitespace at an edge. That of code counts.
func (l *line) spaced(r run) bool {
	text := l.buf[r.start:r.end]
	switch {
	case r.kind != textRun:
		return false
	case r.format.marks&codeSpan != 0:
		return l.blank(r)
	}
	return unicode.IsSpace(firstRune(text)) || unicode.IsSpace(lastRune(text))
}

// blank reports whether a run is whitespace only.
func (l *line) blank(r run) bool {
	return r.kind == breakRun || r.kind == textRun && len(bytes.TrimSpace(l.buf[r.start:r.end])) == 0
}

// meet gives runs of whitespace the format that the text on both sides has.
func (l *line) meet(runs []run) []run {
	for len(runs) > 0 && l.blank(runs[0]) {
		runs = runs[1:]
	}
	for len(runs) > 0 && l.blank(runs[len(runs)-1]) {
		runs = runs[:len(runs)-1]
	}
	for i := 0; i < len(runs); i++ {
		from := i
		for l.blank(runs[i]) {
			i++
		}
		if from < i {
			between := runs[from-1].format.and(runs[i].format)
			between.marks &^= codeSpan
			for k := from; k < i; k++ {
				runs[k].format = runs[k].format.and(between)
			}
		}
	}
	return runs
}
