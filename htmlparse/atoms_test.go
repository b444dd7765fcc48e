package htmlparse

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"
)

func TestAtomOf(t *testing.T) {
	names := slices.Concat(commonTags, []string{
		"blockquote", "figcaption", "onclick", "xmp", "x", "x-custom", "annotation-xml", "divs", "di",
		strings.Repeat("x", longestAtom), strings.Repeat("x", longestAtom+1),
	})
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			want := atom.Lookup([]byte(name))
			for _, behind := range []string{"", ">", " class=x>text"} {
				var got Token
				got.setName(name+behind, len(name))
				if got.Name != name || got.atom != want || got.tag != tagOf(want, name) {
					t.Errorf("setName(%q, %d) gives %q, %v, %d, want %v, %d", name+behind, len(name), got.Name, got.atom, got.tag, want, tagOf(want, name))
				}
			}
		})
	}
}
