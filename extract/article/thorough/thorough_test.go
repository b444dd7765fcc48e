package thorough_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/extract/article/thorough"
	"github.com/magpie-crawl/magpie/htmlparse"
)

const sentence = "The heron stood in the shallow water for an hour, waited, and never once moved its head. "

func parse(t *testing.T, src string) *html.Node {
	doc, err := htmlparse.ParseBytes([]byte(src), nil)
	if err != nil {
		t.Fatal(err)
	}
	return doc.Root
}

func TestRead(t *testing.T) {
	a, ok := thorough.Read(parse(t, "<article>"+strings.Repeat("<p>"+sentence, 20)), "http://a.test/")
	if !ok || strings.Count(a.Text, "heron") != 20 {
		t.Errorf("%v, %+v", ok, a)
	}
}

func TestSecond(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		want bool
	}{
		"article": {"<nav>Home</nav><article>" + strings.Repeat("<p>"+sentence, 20) + "</article>", true},
		"nothing": {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			if n := thorough.Second(parse(t, c.src), nil); (n != nil) != c.want {
				t.Errorf("got %v", n)
			}
		})
	}
}
