package htmlparse

import (
	"strings"
	"testing"
)

// escapedPlainly escapes as the standard's steps say, one after the other.
// https://html.spec.whatwg.org/multipage/parsing.html#escapingString
func escapedPlainly(s string, attribute bool) string {
	s = strings.ReplaceAll(s, "&", "&amp;")
	s = strings.ReplaceAll(s, "\u00A0", "&nbsp;")
	s = strings.ReplaceAll(s, "<", "&lt;")
	s = strings.ReplaceAll(s, ">", "&gt;")
	if attribute {
		s = strings.ReplaceAll(s, `"`, "&quot;")
	}
	return s
}

func escaped(s string, e *escapes) string {
	var b strings.Builder
	l := newLimitedWriter(&b, 0)
	l.escape(e, s)
	_ = l.close() // a strings.Builder has no errors
	return b.String()
}

func checkEscapes(t *testing.T, s string) {
	t.Helper()
	if got, want := escaped(s, &textEscapes), escapedPlainly(s, false); got != want {
		t.Errorf("text %q: %q, want %q", s, got, want)
	}
	if got, want := escaped(s, &attributeEscapes), escapedPlainly(s, true); got != want {
		t.Errorf("attribute %q: %q, want %q", s, got, want)
	}
}

func TestEscape(t *testing.T) {
	for _, piece := range []string{"&", "<", ">", `"`, "\u00A0", "\u00A1", "\xC2", "\xC2<", "'", "%", "=", "é", "漢", "&&", "&'&'", "<=>", "\x00\x01"} {
		t.Run(piece, func(t *testing.T) {
			for before := range 20 {
				for after := range 20 {
					checkEscapes(t, strings.Repeat("a", before)+piece+strings.Repeat("'", after))
				}
			}
		})
	}
}

func FuzzEscape(f *testing.F) {
	f.Add("a & b < c > d \" e \u00A0 f \xC2", 3)
	f.Fuzz(func(t *testing.T, s string, repeat int) {
		checkEscapes(t, strings.Repeat(s, 1+max(0, repeat)%100))
	})
}
