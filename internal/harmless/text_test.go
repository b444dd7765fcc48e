package harmless

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "Grüße, 漢字 👩‍👩‍👧", "Grüße, 漢字 👩‍👩‍👧"},
		{"line breaks and tabs", "a\nb\r\nc\td", "a b  c d"},
		{"other line separators", "a\u0085b\u2028c\u2029d", "a b c d"},
		{"escape sequence", "\x1b[31mred", "␛[31mred"},
		{"controls", "a\x00b\x07c\x7f", "a␀b␇c␡"},
		{"C1 control sequence introducer", "\u009b31m", "\uFFFD31m"},
		{"bidi override", "a\u202Eb\u202C", "a\uFFFDb\uFFFD"},
		{"bidi isolate", "\u2066a\u2069", "\uFFFDa\uFFFD"},
		{"direction marks", "\u200Fשלום\u200E", "שלום"},
		{"tag characters", "a\U000E0041", "a\uFFFD"},
		{"not UTF-8", "a\xffb", "a\uFFFDb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Text(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzText(f *testing.F) {
	f.Add("\x1b]0;title\x07\u202Eabc\xff\u009b")
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if strings.IndexFunc(got, unsafe) >= 0 || !utf8.ValidString(got) {
			t.Errorf("Text(%q) = %q", s, got)
		}
		if Text(got) != got {
			t.Errorf("Text(%q) changes when done again", s)
		}
		line, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal(JSON(line), &back); err != nil || back != string([]rune(s)) {
			t.Errorf("%q came back as %q, %v", s, back, err)
		}
	})
}

func TestWriter(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	for _, piece := range []string{"a\x1b", "[0m\nGr\xc3", "\xbc", "ße\n\nend", "\x07"} {
		if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "a␛[0m\nGrüße\n\nend␇"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
