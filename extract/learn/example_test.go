package learn_test

import (
	"fmt"

	"github.com/magpie-crawl/magpie/extract/learn"
	"github.com/magpie-crawl/magpie/htmlparse"
)

func ExampleFields() {
	doc, err := htmlparse.ParseString(`<h1>A Light in the Attic</h1><p class="price_color">£51.77</p>`, nil)
	if err != nil {
		panic(err)
	}
	page := learn.Page{Root: doc.Root, URL: "https://books.example/1"}
	fields, err := learn.Fields([]learn.Page{page}, []learn.Example{
		{Field: "title", Value: "A Light in the Attic"},
		{Field: "price", Value: "£51.77"},
	})
	for _, f := range fields {
		fmt.Printf("%s: css %s, as %s\n", f.Field, f.Selector, f.As)
	}
	fmt.Println(err)
	// Output:
	// title: css h1, as text
	// price: css .price_color, as price
	// <nil>
}
