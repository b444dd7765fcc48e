package htmlparse

import (
	"testing"
)

// TestTreeInPieces has a script write the input of each case, whole and character by character: the tree is the one
// that the same text in the page makes.
func TestTreeInPieces(t *testing.T) {
	const before = "<!DOCTYPE html><body><script>x</script>"
	eachTreeCase(t, func(t *testing.T, c *treeCase, _ bool) {
		if c.context != "" {
			return
		}
		want := writtenTree(t, before+c.data, nil)
		if got := writtenTree(t, before, []string{c.data}); got != want {
			t.Errorf("input %q, written\n got:\n%s\nwant:\n%s", c.data, got, want)
		}
		var pieces []string
		for _, r := range c.data {
			pieces = append(pieces, string(r))
		}
		if got := writtenTree(t, before, pieces); got != want {
			t.Errorf("input %q, written in pieces\n got:\n%s\nwant:\n%s", c.data, got, want)
		}
		half := len(c.data) / 2
		if got := writtenTree(t, before+c.data[half:], []string{c.data[:half]}); got != want {
			t.Errorf("input %q, half of it written\n got:\n%s\nwant:\n%s", c.data, got, want)
		}
	})
}

// writtenTree is the tree of a page whose first script writes some pieces.
func writtenTree(t testing.TB, page string, pieces []string) string {
	t.Helper()
	first := true
	opts := &Options{Scripting: true, OnError: func(ParseError) {}, OnScript: func(s *Script) {
		if first {
			first = false
			for _, piece := range pieces {
				s.Write(piece)
			}
		}
	}}
	doc, err := ParseString(page, opts)
	if err != nil {
		t.Fatal(err)
	}
	checkTree(t, doc.Root)
	return dumpString(doc.Root)
}

// FuzzParse parses anything in every way: nothing panics, the trees are sound, and neither listening for errors nor keeping
// positions changes them.
func FuzzParse(f *testing.F) {
	for _, page := range hostilePages {
		f.Add([]byte(page.make(300)), uint8(0))
	}
	for _, path := range suiteFiles(f, "tree-construction", ".dat") {
		for _, c := range readTreeCases(f, path) {
			f.Add([]byte(c.data), uint8(len(c.data)))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, flags uint8) {
		opts := Options{
			Scripting:              flags&1 != 0,
			ClassicSelect:          flags&2 != 0,
			ProcessingInstructions: flags&4 != 0,
			MaxDepth:               int(flags & 8 * 4),
		}
		plain, err := ParseBytes(src, &opts)
		if err != nil {
			t.Fatal(err)
		}
		checkTree(t, plain.Root)
		opts.Positions = true
		opts.OnError = func(e ParseError) {
			if e.Code == "" || e.Line < 1 || e.Column < 1 {
				t.Errorf("error %+v", e)
			}
		}
		runs := 0
		opts.OnScript = func(s *Script) {
			if runs++; runs < 50 && s.Node.FirstChild != nil {
				s.Write(s.Node.FirstChild.Data)
			}
		}
		if opts.Scripting {
			written, err := ParseBytes(src, &opts)
			if err != nil {
				t.Fatal(err)
			}
			checkTree(t, written.Root)
			opts.OnScript = nil
		}
		listened, err := ParseBytes(src, &opts)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := dumpString(listened.Root), dumpString(plain.Root); got != want {
			t.Errorf("with listener and positions\n got:\n%s\nwant:\n%s", got, want)
		}
		for n := range listened.Root.Descendants() {
			if p, ok := listened.Position(n); ok && (p.Node.Start < 0 || p.Node.End < p.Node.Start) {
				t.Errorf("position of %q: %+v", n.Data, p)
			}
		}
	})
}

// FuzzParseFragment parses anything in any context element.
func FuzzParseFragment(f *testing.F) {
	for _, path := range suiteFiles(f, "tree-construction", ".dat") {
		for _, c := range readTreeCases(f, path) {
			if c.context != "" {
				f.Add(c.data, c.context, false)
			}
		}
	}
	f.Fuzz(func(t *testing.T, src, context string, classic bool) {
		checkTree(t, parseTreeCase(src, context, &Options{ClassicSelect: classic}))
	})
}

// FuzzWrite has a script write anything in two pieces: the tree is the one that the same text in the page makes.
func FuzzWrite(f *testing.F) {
	for _, path := range suiteFiles(f, "tree-construction", ".dat") {
		for _, c := range readTreeCases(f, path) {
			f.Add(c.data, len(c.data)/2)
		}
	}
	f.Fuzz(func(t *testing.T, src string, at int) {
		const before = "<!DOCTYPE html><body><script>x</script>"
		if at < 0 || at > len(src) {
			return
		}
		src = string([]rune(src))
		for at < len(src) && src[at]&0xC0 == 0x80 {
			at++
		}
		at = min(at, len(src))
		want := writtenTree(t, before+src, nil)
		if got := writtenTree(t, before, []string{src[:at], src[at:]}); got != want {
			t.Errorf("%q written as %q, %q\n got:\n%s\nwant:\n%s", src, src[:at], src[at:], got, want)
		}
	})
}
