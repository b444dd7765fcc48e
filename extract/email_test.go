package extract

import (
	"net/mail"
	"strings"
	"testing"
)

func TestEmail(t *testing.T) {
	check(t, "email", func(f found) (string, error) { return parseEmail(f.text) })
}

func TestEmailTooLong(t *testing.T) {
	for _, s := range []string{strings.Repeat("a", 65) + "@example.com", "jane@" + strings.Repeat("a.", 130) + "com", "jane@" + strings.Repeat("a", 64) + ".com", strings.Repeat("@", longestWriting+1)} {
		if got, err := parseEmail(s); err == nil {
			t.Errorf("got %s", got)
		}
	}
}

// FuzzEmail checks that every address read is one of RFC 5322, and is read as
// itself.
func FuzzEmail(f *testing.F) {
	for _, c := range textCases(f, "email") {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseEmail(text)
		if err != nil {
			return
		}
		if a, err := mail.ParseAddress(got); err != nil || a.Address != got {
			t.Fatalf("%q: %q, %v", text, got, err)
		}
		if again, err := parseEmail(got); err != nil || again != got {
			t.Fatalf("%q: %q became %q, %v", text, got, again, err)
		}
	})
}
