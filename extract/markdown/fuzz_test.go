package markdown

import (
	"strings"
	"testing"
)

// pieces are what FuzzText makes pages of: elements, and text that means
// something in Markdown.
var pieces = strings.Split(strings.Join([]string{
	"<p>¦</p>¦<div>¦</div>¦<b>¦</b>¦<i>¦</i>¦<em>¦<strong>¦</strong>¦</em>¦<s>¦</s>¦<del>¦</del>¦<sup>¦</sup>¦<sub>¦</sub>",
	"<code>¦</code>¦<kbd>¦</kbd>¦<a href=u>¦<a href='/x y(z)' title='a \"b\" \\'>¦</a>¦<br>¦<br><br>¦<hr>¦<h2>¦</h2>¦<h1>¦</h1>",
	"<ul>¦</ul>¦<ol>¦<ol start=7>¦</ol>¦<li>¦</li>¦<blockquote>¦</blockquote>¦<pre>¦</pre>¦<dl>¦<dt>¦<dd>¦</dl>",
	"<table>¦</table>¦<tr>¦<th>¦<td>¦<td colspan=2>¦<td rowspan=3>¦<caption>¦</caption>¦<img src=i alt='*[x]|'>",
	"<span hidden>¦</span>¦<span>¦<mark>¦</mark>¦<details>¦</details>¦<summary>¦</summary>¦<figure>¦<figcaption>¦</figure>",
	"*¦**¦_¦__¦`¦``¦```¦~¦~~¦~~~¦#¦##¦ # ¦[¦]¦(¦)¦![¦](x)¦<¦>¦&lt;b>¦&lt;!--¦&amp;¦&amp;amp;¦&amp;#35;¦|¦||¦\\¦\\\\¦-¦--¦---¦- ¦+¦+ ¦=¦===",
	":¦:-¦:-:¦.¦!¦1¦1.¦1. ¦12) ¦23¦a¦b c¦word¦é¦中¦€¦“¦”¦x_y¦http://a.b/c_d*¦www.a.b¦a@b.c¦ ¦  ¦\t¦\n¦\n\n¦    ¦&nbsp;¦&#x3000;¦,¦'¦\"",
}, "¦"), "¦")

// FuzzText makes a page of pieces and checks that a renderer of its Markdown
// shows the same words and cells.
func FuzzText(f *testing.F) {
	for i := range len(pieces) {
		f.Add([]byte{byte(i), byte(i * 3), byte(i * 7), byte(i + 1), byte(i * 5)})
	}
	f.Fuzz(func(t *testing.T, picks []byte) {
		var b strings.Builder
		for _, pick := range picks[:min(len(picks), 200)] {
			b.WriteString(pieces[int(pick)%len(pieces)])
		}
		body := parse(t, []byte(b.String()))
		if fault := roundTrip(t, body); fault != "" {
			t.Errorf("%s\npage: %q\nMarkdown:\n%s", fault, b.String(), Render(body, nil))
		}
	})
}

// FuzzRender checks that no page is too much.
func FuzzRender(f *testing.F) {
	f.Add("<p>a<b> b</b>*c*<i>d</i><table><tr><td colspan=9>|<td rowspan=0><ul><li>c", 100)
	f.Add("<svg><text>a</text></svg><math><mi>x</math><frameset><iframe src=//a>", 0)
	f.Fuzz(func(t *testing.T, page string, most int) {
		most = max(1, most%10_000)
		if md := Render(parse(t, []byte(page)), &Options{Base: "https://a.example/", MaxBytes: most}); len(md) > most {
			t.Errorf("%d bytes of at most %d", len(md), most)
		}
	})
}
