package extract_test

import (
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/htmlparse"
)

func Example() {
	const page = `<h1>Lantern</h1><p class=price>1.234,50 €</p><img src=/l.png>
		<div class=review><b>Ann</b> ★★★★</div><div class=review><b>Bob</b> ★★</div>`
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "product", Fields: []extract.Field{
		{Name: "name", CSS: "h1", Required: true},
		{Name: "price", CSS: ".price", As: extract.PriceType},
		{Name: "image", CSS: "img", Attr: "src", As: extract.URL},
		{Name: "reviewers", CSS: ".review b", All: true},
	}}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, _ := htmlparse.ParseString(page, nil)
	for _, r := range x.Extract(extract.Page{Root: doc.Root, URL: &url.URL{Scheme: "https", Host: "shop.example", Path: "/"}}).Records {
		line, _ := json.Marshal(r.Fields)
		fmt.Println(string(line))
	}
	// Output:
	// {"name":"Lantern","price":{"amount":1234.50,"currency":"EUR"},"image":"https://shop.example/l.png","reviewers":["Ann","Bob"]}
}
