package htmlparse

import (
	"strings"
	"testing"
)

func TestTreeReparse(t *testing.T) {
	eachTreeCase(t, func(t *testing.T, c *treeCase, scripting bool) {
		opts := &Options{Scripting: scripting}
		tree := c.parse(opts)
		want := dumpString(tree)
		var s strings.Builder
		for n := range tree.ChildNodes() {
			if err := Render(&s, n); err != nil {
				t.Skip(err)
			}
		}
		got := dumpString(parseTreeCase(s.String(), c.context, opts))
		if got != want {
			t.Errorf("input %q", c.data)
		}
	})
}
