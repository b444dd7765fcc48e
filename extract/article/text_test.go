package article_test

import (
	"testing"

	"github.com/magpie-crawl/magpie/extract/article"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"blocks", "<div>a</div><div>b</div>", "a\nb"},
		{"paragraphs", "<p>a<p>b", "a\n\nb"},
		{"inline", "<p>a<b>b</b> <i> c</i>", "ab c"},
		{"line breaks", "a<br>b<br><br><br>c", "a\nb\n\nc"},
		{"cells", "<table><tr><td>a<td>b<tr><td>c</table>", "a b\nc"},
		{"preformatted", "a<pre>\n\n b\n  c\n</pre>d", "a\n\n b\n  c\n\nd"},
		{"whitespace", " \n a\t\u00a0b \n", "a \u00a0b"},
		{"scripts", "a<script>b</script><style>c</style><noscript>d</noscript>e", "ae"},
		{"nothing", "<div> </div>", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := article.TextOf(parse(t, c.src, nil)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
