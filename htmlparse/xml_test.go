package htmlparse

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

func TestCoerceInfoset(t *testing.T) {
	tests := []struct{ name, src, want string }{
		// The cases of the html5lib suite's xmlViolation.test.
		{"no XML character", "a\uFFFFb", "a\uFFFDb"},
		{"no XML space", "a\fb", "a b"},
		{"two hyphens in a comment", "<!-- foo -- bar -->", "<!-- foo - - bar -->"},
		{"form feed between attributes", "<a b=''\fc=''>", `<a b="" c=""></a>`},

		{"hyphens in a comment", "<!--x--- --y--->", "<!--x- - - - -y- -->"},
		{"hyphen at the end of a comment", "<!--x--->", "<!--x- -->"},
		{"element name", "<foo<bar>", "<fooU00003Cbar></fooU00003Cbar>"},
		{"colons", "<p xlink:href=x o:p=y><o:p>", `<p xlinkU00003Ahref="x" oU00003Ap="y"><oU00003Ap></oU00003Ap></p>`},
		{"namespace declarations", `<p xmlns="x" xmlns:o="y" id="z">`, `<p id="z"></p>`},
		{"namespace declarations in SVG", `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="x" xlink:href="#">`, `<svg xlink:href="#"></svg>`},
		{"attribute names", "<p 1=a é=b @click=c a\"=d>", `<p U000031="a" é="b" U000040click="c" aU000022="d"></p>`},
		{"controls in values", "<p title='a\x01\fb'>", `<p title="a` + "\uFFFD" + ` b"></p>`},
		{"astral in a name", "<a😀>", "<aU01F600></aU01F600>"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			nodes, err := ParseFragment(tt.src, element("body"), nil)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, n := range nodes {
				if err := Render(&b, CoerceInfoset(n)); err != nil {
					t.Fatal(err)
				}
			}
			if b.String() != tt.want {
				t.Errorf("got  %q\nwant %q", b.String(), tt.want)
			}
		})
	}
	t.Run("the same name twice", func(t *testing.T) {
		n := element("p", html.Attribute{Key: "a:b", Val: "1"}, html.Attribute{Key: "aU00003Ab", Val: "2"})
		want := []html.Attribute{{Key: "aU00003Ab", Val: "1"}}
		if diff := cmp.Diff(want, CoerceInfoset(n).Attr); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("processing instruction", func(t *testing.T) {
		n := &html.Node{Type: ProcessingInstructionNode, Data: "Xml", Attr: []html.Attribute{{Key: "data", Val: "a?>b"}}}
		var b strings.Builder
		if err := RenderXML(&b, n, nil); err != nil || b.String() != "<?U000058ml a? >b?>" {
			t.Errorf("got %q, %v", b.String(), err)
		}
	})
	t.Run("the tree is not touched", func(t *testing.T) {
		p := element("o:p")
		with(element("div"), p, "after")
		c := CoerceInfoset(p)
		if p.Data != "o:p" || p.Parent == nil || c.Parent != nil || c.NextSibling != nil {
			t.Errorf("tree %+v, copy %+v", p, c)
		}
	})
}

func TestRenderXML(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"document", "<!DOCTYPE html><title>t</title><p>a<br>b &amp; c", `<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body><p>a<br />b &amp; c</p></body></html>`},
		{"foreign", `<svg viewBox="0 0 1 1"><a xlink:href="#" xml:lang="en" xlink:title="t"/><desc><p>x</p></desc></svg><math><mi>y`,
			`<html xmlns="http://www.w3.org/1999/xhtml"><head></head><body><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="#" xml:lang="en" xlink:title="t"></a><desc><p xmlns="http://www.w3.org/1999/xhtml">x</p></desc></svg><math xmlns="http://www.w3.org/1998/Math/MathML"><mi>y</mi></math></body></html>`},
		{"script", "<script>a < b && c</script>", `<html xmlns="http://www.w3.org/1999/xhtml"><head><script>a &lt; b &amp;&amp; c</script></head><body></body></html>`},
		{"values", "<p title='a\n\t\"<>&'>&#13;", `<html xmlns="http://www.w3.org/1999/xhtml"><head></head><body><p title="a&#10;&#9;&quot;&lt;&gt;&amp;">&#13;</p></body></html>`},
		{"doctype", `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">`,
			`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html xmlns="http://www.w3.org/1999/xhtml"><head></head><body></body></html>`},
		{"doctype with a public identifier alone", `<!DOCTYPE html PUBLIC "x">`, `<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head></head><body></body></html>`},
		{"doctype with a wrong public identifier", `<!DOCTYPE html PUBLIC "{" "x">`, `<!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head></head><body></body></html>`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc, err := ParseString(tt.src, nil)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			if err := RenderXML(&b, doc.Root, nil); err != nil {
				t.Fatal(err)
			}
			if b.String() != tt.want {
				t.Errorf("got  %s\nwant %s", b.String(), tt.want)
			}
			readsAsXML(t, tt.src)
		})
	}
	t.Run("limit", func(t *testing.T) {
		err := RenderXML(io.Discard, with(element("p"), "text"), &RenderOptions{MaxBytes: 10})
		if !errors.Is(err, ErrMaxBytes) {
			t.Errorf("error %v, want %v", err, ErrMaxBytes)
		}
	})
	t.Run("children", func(t *testing.T) {
		var b strings.Builder
		if err := RenderXML(&b, with(element("p"), "a", element("br")), &RenderOptions{Children: true}); err != nil {
			t.Fatal(err)
		}
		if want := `a<br xmlns="http://www.w3.org/1999/xhtml" />`; b.String() != want {
			t.Errorf("got %s", b.String())
		}
	})
	t.Run("raw HTML", func(t *testing.T) {
		if err := RenderXML(io.Discard, &html.Node{Type: html.RawNode, Data: "<br>"}, nil); err == nil {
			t.Error("no error")
		}
	})
}

