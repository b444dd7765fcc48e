package loosejson

import (
	"errors"
	"strings"
)

// errReference says that a character reference stands where a token should.
var errReference = errors.New("character reference between tokens")

// marks are what pages put around JSON to hide it from readers of HTML or XML.
var marks = []string{"<![CDATA[", "<!--", "-->", "]]>"}

// wideSpaces are spaces to people, but not to JSON.
var wideSpaces = []string{"\u00a0", "\u2028", "\u2029", "\u200b", "\u3000", "\v", "\f", "\x00"}

// space skips what may stand between tokens.
func (r *reader) space() error {
	for !r.atEnd() {
		switch c := r.src[r.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			r.pos++
		case c == '&':
			return errReference
		case c == '/':
			if !r.comment() {
				return nil
			}
		case c == '<' || c == '-' || c == ']':
			if !r.mark() {
				return nil
			}
		case c < ' ' || c >= 0x80:
			if !r.wideSpace() {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// topSpace skips what may stand before the first value and after each one:
// after one, the closing of what was never opened too.
func (r *reader) topSpace(after bool) error {
	for {
		if err := r.space(); err != nil {
			if after {
				// Escaped text behind a value in plain JSON is no JSON.
				r.repair(repairRest)
				r.pos = len(r.src)
				return nil
			}
			return err
		}
		switch c := r.peek(); {
		case c == ';':
			r.repair(repairSemicolon)
		case after && (c == '}' || c == ']'):
			r.repair(repairClosed)
		case after && c == ',':
			r.repair(repairComma)
		default:
			return nil
		}
		r.pos++
	}
}

// wideSpace skips a space that JSON doesn't know.
func (r *reader) wideSpace() bool {
	rest := r.src[r.pos:]
	if strings.HasPrefix(rest, "\ufeff") {
		r.repair(repairBOM)
		r.pos += len("\ufeff")
		return true
	}
	for _, s := range wideSpaces {
		if strings.HasPrefix(rest, s) {
			r.repair(repairSpace)
			r.pos += len(s)
			return true
		}
	}
	return false
}

// mark skips one of the marks. Within arrays ]] is their end, not a mark's.
func (r *reader) mark() bool {
	for _, m := range marks {
		if strings.HasPrefix(r.src[r.pos:], m) && (m[0] != ']' || r.depth == 0) {
			r.repair(repairCData)
			r.pos += len(m)
			return true
		}
	}
	return false
}

// comment skips a comment. One that only hides a mark from readers of
// JavaScript ends with it.
func (r *reader) comment() bool {
	rest := r.src[r.pos:]
	switch {
	case strings.HasPrefix(rest, "//"):
		hidden := strings.TrimLeft(rest[2:], " \t")
		for _, m := range marks {
			if strings.HasPrefix(hidden, m) {
				r.repair(repairCData)
				r.pos = len(r.src) - len(hidden) + len(m)
				return true
			}
		}
		r.repair(repairComment)
		if i := strings.IndexByte(rest, '\n'); i >= 0 {
			r.pos += i
		} else {
			r.pos = len(r.src)
		}
		return true
	case strings.HasPrefix(rest, "/*"):
		r.repair(repairComment)
		if i := strings.Index(rest[2:], "*/"); i >= 0 {
			r.pos += i + 4
		} else {
			r.pos = len(r.src)
		}
		return true
	}
	return false
}
