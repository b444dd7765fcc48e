package htmlparse_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/andybalholm/cascadia"

	"github.com/magpie-crawl/magpie/htmlparse"
)

func ExampleParseBytes() {
	body := []byte("<!DOCTYPE html><title>\x8Bg</title><p class=price>\x5C1,200")
	doc, err := htmlparse.ParseBytes(body, &htmlparse.Options{ContentType: "text/html; charset=Shift_JIS"})
	if err != nil {
		fmt.Println(err)
		return
	}
	title := cascadia.Query(doc.Root, cascadia.MustCompile("title"))
	fmt.Println(title.FirstChild.Data)
	fmt.Println(doc.Encoding.Name, doc.Encoding.Confidence, doc.Encoding.Source)
	fmt.Println(doc.Mode)
	// Output:
	// 吉
	// Shift_JIS certain transport
	// no-quirks
}

func ExampleParse() {
	doc, err := htmlparse.Parse(strings.NewReader("<p>One<p>Two"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	htmlparse.Render(os.Stdout, doc.Root)
	// Output:
	// <html><head></head><body><p>One</p><p>Two</p></body></html>
}

func ExampleParseFragment() {
	nodes, err := htmlparse.ParseFragment("<tr><td>1<td>2<tr><td>3", nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range nodes {
		htmlparse.Render(os.Stdout, n)
		fmt.Println()
	}
	// Output:
	// <tr><td>1</td><td>2</td></tr>
	// <tr><td>3</td></tr>
}

func ExampleRenderWith() {
	doc, err := htmlparse.ParseString("<!DOCTYPE html><title>t</title><ul><li>1</li><li>2</li></ul><p>x</p>", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	htmlparse.RenderWith(os.Stdout, doc.Root, &htmlparse.RenderOptions{OmitTags: true})
	// Output:
	// <!DOCTYPE html><title>t</title><ul><li>1<li>2</ul><p>x
}

func ExampleRenderXML() {
	nodes, err := htmlparse.ParseFragment("<p title=a&b>one<br>two<!-- a--b -->", nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	htmlparse.RenderXML(os.Stdout, nodes[0], nil)
	// Output:
	// <p xmlns="http://www.w3.org/1999/xhtml" title="a&amp;b">one<br />two<!-- a- -b --></p>
}

func ExampleSniff() {
	page := []byte(`<meta charset="latin1"><p>caf` + "\xE9")
	enc := htmlparse.Sniff(page, nil)
	fmt.Println(enc.Name, enc.Confidence, enc.Source)
	// Output:
	// windows-1252 tentative meta
}

func ExampleEncodingName() {
	name, ok := htmlparse.EncodingName(" UTF8 ")
	fmt.Println(name, ok)
	_, ok = htmlparse.EncodingName("utf-7")
	fmt.Println(ok)
	// Output:
	// UTF-8 true
	// false
}

// A crawler that keeps a piece of each page keeps a copy of it, so that the
// page's memory can be used again.
func ExampleClone() {
	doc, err := htmlparse.ParseString(`<div class=ad>…</div><p>A <b>small</b> piece.</p><div>…</div>`, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	piece := htmlparse.Clone(cascadia.Query(doc.Root, cascadia.MustCompile("p")))
	htmlparse.Render(os.Stdout, piece)
	// Output:
	// <p>A <b>small</b> piece.</p>
}
