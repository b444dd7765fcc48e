package markdown_test

import (
	"fmt"

	"github.com/magpie-crawl/magpie/extract/markdown"
	"github.com/magpie-crawl/magpie/htmlparse"
)

func ExampleRender() {
	doc, err := htmlparse.ParseString(`<h1>Opening hours</h1>
		<p>See the <a href="map">map</a>.
		<table><tr><th>Day<th>Hours<tr><td>Mon<td>9&ndash;12<br>14&ndash;18</table>`, nil)
	if err != nil {
		panic(err)
	}
	fmt.Print(markdown.Render(doc.Root, &markdown.Options{Base: "https://shop.example/contact/"}))
	// Output:
	// # Opening hours
	//
	// See the [map](https://shop.example/contact/map).
	//
	// | Day | Hours |
	// | --- | --- |
	// | Mon | 9–12<br>14–18 |
}
