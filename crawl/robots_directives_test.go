package crawl

import (
	"net/http"
	"testing"

	"golang.org/x/net/html"
)

func TestXRobotsTag(t *testing.T) {
	cases := []struct {
		name  string
		lines []string
		want  directives
	}{
		{"none there", nil, directives{}},
		{"for all", []string{"noindex, nofollow"}, directives{nofollow: true, noindex: true}},
		{"none", []string{"None"}, directives{nofollow: true, noindex: true}},
		{"for us", []string{"magpie: nofollow"}, directives{nofollow: true}},
		{"for others", []string{"otherbot: noindex, nofollow"}, directives{}},
		{"for us and others in one field", []string{"otherbot: noindex, magpie: nofollow"}, directives{nofollow: true}},
		{"for all and others in one field", []string{"noindex, otherbot: nofollow, noarchive"}, directives{noindex: true}},
		{"rules with values for us", []string{"magpie: unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow"}, directives{nofollow: true}},
		{"a date with a comma", []string{"unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, nofollow"}, directives{nofollow: true}},
		{"several fields", []string{"otherbot: noindex", "nofollow"}, directives{nofollow: true}},
		{"rules with values", []string{"unavailable_after: 25 Jun 2010 15:00:00 PST", "max-snippet:-1, noindex"}, directives{noindex: true}},
		{"others", []string{"noarchive, nosnippet"}, directives{}},
		{"words within words", []string{"nofollowed"}, directives{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := pageDirectives(http.Header{"X-Robots-Tag": c.lines}, &html.Node{Type: html.DocumentNode}, DefaultUserAgent)
			if got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}
