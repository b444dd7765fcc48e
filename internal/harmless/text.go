// Package harmless makes text of pages, servers and files fit to be read: on a
// terminal, in a log, in a mail.
package harmless

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns text from a page, a server or a file as one line that a
// terminal or a log can be given: it cannot move the cursor, change colours,
// begin a line of its own, or turn the direction of what stands beside it.
func Text(s string) string {
	if strings.IndexFunc(s, unsafe) < 0 && utf8.ValidString(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case !unsafe(r):
			return r
		case r == '\t' || r == '\n' || r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029:
			return ' '
		case r < ' ':
			return 0x2400 + r // the picture of the control character
		case r == 0x7F:
			return 0x2421
		case r == 0x061C || r == 0x200E || r == 0x200F:
			return -1 // direction marks are invisible and right-to-left text has them for good reason
		default:
			return utf8.RuneError
		}
	}, s)
}

// unsafe tells the characters that Text replaces: controls, line
// separators, bidirectional controls and tag characters, which hide text.
func unsafe(r rune) bool {
	return r < ' ' || r >= 0x7F && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) ||
		r == 0x2028 || r == 0x2029 || r >= 0xFFF9 && r <= 0xFFFB || r >= 0xE0000 && r <= 0xE007F)
}

// JSON returns a JSON text with the characters that Text replaces
// written as escapes, which leaves its meaning as it is.
func JSON(text []byte) []byte {
	if strings.IndexFunc(string(text), func(r rune) bool { return r != '\n' && unsafe(r) }) < 0 {
		return text
	}
	const hex = "0123456789abcdef"
	var out []byte
	for _, r := range string(text) {
		switch {
		case r == '\n' || !unsafe(r):
			out = utf8.AppendRune(out, r)
		case r > 0xFFFF:
			for _, u := range []rune{0xD800 + (r-0x10000)>>10, 0xDC00 + (r-0x10000)&0x3FF} {
				out = append(out, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
			}
		default:
			out = append(out, '\\', 'u', hex[r>>12], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		}
	}
	return out
}

// Lines is Text for text of several lines.
func Lines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Text(lines[i])
	}
	return strings.Join(lines, "\n")
}
