package browser

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestHarness looks at a page that does everything wrong: what other tests
// rely on must find each fault.
func TestHarness(t *testing.T) {
	needChromium(t)
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/policy" {
			w.Header().Set("Content-Security-Policy", "default-src 'none'")
			io.WriteString(w, "<!doctype html><title>x</title><script>1</script>")
			return
		}
		io.WriteString(w, `<!doctype html><html><body style="background: #fff"><h1>one</h1><h1>two</h1><h4>deep</h4>
<p id=twice style="color: #999">pale<p id=twice><label for=nothing>l</label><input id=in><button onclick="">x</button>
<a href="javascript:void 0">j</a><img src="`+elsewhere.URL+`/x.png"><table><tr><th>a</table><div style="width: 2000px">wide</div>
<div class=scroll style="overflow-x: auto"><table class=stack style="width: 900px"><caption>c</caption><thead><tr><th scope=col>a<th scope=col>b<th scope=col>c</thead><tr><td>1<td>2<td>3</table></div>
<span>`+"\u202egnp.exe \x01"+` שלום</span><style>:focus { outline: none }</style><script>window.__hit = 1; console.log(1); setTimeout(() => { throw Error('thrown') }); alert(1)</script>`)
	}))
	defer server.Close()
	b := newTab(t, server.URL)
	b.try("/")
	b.width(360)
	faults := eval[[]string](b, auditScript)
	faults = append(faults, eval[[]string](b, hostileScript)...)
	b.try("/policy")
	faults = append(faults, b.taken()...)
	for _, want := range []string{
		"2 h1 headings", "no title", "no language", "not one main", "heading skips", "id twice", "for=nothing leads nowhere", "attribute onclick", "attribute style",
		"element: <script", "element: <img", "element: <style", "leads to javascript:", "table without a caption", "th without a scope", "stacked table without the role", "cell without its label", "table of 900 px", "px wide", "px large", "contrast 2.8",
		"a script of a crawled page has run", "bidirectional control", "control character", "other direction",
		"the console was written to", "exception: ", "thrown", "dialog alert", "request elsewhere: " + elsewhere.URL, "Content Security Policy",
	} {
		if !strings.Contains(strings.Join(faults, "\n"), want) {
			t.Errorf("%q is not found", want)
		}
	}
	if t.Failed() {
		t.Logf("found:\n%s", strings.Join(faults, "\n"))
	}
}
