package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestHarmless(t *testing.T) {
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
			if got := harmless(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzHarmless(f *testing.F) {
	f.Add("\x1b]0;title\x07\u202Eabc\xff\u009b")
	f.Fuzz(func(t *testing.T, s string) {
		got := harmless(s)
		if strings.IndexFunc(got, unsafe) >= 0 || !utf8.ValidString(got) {
			t.Errorf("harmless(%q) = %q", s, got)
		}
		if harmless(got) != got {
			t.Errorf("harmless(%q) changes when done again", s)
		}
		line, err := marshalLine(s)
		if err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal(line, &back); err != nil || back != string([]rune(s)) {
			t.Errorf("%q came back as %q, %v", s, back, err)
		}
	})
}

func TestMarshalLine(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "a<b>&", `"a<b>&"`},
		{"escape", "\x1b[0m", `"\u001b[0m"`},
		{"C1", "\u009b", `"\u009b"`},
		{"bidi", "\u202E", `"\u202e"`},
		{"beyond the basic plane", "\U000E0041", `"\udb40\udc41"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := marshalLine(tt.in)
			if err != nil || string(got) != tt.want+"\n" {
				t.Errorf("got %s, %v, want %s", got, err, tt.want)
			}
			var back string
			if err := json.Unmarshal(got, &back); err != nil || back != tt.in {
				t.Errorf("came back as %q, %v", back, err)
			}
		})
	}
}

func TestHarmlessWriter(t *testing.T) {
	var out bytes.Buffer
	w := &harmlessWriter{out: &out}
	for _, piece := range []string{"a\x1b", "[0m\nGr\xc3", "\xbc", "ße\n\nend", "\x07"} {
		if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := w.flush(); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "a␛[0m\nGrüße\n\nend␇"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
