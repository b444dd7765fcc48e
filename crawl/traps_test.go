package crawl

import (
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/weburl"
)

func TestTrapVerdict(t *testing.T) {
	cases := []struct {
		name, path string
		want       Reason
	}{
		{"ordinary", "/a/b/c.html", ""},
		{"twice", "/a/a/b", ""},
		{"three times", "/a/a/a/b", ReasonTrapRepeat},
		{"two segments three times", "/x/a/b/a/b/a/b", ReasonTrapRepeat},
		{"not in a row", "/a/b/a/c/a/d/a", ""},
		{"numbers", "/2020/20/20/20", ""},
		{"four segments three times", "/" + strings.Repeat("a/b/c/d/", 3), ReasonTrapRepeat},
		{"long", "/" + strings.Repeat("x", 2083), ReasonTrapLength},
		{"not too long", "/" + strings.Repeat("x", 2000), ""},
		{"long query", "/?" + strings.Repeat("x=1&", 600), ReasonTrapLength},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			u, err := weburl.Parse("http://h.test" + c.path)
			if err != nil {
				t.Fatal(err)
			}
			if got := (Traps{}).withDefaults().verdict(u); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if got := NoTraps.withDefaults().verdict(u); got != "" {
				t.Errorf("%q with no rules", got)
			}
		})
	}
}
