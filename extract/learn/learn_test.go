package learn

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/magpie-crawl/magpie/htmlparse"
)

var update = flag.Bool("update", false, "write what is learned into the cases' want sections")

// learnCase is a case of a file in testdata: the sections name/page.html and
// name/other*.html, name/examples with lines field=value, and name/want. One
// whose name begins with list is for List.
type learnCase struct {
	name     string
	pages    []Page
	examples []Example
	want     *txtar.File
}

const caseURL = "https://shop.example/catalogue/page.html"

func parsePage(t testing.TB, src string) Page {
	t.Helper()
	doc, err := htmlparse.ParseString(src, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Page{Root: doc.Root, URL: caseURL}
}

// casesOf reads an archive.
func casesOf(t testing.TB, a *txtar.Archive) []*learnCase {
	t.Helper()
	var cases []*learnCase
	for i := range a.Files {
		name, section, ok := strings.Cut(a.Files[i].Name, "/")
		if !ok {
			t.Fatalf("%s: a section is called case/section", a.Files[i].Name)
		}
		if len(cases) == 0 || cases[len(cases)-1].name != name {
			cases = append(cases, &learnCase{name: name})
		}
		c := cases[len(cases)-1]
		data := string(a.Files[i].Data)
		switch {
		case section == "page.html", strings.HasPrefix(section, "other"):
			c.pages = append(c.pages, parsePage(t, data))
		case section == "examples":
			c.examples = examplesOf(t, data)
		case section == "want":
			c.want = &a.Files[i]
		default:
			t.Fatalf("%s: there is no section %s", name, section)
		}
	}
	return cases
}

func examplesOf(t testing.TB, data string) (examples []Example) {
	t.Helper()
	for line := range strings.Lines(data) {
		field, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !ok {
			t.Fatalf("no = in the example %q", line)
		}
		examples = append(examples, Example{field, value})
	}
	return examples
}

// learned runs a case and writes what came of it.
func (c *learnCase) learned() string {
	var b strings.Builder
	if strings.HasPrefix(c.name, "list") {
		each, fields, ok := List(c.pages[0], c.examples)
		if !ok {
			return "no list\n"
		}
		fmt.Fprintf(&b, "each: %s\n", each)
		writeLearned(&b, fields)
		return b.String()
	}
	fields, err := Fields(c.pages, c.examples)
	writeLearned(&b, fields)
	if err != nil {
		fmt.Fprintf(&b, "%s\n", err)
	}
	return b.String()
}

func writeLearned(b *strings.Builder, fields []Learned) {
	for _, l := range fields {
		fmt.Fprintf(b, "%s\n", describe(l))
		for _, a := range l.Alternatives {
			fmt.Fprintf(b, "\telse %s\n", describe(a))
		}
	}
}

func describe(l Learned) string {
	s := l.Field + ": " + l.Selector
	if l.Attr != "" {
		s += " @" + l.Attr
	}
	s += fmt.Sprintf(" (%s, %s", l.As, l.Why)
	if l.Matches != 1 {
		s += fmt.Sprintf(", %d matches", l.Matches)
	}
	return s + ")"
}

func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range casesOf(t, a) {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar")+"/"+c.name, func(t *testing.T) {
				if c.want == nil {
					t.Fatal("the case has no want section")
				}
				got := c.learned()
				if *update {
					c.want.Data = []byte(got)
				}
				if diff := cmp.Diff(string(c.want.Data), got); diff != "" {
					t.Errorf("want -, got +:\n%s", diff)
				}
				if again := c.learned(); again != got {
					t.Errorf("not the same a second time:\n%s\n%s", got, again)
				}
			})
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
