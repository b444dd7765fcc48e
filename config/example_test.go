package config_test

import (
	"fmt"

	"github.com/magpie-crawl/magpie/config"
)

func ExampleParse() {
	_, err := config.Parse("books.yaml", []byte(`
start: https://books.toscrape.com/
limit: {pages: 10}
items:
  book:
    fields:
      title: h1
      price: {css: .price_color, as: prise}
`))
	fmt.Println(err)
	// Output:
	// books.yaml:3:1: unknown key "limit" in the job: did you mean limits?
	// books.yaml:8:38: as must be text, html, number, integer, price, bool, url, date, pairs, table, markdown, datetime, duration, email, phone, json, enum, links or images, not "prise": did you mean price?
}
