package markdown

import "unicode/utf8"

// place is where text stands, which says what has to be escaped.
type place struct {
	lineStart bool // the text begins a line of a paragraph
	cell      bool // in a cell of a table
	linked    bool // in the text of a link or an image
}

// special tells the bytes that may need a backslash.
var special = func() (t [256]bool) {
	for _, c := range []byte("\\`*_[]<&~|:@.\x00") {
		t[c] = true
	}
	return t
}()

// escape appends s so that a renderer shows s.
//
// https://spec.commonmark.org/0.31.2/#backslash-escapes
func escape(dst, s []byte, p place) []byte {
	i := 0
	if p.lineStart {
		dst, i = escapeStart(dst, s)
	}
	for i < len(s) {
		plain := i
		for i < len(s) && !special[s[i]] {
			i++
		}
		if dst = append(dst, s[plain:i]...); i == len(s) {
			break
		}
		if s[i] == '_' {
			dst, i = escapeUnderscores(dst, s, i)
			continue
		}
		switch {
		case s[i] == 0:
			dst = append(dst, "\uFFFD"...)
		case needsEscape(s, i, p):
			dst = append(dst, '\\', s[i])
		default:
			dst = append(dst, s[i])
		}
		i++
	}
	return dst
}

// needsEscape tells whether a special byte means something where it stands.
func needsEscape(s []byte, i int, p place) bool {
	switch s[i] {
	case '\\', '`', '[', ']', '~':
		return true
	case '*':
		return i == 0 || i+1 == len(s) || s[i-1] != ' ' || s[i+1] != ' '
	case '<':
		return i+1 == len(s) || isAlnum(s[i+1]) || s[i+1] == '/' || s[i+1] == '!' || s[i+1] == '?'
	case '&':
		return beginsReference(s[i+1:])
	case '|':
		return p.cell
	}
	return !p.linked && beginsAutolink(s, i)
}

// beginsReference reports whether s would be a character reference behind "&".
//
// https://spec.commonmark.org/0.31.2/#entity-and-numeric-character-references
func beginsReference(s []byte) bool {
	const longest = 40
	for i := 0; i < len(s) && i < longest; i++ {
		switch c := s[i]; {
		case c == ';':
			return i > 0
		case !isAlnum(c) && (c != '#' || i > 0):
			return false
		}
	}
	return false
}

// beginsAutolink reports whether a ":", "." or "@" could make a bare address
// a link.
//
// https://github.github.com/gfm/#autolinks-extension-
func beginsAutolink(s []byte, i int) bool {
	switch s[i] {
	case ':':
		return i > 0 && i+2 < len(s) && s[i+1] == '/' && s[i+2] == '/' && isAlnum(s[i-1])
	case '@':
		return i > 0 && i+1 < len(s) && isAlnum(s[i+1]) && s[i-1] != ' '
	}
	return i >= 3 && s[i-1]|0x20 == 'w' && s[i-2]|0x20 == 'w' && s[i-3]|0x20 == 'w' &&
		(i == 3 || !isAlnum(s[i-4]) && s[i-4] != '/')
}

// escapeUnderscores appends a run of underscores, plain if it is within a word.
func escapeUnderscores(dst, s []byte, i int) ([]byte, int) {
	end := i
	for end < len(s) && s[end] == '_' {
		end++
	}
	plain := i > 0 && end < len(s) && isAlnum(s[i-1]) && isAlnum(s[end])
	for range end - i {
		if !plain {
			dst = append(dst, '\\')
		}
		dst = append(dst, '_')
	}
	return dst, end
}

// escapeStart appends the beginning of a line, so that it begins no block,
// and returns how much of s that is.
func escapeStart(dst, s []byte) ([]byte, int) {
	n := 0
	switch s[0] {
	case '>', '|':
		n = 1
	case '-':
		n = followed(s, 1, "-|:")
	case '+':
		n = followed(s, 1, "")
	case '=':
		n = followed(s, 1, "=")
	case ':':
		if len(s) > 1 && s[1] == '-' {
			n = 1
		}
	case '#':
		n = followed(s, 1, "#")
	default:
		return escapeNumber(dst, s)
	}
	if n == 0 {
		return dst, 0
	}
	return append(dst, '\\', s[0]), 1
}

// followed returns 1 if s ends at i, or goes on there with a space or one of
// the bytes.
func followed(s []byte, i int, bytes string) int {
	if i == len(s) || isSpace(s[i]) {
		return 1
	}
	for j := range len(bytes) {
		if s[i] == bytes[j] {
			return 1
		}
	}
	return 0
}

// escapeNumber appends what would be the number of an item.
func escapeNumber(dst, s []byte) ([]byte, int) {
	const most = 9 // digits
	i := 0
	for i < len(s) && i <= most && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	if i == 0 || i > most || i == len(s) || s[i] != '.' && s[i] != ')' || followed(s, i+1, "") == 0 {
		return dst, 0
	}
	dst = append(dst, s[:i]...)
	return append(dst, '\\', s[i]), i + 1
}

// firstRune and lastRune are what the signs of emphasis look at.
func firstRune(s []byte) rune {
	r, _ := utf8.DecodeRune(s)
	return r
}

func lastRune(s []byte) rune {
	r, _ := utf8.DecodeLastRune(s)
	return r
}
