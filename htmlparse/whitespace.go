package htmlparse

import "strings"

// leadingWhitespace counts the whitespace characters that s begins with.
func leadingWhitespace(s string) int { return whitespaceClass.while(s, 0) }

// dropLeadingWhitespace takes the whitespace off the start of a character token, and says whether
// nothing is left of it.
func (b *treeBuilder) dropLeadingWhitespace(t *Token) bool {
	b.cut(t, leadingWhitespace(t.Data))
	return t.Data == ""
}

// insertLeadingWhitespace inserts the whitespace that a character token begins with and says whether nothing is
// left of it.
func (b *treeBuilder) insertLeadingWhitespace(t *Token) bool {
	n := leadingWhitespace(t.Data)
	if n == 0 {
		return false
	}
	space := b.split(t, n)
	b.insertCharacters(&space)
	return t.Data == ""
}

// insertWhitespaceOnly inserts the whitespace of a character token that has no place for the rest, which is an error of
// the given code.
func (b *treeBuilder) insertWhitespaceOnly(t *Token, code string) {
	space := whitespaceOnly(t.Data)
	if len(space) < len(t.Data) {
		b.parseError(code)
	}
	b.insertText(t, space)
}

// split takes the first n bytes of characters, which are whitespace, off a token as a token of their own.
func (b *treeBuilder) split(t *Token, n int) Token {
	first := *t
	b.cut(t, n)
	first.Data = first.Data[:n]
	first.end = t.start
	return first
}

// cut takes n bytes of whitespace off the start of a character token.
func (b *treeBuilder) cut(t *Token, n int) {
	if t.verbatim {
		t.start += n
	} else {
		t.start = sourceEnd(b.tokenizer.src, t.start, t.end, n)
	}
	t.Data = t.Data[n:]
}

// sourceEnd finds where n whitespace characters that begin at start in the source end: each stands there as itself,
// as CR LF, or as a character reference. The tokenizer drops </> among them.
func sourceEnd(src string, start, end, n int) int {
	i := start
	for ; n > 0 && i < end; n-- {
		for strings.HasPrefix(src[i:end], "</>") {
			i += len("</>")
		}
		switch {
		case src[i] == '&':
			i = referenceEnd(src[:end], i)
		case src[i] == '\r' && i+1 < end && src[i+1] == '\n':
			i += 2
		default:
			i++
		}
	}
	return i
}

// referenceEnd finds where the character reference of a whitespace character that begins at an offset ends. Those with a
// name end in a semicolon.
func referenceEnd(src string, at int) int {
	i := at + len("&")
	if i < len(src) && src[i] == '#' {
		i++
		base := rune(10)
		if i < len(src) && src[i]|0x20 == 'x' {
			i++
			base = 16
		}
		for i < len(src) && digit(src[i]) < base {
			i++
		}
	} else {
		i = alphanumericClass.while(src, i)
	}
	if i < len(src) && src[i] == ';' {
		i++
	}
	return i
}

// whitespaceOnly gives the whitespace characters of s alone.
func whitespaceOnly(s string) string {
	if leadingWhitespace(s) == len(s) {
		return s
	}
	space := make([]byte, 0, len(s))
	for i := range len(s) {
		if isASCIIWhitespace(s[i]) {
			space = append(space, s[i])
		}
	}
	return string(space)
}
