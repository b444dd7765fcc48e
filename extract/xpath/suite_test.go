package xpath

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// suite is testdata/xpath.json.
type suite struct {
	Groups []suiteGroup   `json:"groups"`
	Errors []suiteMistake `json:"errors"`
}

type suiteGroup struct {
	Name                   string      `json:"name"`
	HTML                   string      `json:"html"`
	Context                string      `json:"context"` // the id of the context node; none: the document
	ProcessingInstructions bool        `json:"processing_instructions"`
	Cases                  []suiteCase `json:"cases"`
}

type suiteCase struct {
	Expr string `json:"expr"`
	Want any    `json:"want"` // the string-values of nodes, a string, a number, true or false
}

type suiteMistake struct {
	Expr   string `json:"expr"`
	Offset int    `json:"offset"`
	Says   string `json:"says"` // a part of the message
}

func readSuite(t testing.TB) suite {
	t.Helper()
	src, err := os.ReadFile("testdata/xpath.json")
	if err != nil {
		t.Fatal(err)
	}
	var s suite
	d := json.NewDecoder(bytes.NewReader(src))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

func parseHTML(t testing.TB, src string, opts *htmlparse.Options) *html.Node {
	t.Helper()
	doc, err := htmlparse.ParseString(src, opts)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root
}

func mustCompile(t testing.TB, src string) *Expr {
	t.Helper()
	e, err := Compile(src)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return e
}

func evaluate(t testing.TB, src string, n *html.Node) Value {
	t.Helper()
	v, err := mustCompile(t, src).Evaluate(n, nil)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return v
}

// plain is a value as package json would read it.
func plain(v Value) any {
	switch v.Kind() {
	case NodeSet:
		texts := []any{}
		for _, n := range v.Nodes() {
			texts = append(texts, n.StringValue())
		}
		return texts
	case String:
		return v.String()
	case Number:
		return v.Number()
	}
	return v.Bool()
}

func TestSuite(t *testing.T) {
	for _, g := range readSuite(t).Groups {
		t.Run(g.Name, func(t *testing.T) {
			root := parseHTML(t, g.HTML, &htmlparse.Options{ProcessingInstructions: g.ProcessingInstructions})
			context := root
			if g.Context != "" {
				context = evaluate(t, "id('"+g.Context+"')", root).Nodes()[0].Node
			}
			for _, c := range g.Cases {
				t.Run(c.Expr, func(t *testing.T) {
					v := evaluate(t, c.Expr, context)
					if got := plain(v); !reflect.DeepEqual(got, c.Want) {
						t.Errorf("%s: got %#v, want %#v", c.Expr, got, c.Want)
					}
					if e := mustCompile(t, c.Expr); e.Kind() != v.Kind() || e.String() != c.Expr {
						t.Errorf("%s is %s, its value %s", e, e.Kind(), v.Kind())
					}
					conversionsAgree(t, c.Expr, v, context)
				})
			}
		})
	}
}

// conversionsAgree asks the functions for what the methods of a Value give.
func conversionsAgree(t *testing.T, src string, v Value, context *html.Node) {
	if got, want := v.String(), evaluate(t, "string("+src+")", context).String(); got != want {
		t.Errorf("String() is %q, string(%s) %q", got, src, want)
	}
	got, want := v.Number(), evaluate(t, "number("+src+")", context).Number()
	if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
		t.Errorf("Number() is %v, number(%s) %v", got, src, want)
	}
	if got, want := v.Bool(), evaluate(t, "boolean("+src+")", context).Bool(); got != want {
		t.Errorf("Bool() is %v, boolean(%s) %v", got, src, want)
	}
	if v.IsNodeSet() {
		if got, want := float64(len(v.Nodes())), evaluate(t, "count("+src+")", context).Number(); got != want {
			t.Errorf("%v nodes, count(%s) is %v", got, src, want)
		}
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range readSuite(t).Errors {
		t.Run(c.Expr, func(t *testing.T) {
			_, err := Compile(c.Expr)
			var e *SyntaxError
			if !errors.As(err, &e) {
				t.Fatalf("%s: error %v, want one that says %q", c.Expr, err, c.Says)
			}
			if e.Offset != c.Offset || !strings.Contains(e.Msg, c.Says) {
				t.Errorf("%s: %v\nwant %d: …%s…", c.Expr, e, c.Offset, c.Says)
			}
		})
	}
}
