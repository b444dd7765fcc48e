package loosejson

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// quoted reads a string that quote begins and ends.
//
// https://www.rfc-editor.org/rfc/rfc8259#section-7
func (r *reader) quoted(quote byte) string {
	if quote == '\'' {
		r.repair(repairSingle)
	}
	r.pos++
	start := r.pos
	for !r.atEnd() {
		c := r.src[r.pos]
		if c == quote {
			s := strings.Clone(r.src[start:r.pos])
			r.pos++
			return s
		}
		if c == '\\' || c < ' ' || c >= utf8.RuneSelf {
			break
		}
		r.pos++
	}
	var b strings.Builder
	b.WriteString(r.src[start:r.pos])
	for !r.atEnd() {
		switch c := r.src[r.pos]; {
		case c == quote:
			r.pos++
			return b.String()
		case c == '\\':
			r.escape(&b)
		case c < utf8.RuneSelf:
			if c < ' ' {
				r.repair(repairControl)
			}
			b.WriteByte(c)
			r.pos++
		default:
			c, size := utf8.DecodeRuneInString(r.src[r.pos:])
			b.WriteRune(c) // U+FFFD where the bytes are none
			r.pos += size
		}
	}
	r.repair(repairCut)
	return b.String()
}

// plainEscapes are the escapes of one letter and what they stand for.
var plainEscapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\\': '\\', '/': '/'}

// escape reads an escape sequence. One that JSON doesn't know is read as
// JavaScript does: it stands for what is behind the backslash.
func (r *reader) escape(b *strings.Builder) {
	r.pos++
	c := r.peek()
	if plain, ok := plainEscapes[c]; ok {
		b.WriteByte(plain)
		r.pos++
		return
	}
	if c == 'u' {
		if u, ok := r.hex(r.pos+1, 4); ok {
			r.pos += 5
			b.WriteRune(r.surrogate(u))
			return
		}
	}
	if r.atEnd() {
		return // quoted says that the text is cut off
	}
	r.repair(repairEscape)
	if c == 'x' {
		if u, ok := r.hex(r.pos+1, 2); ok {
			r.pos += 3
			b.WriteRune(u)
			return
		}
	}
	plain, size := utf8.DecodeRuneInString(r.src[r.pos:])
	if plain != '\n' { // there a line goes on
		b.WriteRune(plain)
	}
	r.pos += size
}

// hex reads n hexadecimal digits at pos.
func (r *reader) hex(pos, n int) (rune, bool) {
	if pos+n > len(r.src) {
		return 0, false
	}
	digits := r.src[pos : pos+n]
	if strings.ContainsAny(digits, "+-_") {
		return 0, false
	}
	u, err := strconv.ParseUint(digits, 16, 32)
	return rune(u), err == nil
}

// surrogate joins the first half of a pair with the second one that may
// follow. A half alone is U+FFFD.
func (r *reader) surrogate(u rune) rune {
	if !utf16.IsSurrogate(u) {
		return u
	}
	if strings.HasPrefix(r.src[r.pos:], `\u`) {
		if low, ok := r.hex(r.pos+2, 4); ok {
			if joined := utf16.DecodeRune(u, low); joined != utf8.RuneError {
				r.pos += 6
				return joined
			}
		}
	}
	return utf8.RuneError
}
