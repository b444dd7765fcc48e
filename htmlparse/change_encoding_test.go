package htmlparse

import (
	"fmt"
	"strings"
	"testing"
)

func TestChangeEncoding(t *testing.T) {
	tentative := func(name string) Encoding { return Encoding{name, Tentative, "default"} }
	tests := []struct {
		name        string
		current     Encoding
		declared    string
		want        Encoding
		wantRestart bool
	}{
		{"another", tentative("windows-1252"), "KOI8-R", Encoding{"KOI8-R", Certain, "meta"}, true},
		{"the same", tentative("windows-1252"), "windows-1252", Encoding{"windows-1252", Certain, "meta"}, false},
		{"UTF-16 stays", Encoding{"UTF-16LE", Tentative, "xml-declaration"}, "UTF-8", Encoding{"UTF-16LE", Certain, "xml-declaration"}, false},
		{"UTF-16 can't be declared", tentative("windows-1252"), "UTF-16BE", Encoding{"UTF-8", Certain, "meta"}, true},
		{"UTF-16 declared in UTF-8", tentative("UTF-8"), "UTF-16LE", Encoding{"UTF-8", Certain, "meta"}, false},
		{"x-user-defined", tentative("UTF-8"), "x-user-defined", Encoding{"windows-1252", Certain, "meta"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, restart := changeEncoding(tt.current, tt.declared)
			if got != tt.want || restart != tt.wantRestart {
				t.Errorf("got %+v, %v, want %+v, %v", got, restart, tt.want, tt.wantRestart)
			}
		})
	}
}

// Meta elements that stand beyond the bytes that the prescan reads. The byte
// D0 is a letter in each of these encodings.
func TestLateMeta(t *testing.T) {
	upTo := func(size int) string { return "<!--" + strings.Repeat("x", size-len("<!---->")) + "-->" }
	tests := []struct {
		name, src string
		opts      Options
		want      string
	}{
		{"at byte 1,025", upTo(1024) + "<meta charset=koi8-r>\xD0", Options{}, "KOI8-R certain meta п"},
		{"at byte 8,193", upTo(8192) + "<meta charset=koi8-r>\xD0", Options{}, "KOI8-R certain meta п"},
		{"text before it", "\xD0" + upTo(1024) + "<meta charset=koi8-r>", Options{}, "KOI8-R certain meta п"},
		{"in the body", "<p>" + upTo(8192) + "<p><meta charset=koi8-r>\xD0", Options{}, "KOI8-R certain meta п"},
		{"by http-equiv", upTo(1024) + "<meta content='x;charset=koi8-r' HTTP-EQUIV=Content-Type>\xD0", Options{}, "KOI8-R certain meta п"},
		{"content without http-equiv", upTo(1024) + "<meta content='x;charset=koi8-r'>\xD0", Options{}, "windows-1252 tentative default Ð"},
		{"the first of two", upTo(1024) + "<meta charset=koi8-r><meta charset=windows-1251>\xD0", Options{}, "KOI8-R certain meta п"},
		{"the first that is known", upTo(1024) + "<meta charset=klingon><meta charset=windows-1251>\xD0", Options{}, "windows-1251 certain meta Р"},
		{"an unknown charset and a good http-equiv", upTo(1024) + "<meta charset=klingon http-equiv=content-type content='charset=koi8-r'>\xD0", Options{}, "KOI8-R certain meta п"},
		{"early and late", "<meta charset=windows-1251>" + upTo(1024) + "<meta charset=koi8-r>\xD0", Options{}, "windows-1251 certain meta Р"},
		{"in a comment", upTo(1024) + "<!--<meta charset=koi8-r>-->\xD0", Options{}, "windows-1252 tentative default Ð"},
		{"in a textarea", upTo(1024) + "<textarea><meta charset=koi8-r></textarea>", Options{}, "windows-1252 tentative default <meta charset=koi8-r>"},
		{"in a script", upTo(1024) + "<script><meta charset=koi8-r></script>", Options{}, "windows-1252 tentative default <meta charset=koi8-r>"},
		{"in a noscript", upTo(1024) + "<noscript><meta charset=koi8-r></noscript>\xD0", Options{}, "KOI8-R certain meta п"},
		{"in a noscript, with scripting", upTo(1024) + "<noscript><meta charset=koi8-r></noscript>", Options{Scripting: true}, "windows-1252 tentative default <meta charset=koi8-r>"},
		{"in a template", upTo(1024) + "<template><meta charset=koi8-r></template>\xD0", Options{}, "KOI8-R certain meta п"},
		{"in SVG it breaks out of it", upTo(1024) + "<svg><meta charset=koi8-r></svg>\xD0", Options{}, "KOI8-R certain meta п"},
		{"utf-7", upTo(1024) + "<meta charset=utf-7>\xD0", Options{}, "windows-1252 tentative default Ð"},
		{"utf-16 means UTF-8", upTo(1024) + "<meta charset=utf-16>п\xFF", Options{}, "UTF-8 certain meta п\uFFFD"},
		{"the header is certain", upTo(1024) + "<meta charset=koi8-r>\xD0", Options{ContentType: "text/html;charset=windows-1251"}, "windows-1251 certain transport Р"},
		{"so is the override", upTo(1024) + "<meta charset=koi8-r>\xD0", Options{Charset: "windows-1251"}, "windows-1251 certain override Р"},
		{"so is a byte order mark", "\xEF\xBB\xBF" + upTo(1024) + "<meta charset=koi8-r>п", Options{}, "UTF-8 certain bom п"},
		{"against detection", "п" + upTo(1024) + "<meta charset=koi8-r>", Options{}, "KOI8-R certain meta п©"},
		{"in agreement with detection", "п" + upTo(1024) + "<meta charset=utf-8>", Options{}, "UTF-8 certain meta п"},
		{"ASCII alone", "a" + upTo(1024) + "<meta charset=koi8-r>", Options{}, "KOI8-R certain meta a"},
		{"the prescan sees a script's, the parser the true one", "<script>'<meta charset=windows-1251>'</script><meta charset=koi8-r>", Options{}, "KOI8-R certain meta '<meta charset=windows-1251>'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := ParseBytes([]byte(tt.src), &tt.opts)
			if err != nil {
				t.Fatal(err)
			}
			enc := doc.Encoding
			if got := fmt.Sprint(enc.Name, " ", enc.Confidence, " ", enc.Source, " ", text(doc.Root)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// However an encoding was found, and however late: the tree is that of the
// whole text in the encoding that the document names.
func FuzzParseBytes(f *testing.F) {
	for _, c := range readSniffCases(f) {
		f.Add(c.data, c.opts.ContentType)
	}
	f.Add([]byte("\xD0<!--"+strings.Repeat("x", 1024)+"--><meta charset=koi8-r>\xD0<meta charset=utf-8>"), "")
	f.Fuzz(func(t *testing.T, src []byte, contentType string) {
		doc, err := ParseBytes(src, &Options{ContentType: contentType})
		if err != nil {
			t.Skip(err)
		}
		whole, err := Decode(src, doc.Encoding.Name)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseString(whole, nil)
		if err != nil {
			t.Fatal(err)
		}
		if dump(doc.Root) != dump(again.Root) {
			t.Errorf("%q is not read as %+v throughout", src, doc.Encoding)
		}
	})
}
