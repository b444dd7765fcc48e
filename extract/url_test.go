package extract

import (
	"net/url"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// FuzzResolve compares resolved references, most of which take a short cut,
// with those of the library that does not.
func FuzzResolve(f *testing.F) {
	for _, ref := range []string{
		"", "#", "#a", "c#", "c#a", "c?d#a?b/c", "/c#a b", "c#a\t", "c#\n", " c#a ", "c#<a>", "c#\"`", "c#{|}^\\", "c#é", "c#%41%", "c#a#b", "#:~:text=a,-b",
		"http://other.test#a", "http://other.test/%7e/../b#a", "HTTP://other.test/#a", "//other.test/c#a", "?d#a", "../../c#'a!$&()*+,;=@~[]", "mailto:a#b", "data:,a#b",
		"javascript:a#b", "http://[::1#a", "c#\x00", "c#\x7f", "c#\xff",
	} {
		f.Add(ref)
	}
	const at = "https://shop.test/a/b?c=d#e"
	page, err := url.Parse(at)
	if err != nil {
		f.Fatal(err)
	}
	doc, err := htmlparse.ParseString("<p>", nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, ref string) {
		want := ""
		if u, err := whatwg.ParseRef(at, ref); err == nil && u.Scheme() != "javascript" && len(ref) <= longestAddress {
			want = u.Href(false)
		}
		w := newWork(&Page{Root: doc.Root, URL: page})
		if got, err := w.resolve(ref); got != want || (err == nil) != (want != "") {
			t.Errorf("%q stands for %q, %v; want %q", ref, got, err, want)
		}
	})
}