// readsAsXML checks that package encoding/xml reads the tree of src as the
// coerced tree.
func readsAsXML(t *testing.T, src string) {
	t.Helper()
	doc, err := ParseString(src, nil)
	if err != nil {
		t.Skip(err)
	}
	var b strings.Builder
	if err := RenderXML(&b, doc.Root, nil); err != nil {
		t.Fatal(err)
	}
	got, err := xmlEvents(b.String())
	if err != nil {
		t.Fatalf("%.300q\nwritten as %.1000q: %v", src, b.String(), err)
	}
	if diff := cmp.Diff(treeEvents(CoerceInfoset(doc.Root)), got); diff != "" {
		t.Errorf("%.300q\nwritten as %.1000q\n(-tree +read)\n%.2000s", src, b.String(), diff)
	}
}

// xmlEvents lists what an XML reader finds in a document.
func xmlEvents(src string) (events []string, err error) {
	d := xml.NewDecoder(strings.NewReader(src))
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return events, nil
		}
		if err != nil {
			return nil, err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			e := fmt.Sprintf("<%s %s", tok.Name.Space, tok.Name.Local)
			for _, a := range tok.Attr {
				if a.Name.Local != "xmlns" && a.Name.Space != "xmlns" {
					e += fmt.Sprintf(" %s %s=%q", a.Name.Space, a.Name.Local, a.Value)
				}
			}
			events = append(events, e)
		case xml.EndElement:
			events = append(events, ">")
		case xml.CharData:
			events = appendText(events, string(tok))
		case xml.Comment:
			events = append(events, "<!--"+string(tok))
		}
	}
}

func treeEvents(n *html.Node) (events []string) {
	space := func(ns string) string {
		if ns == "xml" {
			return "http://www.w3.org/XML/1998/namespace"
		}
		return xmlNamespaces[ns]
	}
	_ = walk(n, func(n *html.Node) (bool, error) {
		switch n.Type {
		case html.ElementNode:
			ns := space(n.Namespace)
			if n.Data == "xmlns" {
				ns = "" // encoding/xml puts no name "xmlns" into a namespace, even an element's
			}
			e := fmt.Sprintf("<%s %s", ns, n.Data)
			for _, a := range n.Attr {
				ns := ""
				if a.Namespace != "" {
					ns = space(a.Namespace)
				}
				e += fmt.Sprintf(" %s %s=%q", ns, a.Key, a.Val)
			}
			events = append(events, e)
			if isVoid(n) {
				return false, nil
			}
		case html.TextNode:
			events = appendText(events, n.Data)
		case html.CommentNode:
			events = append(events, "<!--"+n.Data)
		}
		return true, nil
	}, func(n *html.Node) {
		if n.Type == html.ElementNode {
			events = append(events, ">")
		}
	}, func(*html.Node) bool { return true })
	return events
}

// appendText joins texts that follow each other: XML has no borders there.
func appendText(events []string, text string) []string {
	if last := len(events) - 1; last >= 0 && strings.HasPrefix(events[last], "T") {
		return append(slices.Clone(events[:last]), events[last]+text)
	}
	if text == "" {
		return events
	}
	return append(events, "T"+text)
}

func TestXMLOfTreeConstructionSuite(t *testing.T) {
	forTreeConstructionInputs(t, readsAsXML)
}

func FuzzRenderXML(f *testing.F) {
	for _, src := range []string{
		"<!DOCTYPE html PUBLIC 'a' \"b'c\"><p a:b=1 xmlns:c=d><o:p>]]>\r\n\f<!--a--b-->",
		"<svg xlink:href=a xml:lang=b xmlns=c><a\u00E9\u4E00\u0300 =x><?pi ?>",
	} {
		f.Add(src)
	}
	f.Fuzz(readsAsXML)
}

func TestXMLLettersAreKnownToEncodingXML(t *testing.T) {
	for _, r16 := range xmlLetters.R16 {
		for r := rune(r16.Lo); r <= rune(r16.Hi); r++ {
			if _, err := xmlEvents(fmt.Sprintf("<%c/>", r)); err != nil {
				t.Errorf("%U: %v", r, err)
			}
		}
	}
}
