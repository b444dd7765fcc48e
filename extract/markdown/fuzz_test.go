package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzRender checks of any page that a renderer shows the same words and
// cells.
func FuzzRender(f *testing.F) {
	for _, s := range []string{
		"<p>a<b> b</b>*c*<i>d</i>", "<ul><li>a<ol start=3><li>b", "<table><tr><th>a<th>b<tr><td>|<td><ul><li>c",
		"<pre>`` ` a</pre><code>`a</code>", "<h1>#</h1>1. a<br>- b<br>---", "<blockquote><a href='x y'>a<p>b", "<dl><dt>a<dd>b",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, page string) {
		if len(page) > 4096 || !utf8.ValidString(page) || strings.ContainsAny(page, "\x00\uFFFD") {
			t.Skip()
		}
		body := parse(t, []byte(page))
		if fault := roundTrip(t, body); fault != "" {
			t.Errorf("%s\nMarkdown:\n%s", fault, Render(body, nil))
		}
	})
}
