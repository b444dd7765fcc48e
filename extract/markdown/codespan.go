package markdown

import (
	"bytes"
	"strings"
)

// appendCode appends text as a code span, whose signs are longer than any
// run of backticks in it.
//
// https://spec.commonmark.org/0.31.2/#code-spans
func appendCode(dst, text []byte, cell bool) []byte {
	if cell && bytes.IndexByte(text, '|') >= 0 {
		if bytes.IndexByte(text, '\\') >= 0 || bytes.IndexByte(text, '`') >= 0 {
			return appendCodeTag(dst, text, true) // renderers differ in how they read \\| in code
		}
		text = bytes.ReplaceAll(text, []byte("|"), []byte(`\|`))
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return append(dst, text...)
	}
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	pad := ""
	if first, last := text[0], text[len(text)-1]; first == '`' || last == '`' || first == ' ' && last == ' ' {
		pad = " "
	}
	dst = append(dst, fence+pad...)
	dst = append(dst, text...)
	return append(dst, pad+fence...)
}

// appendCodeTag appends text as a code element.
func appendCodeTag(dst, text []byte, cell bool) []byte {
	dst = append(dst, "<code>"...)
	dst = escape(dst, text, place{cell: cell})
	return append(dst, "</code>"...)
}

// longestRun returns how many c stand side by side at most.
func longestRun[S string | []byte](s S, c byte) int {
	longest, n := 0, 0
	for i := range len(s) {
		if n++; s[i] != c {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}
