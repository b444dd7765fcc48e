package htmlparse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

// runToy runs a script of the test: each line is a command, with its argument behind the first space.
//
//	write X    writes X; \n in it is a newline, { and } are < and >
//	tree       writes what the body holds at that moment to the log
//	id X       sets the attribute id of the body's first b element
//	log X      writes X to the log
func runToy(s *Script, source string, log *[]string) {
	for line := range strings.Lines(source) {
		command, argument, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch command {
		case "write":
			s.Write(strings.NewReplacer("{", "<", "}", ">", `\n`, "\n").Replace(argument))
		case "log":
			*log = append(*log, argument)
		case "tree":
			*log = append(*log, inBody(s.Node))
		case "id":
			setID(s.Node, argument)
		}
	}
}

// inBody is what the body that a node is in holds, as HTML, without scripts.
func inBody(n *html.Node) string {
	for n.Parent != nil && n.Data != "body" {
		n = n.Parent
	}
	var b strings.Builder
	if err := RenderWith(&b, n, &RenderOptions{Children: true}); err != nil {
		panic(err)
	}
	written := b.String()
	for {
		start := strings.Index(written, "<script")
		if start < 0 {
			return written
		}
		end := start + strings.Index(written[start:], "</script>") + len("</script>")
		written = written[:start] + written[end:]
	}
}

func setID(n *html.Node, value string) {
	for ; n != nil; n = n.Parent {
		if n.Data == "b" {
			n.Attr = append(n.Attr[:0], html.Attribute{Key: "id", Val: value})
			return
		}
	}
}

func TestOnScript(t *testing.T) {
	// External scripts by their address.
	external := map[string]string{
		"x.js": "log x\nwrite [x]",
		"y.js": "log y\nwrite [y]",
		"w.js": "log w\nwrite {script src=y.js}{/script}[w]",
	}
	tests := []struct {
		name, src, want string // want: the body without scripts
		log             []string
	}{
		{"text", "1<script>write 2</script>3", "123", nil},
		{"an element", "<script>write {p}a\nwrite {i}b{/i}\ntree</script>c", "<p>a<i>b</i>c</p>", []string{"<p>a<i>b</i></p>"}},
		{"a tag in two writes", "<script>write {b cl\ntree\nwrite ass=x}y</script>z", `<b class="x">yz</b>`, []string{""}},
		{"a tag that the page ends", "<script>write a{b title=</script>z>y", `a<b title="z">y</b>`, nil},
		{"a reference in two writes", "<script>write a&am\ntree\nwrite p;b</script>c", "a&amp;bc", []string{"a"}},
		{"a reference that the page ends", "<script>write &no</script>t;", "¬", nil},
		{"no reference in the end", "<script>write &no</script>", "&amp;no", nil},
		{"a comment that the page ends", "<script>write a{!-- b}</script>c-->d", "a<!-- b>c-->d", nil},
		{"a less-than sign", "<script>write a{ b</script> c", "a&lt; b c", nil},
		{"text mode goes on", "<script>write {title}a{b\ntree\nwrite }c</script>d</title>e", "<title>a&lt;b&gt;cd</title>e", []string{"<title>a</title>"}},
		{"a newline behind pre", `<script>write {pre}` + "\n" + `write \na\nb</script></pre>`, "<pre>a\nb</pre>", nil},
		{"a script writes a script", "<script>write {script}write 2{/script}3</script>4", "234", nil},
		{"its output comes first", "<script>write {script}write {b{/script}r}3</script>4", "<br>34", nil},
		{"external", "1<script src=x.js></script>2", "1[x]2", []string{"x"}},
		{"a written external script waits", "1<script>write {script src=x.js}{/script}2\nlog after</script>3", "1[x]23", []string{"after", "x"}},
		{"and what is written behind it too", "1<script>write {script src=x.js}{/script}2\nwrite 3\ntree</script>4", "1[x]234", []string{"1", "x"}},
		{"an external script writes an external script", "1<script src=w.js></script>2", "1[y][w]2", []string{"w", "y"}},
		{"two written external scripts", "<script>write {script src=x.js}{/script}a{script src=y.js}{/script}b</script>c", "[x]a[y]bc", []string{"x", "y"}},
		{"deferred scripts don't write", "1<script src=x.js defer></script>2", "12", []string{"x"}},
		{"async scripts don't write", "1<script src=x.js async></script>2", "12", []string{"x"}},
		{"data is no script", "1<script type=application/json>write 2</script>3", "13", nil},
		{"svg", "<svg><script>write {g}</script></svg>a", "<svg><g></g></svg>a", nil},
		{"svg, closed at once", "<svg><script href=x.js /></svg>a", "<svg>[x]</svg>a", []string{"x"}},
		{"attributes as parsed", "<p><b id=A><script>id B</script></p>TEXT</b>", `<p><b id="B"></b></p><b id="A">TEXT</b>`, nil},
		{"nothing", "1<script>write </script>2", "12", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var log []string
			opts := &Options{Scripting: true, Positions: true, OnError: func(ParseError) {}}
			opts.OnScript = func(s *Script) {
				source, isExternal := scriptSource(s.Node)
				if isExternal {
					runToy(s, external[source], &log)
				} else {
					runToy(s, s.Node.FirstChild.Data, &log)
				}
			}
			doc, err := ParseString("<!DOCTYPE html><body>"+tt.src, opts)
			if err != nil {
				t.Fatal(err)
			}
			checkTree(t, doc.Root)
			if got := inBody(doc.Root.LastChild.LastChild); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if diff := cmp.Diff(tt.log, log); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
		})
	}
}

