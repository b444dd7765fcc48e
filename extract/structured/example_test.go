package structured_test

import (
	"encoding/json"
	"fmt"

	"github.com/magpie-crawl/magpie/extract/structured"
	"github.com/magpie-crawl/magpie/htmlparse"
)

func ExampleRead() {
	doc, err := htmlparse.ParseString(`<title>Teapot</title>
		<script type="application/ld+json">{"@type": "Product", "price": 9.90,}</script>
		<div itemscope itemtype="https://schema.org/Brand"><a itemprop="url" href="/acme">Acme</a></div>`, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	data := structured.Read(doc.Root, "https://shop.example/teapot")
	for _, v := range []any{data.Title, data.JSONLD, data.Microdata, data.Problems} {
		s, _ := json.Marshal(v)
		fmt.Println(string(s))
	}
	// Output:
	// "Teapot"
	// [{"@type":"Product","price":9.90}]
	// [{"type":["https://schema.org/Brand"],"properties":{"url":["https://shop.example/acme"]}}]
	// [{"syntax":"json-ld","line":1,"detail":"repaired: comma without a value"}]
}
