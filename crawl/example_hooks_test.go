package crawl_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// A whole crawler: every page of a shop, its cups as typed records in a
// database. Run again, it would say which of them are new or have changed.
func Example_hooks() {
	site := cupShop() // in place of "https://example.com/"
	defer site.Close()

	db, err := store.OpenTemporary(store.Options{}) // to keep it: store.Open("cups.db", store.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	crawler, err := crawl.New(crawl.Options{
		Start: []string{site.URL},
		Items: []extract.Item{{Name: "cup", Fields: []extract.Field{{Name: "name"}, {Name: "price", As: extract.PriceType}}}},
		OnPage: func(p *crawl.PageVisit) error {
			for _, cup := range p.Select(".cup") {
				p.Save("cup", crawl.Fields{"name": cup.First("h2").Text(), "price": cup.First(".price").Text()})
			}
			return nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := crawler.Crawl(context.Background(), db, crawl.Job{Name: "cups"}); err != nil {
		log.Fatal(err)
	}
	for cup := range db.Records(context.Background(), store.RecordFilter{Item: "cup"}) {
		fmt.Printf("%s\n", cup.Data)
	}
	// Output:
	// {"name":"Blue","price":{"amount":2.50,"currency":"GBP"}}
	// {"name":"Red","price":{"amount":1200.00,"currency":"GBP"}}
}

// cupShop is a site of two pages.
func cupShop() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<!DOCTYPE html><div class=cup><h2>Blue</h2><p class=price>£2.50</div><a href=/red>next</a>`)
		case "/red":
			fmt.Fprint(w, `<!DOCTYPE html><div class=cup><h2>Red</h2><p class=price>£1,200.00</div>`)
		default:
			http.NotFound(w, r)
		}
	}))
}
