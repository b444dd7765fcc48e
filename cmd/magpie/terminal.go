package main

import (
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// terminal is what is known of the place that output goes to.
type terminal struct {
	fd     int
	people bool // it is a terminal, not a file or a pipe
	colour bool // it shows colours, and they are not unwanted: https://no-color.org
}

// terminalOf looks at what w writes to.
func terminalOf(w io.Writer) terminal {
	f, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return terminal{}
	}
	return terminal{
		fd:     int(f.Fd()),
		people: true,
		colour: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
	}
}

// width is the terminal's present width in columns; 0 where there is none.
func (t terminal) width() int {
	if !t.people {
		return 0
	}
	if width, _, err := term.GetSize(t.fd); err == nil && width > 0 {
		return width
	}
	return 80
}

// Styles of text, as SGR parameters of ECMA-48.
const (
	bold = "1"
	dim  = "2"
	red  = "31"
)

// style returns s in a style where the terminal shows it.
func (t terminal) style(style, s string) string {
	if !t.colour {
		return s
	}
	return "\x1b[" + style + "m" + s + "\x1b[0m"
}

// harmless returns text from a page, a server or a file as one line that a
// terminal or a log can be given: it cannot move the cursor, change colours,
// begin a line of its own, or turn the direction of what stands beside it.
func harmless(s string) string {
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

// unsafe tells the characters that harmless replaces: controls, line
// separators, bidirectional controls and tag characters, which hide text.
func unsafe(r rune) bool {
	return r < ' ' || r >= 0x7F && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) ||
		r == 0x2028 || r == 0x2029 || r >= 0xFFF9 && r <= 0xFFFB || r >= 0xE0000 && r <= 0xE007F)
}

// harmlessJSON returns a JSON text with the characters that harmless replaces
// written as escapes, which leaves its meaning as it is.
func harmlessJSON(text []byte) []byte {
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
