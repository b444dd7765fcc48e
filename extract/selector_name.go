package extract

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// readIdentifier reads the identifier that begins at i, and where it ends.
//
// https://drafts.csswg.org/css-syntax-3/#consume-name
func readIdentifier(s string, i int) (name string, end int, err error) {
	first := i
	if first < len(s) && s[first] == '-' {
		first++
	}
	if first < len(s) && isDigit(s[first]) {
		r, _ := utf8.DecodeRuneInString(s[first:])
		return "", 0, fmt.Errorf("a name can't begin with a figure: write %s\\%x %s", s[i:first], r, s[first+1:])
	}
	if name, end, err = readName(s, i); err == nil && name == "-" && end == i+1 {
		err = errors.New(`"-" is no name`)
	}
	return name, end, err
}

// readName is readIdentifier for names that may begin with any of their
// letters, as an ID does.
func readName(s string, i int) (name string, end int, err error) {
	var b strings.Builder
	for i < len(s) {
		start := i
		for i < len(s) && isNameByte(s[i]) {
			i++
		}
		b.WriteString(s[start:i])
		if i == len(s) || s[i] != '\\' {
			break
		}
		if i+1 == len(s) || isLineEnd(s[i+1]) {
			return "", 0, fmt.Errorf("the escape in %q is not complete", s)
		}
		i = writeEscape(&b, s, i)
	}
	switch {
	case b.Len() > 0:
		return b.String(), i, nil
	case i < len(s):
		r, _ := utf8.DecodeRuneInString(s[i:])
		return "", 0, fmt.Errorf("%q: a name is missing before %q", s, r)
	}
	return "", 0, fmt.Errorf("%q: a name is missing at its end", s)
}

// readString reads what stands in the quotes that begin at i, and where they
// end.
//
// https://drafts.csswg.org/css-syntax-3/#consume-string-token
func readString(s string, i int) (text string, end int, err error) {
	end, err = unit(s, i)
	if err != nil {
		return "", 0, err
	}
	var b strings.Builder
	for i++; i < end-1; {
		switch {
		case s[i] != '\\':
			b.WriteByte(s[i])
			i++
		case isLineEnd(s[i+1]): // goes on in the next line
			i += 2
		default:
			i = writeEscape(&b, s, i)
		}
	}
	return b.String(), end, nil
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' || c == '\f' }

// writeEscape writes what the escape at i stands for and returns where it
// ends.
//
// https://drafts.csswg.org/css-syntax-3/#consume-escaped-code-point
func writeEscape(b *strings.Builder, s string, i int) (end int) {
	end = escapeEnd(s, i)
	digits := strings.TrimRight(s[i+1:end], asciiWhitespace)
	if v, err := strconv.ParseUint(digits, 16, 32); err == nil && isHex(s[i+1]) {
		if v == 0 || v > utf8.MaxRune {
			v = utf8.RuneError
		}
		b.WriteRune(rune(v)) // a surrogate becomes U+FFFD too
		return end
	}
	b.WriteString(s[i+1 : end])
	return end
}

// escapeEnd returns where the escape at i ends: behind a character, or behind
// up to six hexadecimal digits and a space.
func escapeEnd(s string, i int) int {
	i++
	if i == len(s) || !isHex(s[i]) {
		_, size := utf8.DecodeRuneInString(s[i:])
		return i + size
	}
	for n := 0; n < 6 && i < len(s) && isHex(s[i]); n++ {
		i++
	}
	if i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }
