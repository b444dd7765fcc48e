package htmlparse

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// treeCase is a case in the .dat format of the html5lib tree construction tests.
type treeCase struct {
	file      string
	line      int
	data      string
	errors    []string
	context   string // of a fragment, "" for a document
	scripting []bool // the values of the scripting flag to parse with
	want      string
}

func (c *treeCase) name() string {
	return fmt.Sprintf("%s:%d", strings.TrimSuffix(c.file, ".dat"), c.line)
}

// readTreeCases reads a file of cases.
func readTreeCases(t testing.TB, path string) []treeCase {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var cases []treeCase
	sections := map[string][]string{}
	section, start := "", 0
	finish := func() {
		if _, ok := sections["#data"]; ok {
			cases = append(cases, newTreeCase(t, filepath.Base(path), start, sections))
		}
		sections = map[string][]string{}
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(content), "\n"), "\n") {
		switch {
		case line == "#data":
			finish()
			start = i + 1
		case line == "#document" || section != "#document" && isTreeSection(line):
		case section == "" || strings.HasPrefix(line, "#") && section != "#data" && section != "#document":
			t.Fatalf("%s:%d: unknown section %q", path, i+1, line)
		default:
			sections[section] = append(sections[section], line)
			continue
		}
		section = line
		sections[section] = []string{}
	}
	finish()
	return cases
}

func isTreeSection(line string) bool {
	switch line {
	case "#errors", "#new-errors", "#document-fragment", "#script-on", "#script-off":
		return true
	}
	return false
}

func newTreeCase(t testing.TB, file string, line int, sections map[string][]string) treeCase {
	t.Helper()
	c := treeCase{file: file, line: line, scripting: []bool{false, true}}
	c.data = strings.Join(sections["#data"], "\n")
	c.errors = slices.Concat(sections["#errors"], sections["#new-errors"])
	if context := sections["#document-fragment"]; len(context) > 0 {
		c.context = context[0]
	}
	if _, on := sections["#script-on"]; on {
		c.scripting = []bool{true}
	}
	if _, off := sections["#script-off"]; off {
		c.scripting = []bool{false}
	}
	document, ok := sections["#document"]
	if !ok {
		t.Fatalf("%s:%d: no #document", file, line)
	}
	for len(document) > 0 && document[len(document)-1] == "" {
		document = document[:len(document)-1]
	}
	c.want = strings.Join(document, "\n")
	if c.want != "" {
		c.want += "\n"
	}
	return c
}

// parse parses the case and gives the document, or a document node that holds the fragment.
func (c *treeCase) parse(opts *Options) *html.Node {
	return parseTreeCase(c.data, c.context, opts)
}

func parseTreeCase(data, context string, opts *Options) *html.Node {
	if context == "" {
		doc, err := ParseString(data, opts)
		if err != nil {
			panic(err)
		}
		return doc.Root
	}
	element := contextElement(context)
	nodes, err := ParseFragment(data, element, opts)
	if err != nil {
		panic(err)
	}
	root := &html.Node{Type: html.DocumentNode}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	return root
}

// contextElement makes the element that a #document-fragment line stands for.
func contextElement(context string) *html.Node {
	element := &html.Node{Type: html.ElementNode, Data: context}
	for _, ns := range []string{"svg", "math"} {
		if local, ok := strings.CutPrefix(context, ns+" "); ok {
			element.Namespace, element.Data = ns, local
		}
	}
	element.DataAtom = rareAtom(element.Data)
	return element
}

func dumpString(n *html.Node) string {
	var s strings.Builder
	if err := Dump(&s, n); err != nil {
		panic(err)
	}
	return s.String()
}

// eachTreeCase runs a subtest for each case of the suite and of our own, with each value of the scripting flag.
func eachTreeCase(t *testing.T, f func(t *testing.T, c *treeCase, scripting bool)) {
	own, err := filepath.Glob(filepath.Join("testdata", "tree", "*.dat"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range slices.Concat(suiteFiles(t, "tree-construction", ".dat"), own) {
		for _, c := range readTreeCases(t, path) {
			for _, scripting := range c.scripting {
				t.Run(fmt.Sprintf("%s/scripting=%v", c.name(), scripting), func(t *testing.T) { f(t, &c, scripting) })
			}
		}
	}
}

func TestTreeConstruction(t *testing.T) {
	eachTreeCase(t, func(t *testing.T, c *treeCase, scripting bool) {
		got := dumpString(c.parse(&Options{Scripting: scripting}))
		if got != c.want {
			t.Errorf("input %q\ncontext %q\n got:\n%s\nwant:\n%s", c.data, c.context, got, c.want)
		}
	})
}
