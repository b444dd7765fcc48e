package htmlparse

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPlainAttributes holds the two ways of reading an attribute to the same result.
func TestPlainAttributes(t *testing.T) {
	for _, src := range []string{
		`<a b="c">`, `<a b="">`, `<a b="c"d="e">`, `<a b="c"/>`, `<a b="c"`, `<a b="c`, `<a b="c" b="d" e="f">`,
		`<a B="c">`, `<a b="&amp;">`, `<a b="c&d">`, "<a b=\"c\r\nd\">", "<a b=\"c\x00d\">", "<a b\x00=\"c\">", `<a ="b">`, `<a "="b">`,
		`<a averylongname-indeed="b" x="y">`, `<a b="c">d="e"<f g="h">`, `<a b="'" c='"' d="e">`, `</a b="c">`,
	} {
		t.Run(src, func(t *testing.T) {
			checkPlainAttributes(t, func() *Tokenizer { return NewTokenizer(src, nil) })
		})
	}
	t.Run("corpus", func(t *testing.T) {
		for i, src := range corpusPages(t) {
			if testing.Short() && i%4 != 0 {
				continue
			}
			checkPlainAttributes(t, func() *Tokenizer { return NewTokenizer(src, nil) })
		}
	})
}

// checkPlainAttributes compares the tokens of two tokenizers for the same text, of which one reads each attribute state
// by state.
func checkPlainAttributes(t *testing.T, newTokenizer func() *Tokenizer) {
	t.Helper()
	z, stepwise := newTokenizer(), newTokenizer()
	z.positions, stepwise.positions, stepwise.stepwise = true, true, true
	for n := 0; ; n++ {
		var got, want Token
		more, moreWanted := z.next(&got), stepwise.next(&want)
		if more != moreWanted || got.Type != want.Type || got.Name != want.Name || got.Data != want.Data ||
			got.start != want.start || got.end != want.end || !cmp.Equal(got.Attr, want.Attr) {
			t.Fatalf("token %d is %v, %v; state by state %v, %v", n, got, more, want, moreWanted)
		}
		if diff := cmp.Diff(stepwise.attrRanges, z.attrRanges, cmp.AllowUnexported(attrRange{})); diff != "" {
			t.Fatalf("token %d: positions (-stepwise +got):\n%s", n, diff)
		}
		if !more {
			return
		}
	}
}
