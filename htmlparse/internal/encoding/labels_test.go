package encoding

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"
)

func TestEveryEncodingHasADecoder(t *testing.T) {
	if decoders := 1 + len(singleByte) + len(multiByte); len(labels) != decoders {
		t.Errorf("%d encodings have labels, %d decoders", len(labels), decoders)
	}
	for _, row := range labels {
		name, _, _ := strings.Cut(row, " ")
		t.Run(name, func(t *testing.T) {
			if got, ok := Get(name); !ok || got != name {
				t.Errorf("Get(%q) = %q, %v: a name is its own label", name, got, ok)
			}
			if got, err := Decode([]byte("<p>"), name); err != nil {
				t.Error(err)
			} else if got != "<p>" && name != "replacement" && !strings.HasPrefix(name, "UTF-16") {
				t.Errorf("Decode(<p>) = %q", got)
			}
		})
	}
}

// x/text has the standard's labels too, with names in lower case.
func TestLabelsAgainstHTMLIndex(t *testing.T) {
	const inTheStandard = 228
	if len(nameOf) != inTheStandard {
		t.Errorf("%d labels, the standard has %d", len(nameOf), inTheStandard)
	}
	for label, name := range nameOf {
		e, err := htmlindex.Get(label)
		if err != nil {
			t.Errorf("%s: %v", label, err)
			continue
		}
		if got, _ := htmlindex.Name(e); got != strings.ToLower(name) {
			t.Errorf("%s: htmlindex says %s, we say %s", label, got, name)
		}
	}
}

func TestGet(t *testing.T) {
	tests := []struct{ label, want string }{
		{"latin1", "windows-1252"},
		{" \t\n\f\rUTF8 ", "UTF-8"},
		{"\vutf-8", ""},
		{"\u00a0utf-8", ""},
		{"\u212Aoi8-r", ""}, // Kelvin sign
		{"utf-7", ""},
		{"utf-32", ""},
		{"cesu-8", ""},
		{"", ""},
		{"iso-2022-kr", "replacement"},
		{"utf-16", "UTF-16LE"},
		{"ISO-8859-8-I", "ISO-8859-8-I"},
		{"X-User-Defined", "x-user-defined"},
	}
	for _, tt := range tests {
		t.Run(tt.label, func(t *testing.T) {
			if got, ok := Get(tt.label); got != tt.want || ok != (tt.want != "") {
				t.Errorf("Get(%q) = %q, %v, want %q", tt.label, got, ok, tt.want)
			}
		})
	}
}
