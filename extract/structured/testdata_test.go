package structured

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

const testBase = "https://a.test/dir/page"

// parse returns the tree of a page.
func parse(t testing.TB, src string) *html.Node {
	t.Helper()
	doc, err := htmlparse.ParseBytes([]byte(src), &htmlparse.Options{Charset: "utf-8"})
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root
}

// caseOf is "#case name", a page, "#want" and the JSON of what is read.
type caseOf struct{ name, page, want string }

// cases reads a file of testdata.
func cases(t testing.TB, file string) []caseOf {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var list []caseOf
	for _, part := range strings.Split(string(data), "\n#case ")[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		page, want, ok := strings.Cut(rest, "\n#want\n")
		if !ok {
			t.Fatalf("%s: %s wants nothing", file, name)
		}
		list = append(list, caseOf{name, page, want})
	}
	return list
}

// readers are what the files of testdata are read with.
var readers = map[string]func(root *html.Node) any{
	"jsonld.txt": func(root *html.Node) any {
		nodes, problems := JSONLD(root)
		return map[string]any{"nodes": nodes, "problems": problems}
	},
	"microdata.txt":    func(root *html.Node) any { return Microdata(root, testBase) },
	"rdfa.txt":         func(root *html.Node) any { return RDFa(root, testBase) },
	"microformats.txt": func(root *html.Node) any { return Microformats(root, testBase) },
	"meta.txt":         func(root *html.Node) any { return Meta(root) },
	"opengraph.txt":    func(root *html.Node) any { return OpenGraph(root) },
	"links.txt":        func(root *html.Node) any { return Links(root, testBase) },
	"read.txt":         func(root *html.Node) any { return Read(root, testBase) },
}

func TestCases(t *testing.T) {
	for file, read := range readers {
		for _, c := range cases(t, file) {
			t.Run(strings.TrimSuffix(file, ".txt")+"/"+c.name, func(t *testing.T) {
				got, err := json.Marshal(read(parse(t, c.page)))
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(decoded(t, string(got)), decoded(t, c.want)) {
					t.Errorf("%s\ngot  %s\nwant %s", c.page, got, c.want)
				}
			})
		}
	}
}

func decoded(t testing.TB, s string) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader([]byte(s)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}
