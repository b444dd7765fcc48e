package extract

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

func TestSelectorEach(t *testing.T) {
	doc, err := htmlparse.ParseString(`<!doctype html><nav id=1><a id=a href=/>x</a><p id=p><a id=b>y</a><template><a id=c></a></template></nav><a id=d>z</a>`, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, nav := doc.Root.LastChild.LastChild, doc.Root.LastChild.LastChild.FirstChild
	for _, c := range []struct {
		name, css string
		scope     *html.Node
		want      []string
	}{
		{"in tree order, without templates", "p, a", doc.Root, []string{"a", "p", "b", "d"}},
		{"below the scope alone", "a", nav, []string{"a", "b"}},
		{"what is above the scope counts", "body p > a", nav, []string{"b"}},
		{"relative to the scope", "> a", body, []string{"d"}},
		{"an escape with a space", `#\31 a`, doc.Root, nil},
		{"an escaped figure", `#\31`, doc.Root, []string{"1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := ParseSelector(c.css)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			err = s.Each(c.scope, func(n *html.Node) bool {
				got = append(got, n.Attr[0].Val)
				return true
			})
			if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
				t.Errorf("(-want +got):\n%s%v", diff, err)
			}
		})
	}
	t.Run("until it is enough", func(t *testing.T) {
		s, err := ParseSelector("a")
		n := 0
		if err := errors.Join(err, s.Each(doc.Root, func(*html.Node) bool { n++; return n < 2 })); err != nil || n != 2 {
			t.Errorf("%d, %v", n, err)
		}
	})
	t.Run("a mistake", func(t *testing.T) {
		if _, err := ParseSelector("a >"); err == nil {
			t.Error("it was read")
		}
	})
	t.Run("too much to look at", func(t *testing.T) {
		deep, err := htmlparse.ParseString(strings.Repeat("<div>", 400)+strings.Repeat("<p>"+strings.Repeat("x", 1000), 1000), nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := ParseSelector(":contains(y)")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Each(deep.Root, func(*html.Node) bool { return true }); !errors.Is(err, ErrTooMuch) {
			t.Errorf("error %v, want %v", err, ErrTooMuch)
		}
	})
}
