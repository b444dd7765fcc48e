package xpath_test

import (
	"fmt"
	"log"

	"github.com/magpie-crawl/magpie/extract/xpath"
	"github.com/magpie-crawl/magpie/htmlparse"
)

func Example() {
	doc, err := htmlparse.ParseString(`<ul><li class="new">Tea <b>3.50</b></li><li>Milk <b>1.20</b></li></ul>`, nil)
	if err != nil {
		log.Fatal(err)
	}
	items, err := xpath.Compile("//li")
	if err != nil {
		log.Fatal(err)
	}
	price, err := xpath.Compile("number(b)")
	if err != nil {
		log.Fatal(err)
	}
	steps := 1_000_000
	found, err := items.Evaluate(doc.Root, &steps)
	if err != nil {
		log.Fatal(err)
	}
	for _, n := range found.Nodes() {
		v, err := price.Evaluate(n.Node, &steps)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(n.StringValue(), v.Number())
	}
	// Output:
	// Tea 3.50 3.5
	// Milk 1.20 1.2
}

func ExampleCompile_mistake() {
	_, err := xpath.Compile("//a[starts-wit(@href, 'http')]")
	fmt.Println(err)
	// Output: at byte 4: there is no function starts-wit; did you mean starts-with?
}