// A script that writes itself ends, as browsers end it.
func TestScriptWritingItself(t *testing.T) {
	runs := 0
	opts := &Options{Scripting: true, OnScript: func(s *Script) {
		runs++
		s.Write("<script>x</script>")
	}}
	if _, err := ParseString("<script>x</script>", opts); err != nil {
		t.Fatal(err)
	}
	if runs != maxScriptNesting+1 {
		t.Errorf("%d runs, want %d", runs, maxScriptNesting+1)
	}
}

// Write does nothing when the script is over.
func TestWriteTooLate(t *testing.T) {
	var script *Script
	doc, err := ParseString("<script>x</script>a", &Options{Scripting: true, OnScript: func(s *Script) { script = s }})
	if err != nil {
		t.Fatal(err)
	}
	before := dumpString(doc.Root)
	script.Write("<p>")
	if diff := cmp.Diff(before, dumpString(doc.Root)); diff != "" {
		t.Errorf("the tree changed (-before +after):\n%s", diff)
	}
}

// Offsets of errors and nodes are those of the page, whatever scripts write.
func TestPositionsBesideWrittenText(t *testing.T) {
	const page = "<!DOCTYPE html><body><script>x</script>a<b>c</p></b><i>d</i>"
	var errors []ParseError
	doc, err := ParseString(page, &Options{
		Scripting: true,
		Positions: true,
		OnError:   func(e ParseError) { errors = append(errors, e) },
		OnScript:  func(s *Script) { s.Write("<u></x>text</u>&amp") },
	})
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Root.Descendants() {
		position, ok := doc.Position(n)
		if n.Data == "b" || n.Data == "i" {
			if got := page[position.StartTag.Start:position.StartTag.End]; got != "<"+n.Data+">" || !ok {
				t.Errorf("start tag of %s: %q", n.Data, got)
			}
		}
	}
	insertion := strings.Index(page, "</script>") + len("</script>")
	want := []string{
		fmt.Sprintf("%d unexpected-end-tag", insertion),
		fmt.Sprintf("%d missing-semicolon-after-character-reference", insertion),
		fmt.Sprintf("%d unexpected-end-tag", strings.Index(page, "</p>")),
	}
	var got []string
	for _, e := range errors {
		got = append(got, fmt.Sprintf("%d %s", e.Offset, e.Code))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

func TestScripts(t *testing.T) {
	tests := []struct {
		src                       string
		blocking, deferred, async int
	}{
		{"<script>a</script>", 1, 0, 0},
		{"<script></script>", 0, 0, 0},
		{"<script src=a></script>", 1, 0, 0},
		{"<script src></script>", 0, 0, 0},
		{"<script src=a defer></script>", 0, 1, 0},
		{"<script src=a async></script>", 0, 0, 1},
		{"<script src=a async defer></script>", 0, 0, 1},
		{"<script defer>a</script>", 1, 0, 0},
		{"<script async>a</script>", 1, 0, 0},
		{"<script type=module>a</script>", 0, 1, 0},
		{"<script type=module src=a></script>", 0, 1, 0},
		{"<script type=module async>a</script>", 0, 0, 1},
		{"<script type=importmap>{}</script>", 0, 0, 0},
		{"<script type=text/plain>a</script>", 0, 0, 0},
		{"<script type=' TEXT/JavaScript '>a</script>", 1, 0, 0},
		{"<script type=''>a</script>", 1, 0, 0},
		{"<script type=' '>a</script>", 0, 0, 0},
		{"<script language=javascript>a</script>", 1, 0, 0},
		{"<script language=vbscript>a</script>", 0, 0, 0},
		{"<script language=''>a</script>", 1, 0, 0},
		{"<script nomodule>a</script>", 0, 0, 0},
		{"<script for=window event=onload>a</script>", 1, 0, 0},
		{"<script for=window event=onclick>a</script>", 0, 0, 0},
		{"<svg><script>a</script></svg>", 1, 0, 0},
		{"<svg><script xlink:href=a /></svg>", 1, 0, 0},
		{"<template><script>a</script></template>", 0, 0, 0},
		{"<script>a", 0, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.src, func(t *testing.T) {
			doc, err := ParseString(tt.src, &Options{Scripting: true})
			if err != nil {
				t.Fatal(err)
			}
			got := [3]int{len(doc.Scripts.Blocking), len(doc.Scripts.Deferred), len(doc.Scripts.Async)}
			if want := [3]int{tt.blocking, tt.deferred, tt.async}; got != want {
				t.Errorf("blocking, deferred, async: %v, want %v", got, want)
			}
			without, err := ParseString(tt.src, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(Scripts{}, without.Scripts); diff != "" {
				t.Errorf("without scripting (-want +got):\n%s", diff)
			}
		})
	}
}
