package htmlparse

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOwnTreeCases runs the cases of our own, which also say which errors come in which order. Those that need an option
// are in folders of their own.
func TestOwnTreeCases(t *testing.T) {
	for folder, opts := range map[string]Options{
		"tree":                         {},
		"tree_classic_select":          {ClassicSelect: true},
		"tree_processing_instructions": {ProcessingInstructions: true},
	} {
		files, err := filepath.Glob(filepath.Join("testdata", folder, "*.dat"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no cases in %s: %v", folder, err)
		}
		for _, file := range files {
			for _, c := range readTreeCases(t, file) {
				t.Run(folder+"/"+c.name(), func(t *testing.T) { checkOwnCase(t, &c, opts) })
			}
		}
	}
}

func checkOwnCase(t *testing.T, c *treeCase, opts Options) {
	var errors []string
	opts.OnError = func(e ParseError) {
		errors = append(errors, fmt.Sprintf("(%d,%d): %s", e.Line, e.Column, e.Code))
	}
	tree := c.parse(&opts)
	checkTree(t, tree)
	if diff := cmp.Diff(c.want, dumpString(tree)); diff != "" {
		t.Errorf("tree of %q (-want +got):\n%s", c.data, diff)
	}
	if diff := cmp.Diff(c.errors, errors); diff != "" {
		t.Errorf("errors of %q (-want +got):\n%s", c.data, diff)
	}
}
