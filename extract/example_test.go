package extract_test

import (
	"encoding/json"
	"fmt"
	"net/url"

	"golang.org/x/net/html"

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

// A Go struct whose tags say where its values are found.
func ExampleBind() {
	type Review struct {
		By    string `magpie:"css=b"`
		Stars int    `magpie:"css=i;attr=data-stars"`
	}
	type Product struct {
		Name    string        `magpie:"css=h1;required"`
		Price   extract.Price `magpie:"css=.price"`
		SKU     string        `magpie:"jsonld=Product.sku"`
		Reviews []Review      `magpie:"each=.review"`
	}
	products, err := extract.Bind[Product]()
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, _ := htmlparse.ParseString(`<script type=application/ld+json>{"@type": "Product", "sku": "L-1"}</script>
		<h1>Lantern</h1><p class=price>$12.50</p><div class=review><b>Ann</b><i data-stars=4></i></div>`, nil)
	list, problems := products.Extract(extract.Page{Root: doc.Root})
	fmt.Printf("%+v %v\n", list, problems)
	// Output:
	// [{Name:Lantern Price:{Amount:12.50 AmountMax: Currency:USD} SKU:L-1 Reviews:[{By:Ann Stars:4}]}] []
}

// What was tried for a value, and where it was found.
func ExampleExtractor_Explain() {
	x, err := extract.Compile(extract.Spec{Items: []extract.Item{{Name: "product", Fields: []extract.Field{
		{Name: "sku", Any: []extract.Field{{JSONLD: "Product.sku"}, {Meta: "sku"}, {CSS: ".sku"}}},
	}}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, _ := htmlparse.ParseString(`<p class=sku>L-1</p>`, nil)
	_, explanations := x.Explain(extract.Page{Root: doc.Root})
	for _, value := range explanations {
		fmt.Println(value.Field, "=", value.Value)
		for _, a := range value.Tried {
			if a.Failed != "" {
				fmt.Println(" ", a.Source, a.Query+":", a.Failed)
			} else {
				fmt.Println(" ", a.Source, a.Query, "at", extract.NodePath(a.Node))
			}
		}
	}
	// Output:
	// sku = L-1
	//   jsonld Product.sku: the page has no JSON-LD
	//   meta sku: the page has no meta sku
	//   css .sku at /html/body/p
}

func ExampleSelector() {
	doc, err := htmlparse.ParseString("<ul><li>one<li class=now>two</ul>", nil)
	if err != nil {
		panic(err)
	}
	now, err := extract.ParseSelector("ul > li.now")
	if err != nil {
		panic(err)
	}
	now.Each(doc.Root, func(n *html.Node) bool {
		fmt.Println(extract.TextOf(n))
		return true
	})
	// Output: two
}
