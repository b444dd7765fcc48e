package htmlparse

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// text returns the characters of a tree.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func TestParseBytesDecodes(t *testing.T) {
	tests := []struct {
		name, src string
		opts      *Options
		want      string
	}{
		{"UTF-8", "日本", nil, "日本"},
		{"UTF-8 with a byte order mark", "\xEF\xBB\xBFé", nil, "é"},
		{"UTF-16LE", "\xFF\xFE\xE9\x00", nil, "é"},
		{"UTF-16BE", "\xFE\xFF\x00\xE9", nil, "é"},
		{"UTF-16 with an odd length", "\xFF\xFEa\x00b", nil, "a\uFFFD"},
		{"UTF-16 with half a pair", "\xFE\xFF\xD8\x00\x00a", nil, "\uFFFDa"},
		{"a character cut off", "é\xE6\x97", nil, "é\uFFFD"},
		{"by a header", "\xE9", &Options{ContentType: "text/html; charset=koi8-r"}, "И"},
		{"by a header, although the bytes are UTF-8", "é", &Options{ContentType: "text/html; charset=latin1"}, "Ã©"},
		{"by an override", "\x83\x65", &Options{Charset: "sjis"}, "テ"},
		{"by meta", "<meta charset=gbk>\xC4\xE3", nil, "你"},
		{"by the default", "\xE9\x80", nil, "é€"},
		{"GBK has the four bytes of gb18030", "<meta charset=gbk>\x81\x30\x81\x30", nil, "\u0080"},
		{"UTF-7 never", "+ADw-b+AD4-", &Options{ContentType: "text/html; charset=utf-7"}, "+ADw-b+AD4-"},
		{"x-user-defined", "a\x80\xFF", &Options{Charset: "x-user-defined"}, "a\uF780\uF7FF"},
		{"replacement", "<script>x</script>", &Options{ContentType: "text/html; charset=hz-gb-2312"}, "\uFFFD"},
		{"empty", "", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := ParseBytes([]byte(tt.src), tt.opts)
			if err != nil {
				t.Fatal(err)
			}
			if got := text(doc.Root); got != tt.want {
				t.Errorf("%+v: text %q, want %q", doc.Encoding, got, tt.want)
			}
		})
	}
}

func TestParseString(t *testing.T) {
	doc, err := ParseString("<meta charset=gbk>\uFEFFé\xFF", &Options{Charset: "no such encoding"})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Encoding{Name: "UTF-8", Confidence: Irrelevant}); doc.Encoding != want {
		t.Errorf("encoding %+v, want %+v", doc.Encoding, want)
	}
	if got, want := text(doc.Root), "\uFEFFé\uFFFD"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}

func TestParseKeepsWhatWasRead(t *testing.T) {
	doc, err := Parse(io.MultiReader(strings.NewReader("<p>one<p>tw"), iotest.ErrReader(io.ErrUnexpectedEOF)), nil)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v, want one that wraps %v", err, io.ErrUnexpectedEOF)
	}
	if doc == nil {
		t.Fatal("no document")
	}
	if got := text(doc.Root); got != "onetw" {
		t.Errorf("text %q", got)
	}
}

func TestWrongOptions(t *testing.T) {
	for name, opts := range map[string]*Options{
		"charset": {Charset: "klingon"},
		"default": {DefaultCharset: "utf-7"},
	} {
		t.Run(name, func(t *testing.T) {
			r := strings.NewReader("x")
			if _, err := Parse(r, opts); !errors.Is(err, ErrUnknownEncoding) {
				t.Errorf("Parse: error %v, want %v", err, ErrUnknownEncoding)
			}
			if r.Len() == 0 {
				t.Error("the reader was read")
			}
			if _, err := ParseBytes(nil, opts); !errors.Is(err, ErrUnknownEncoding) {
				t.Errorf("ParseBytes: error %v, want %v", err, ErrUnknownEncoding)
			}
		})
	}
	t.Run("unknown label in the page", func(t *testing.T) {
		if _, err := ParseBytes([]byte("<meta charset=klingon>"), &Options{ContentType: "text/html; charset=x"}); err != nil {
			t.Error(err)
		}
	})
}

func TestParseFragment(t *testing.T) {
	tests := []struct {
		name, src string
		context   *html.Node
		want      string
	}{
		{"in a row", "<td>a<td>b", &html.Node{Type: html.ElementNode, Data: "tr", DataAtom: atom.Tr}, "<td>a</td><td>b</td>"},
		{"in a div", "<td>a", &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}, "a"},
		{"without an atom", "<td>a", &html.Node{Type: html.ElementNode, Data: "tr"}, "<td>a</td>"},
		{"without a context", "<tr><td>a", nil, "<tr><td>a</td></tr>"},
		{"without a context, text", "a", nil, "a"},
		{"in a title", "<b>", &html.Node{Type: html.ElementNode, Data: "title", DataAtom: atom.Title}, "&lt;b&gt;"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nodes, err := ParseFragment(tt.src, tt.context, nil)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, n := range nodes {
				if n.Parent != nil || n.PrevSibling != nil || n.NextSibling != nil {
					t.Errorf("%q is still linked", n.Data)
				}
				if err := Render(&b, n); err != nil {
					t.Fatal(err)
				}
			}
			if b.String() != tt.want {
				t.Errorf("got %q, want %q", b.String(), tt.want)
			}
		})
	}
	t.Run("context is no element", func(t *testing.T) {
		if _, err := ParseFragment("x", &html.Node{Type: html.TextNode}, nil); err == nil {
			t.Error("no error")
		}
	})
}

func TestScripting(t *testing.T) {
	for _, scripting := range []bool{false, true} {
		doc, err := ParseString("<body><noscript><p>x", &Options{Scripting: scripting})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(text(doc.Root), "<p>"); got != scripting {
			t.Errorf("scripting %v: noscript holds text: %v", scripting, got)
		}
	}
}

func TestStrings(t *testing.T) {
	tests := []struct {
		got  interface{ String() string }
		want string
	}{
		{Tentative, "tentative"}, {Certain, "certain"}, {Irrelevant, "irrelevant"}, {Confidence(9), "Confidence(9)"},
		{NoQuirks, "no-quirks"}, {LimitedQuirks, "limited-quirks"}, {Quirks, "quirks"}, {Mode(9), "Mode(9)"},
		{ParseError{"eof-in-tag", 10, 2, 3}, "2:3: eof-in-tag"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			if got := tt.got.String(); got != tt.want {
				t.Errorf("got %q", got)
			}
		})
	}
}
