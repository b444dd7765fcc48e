package store_test

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

// Records are found and sorted by a field with an index, page by page.
func ExampleDB_RecordsPage() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<!doctype html><ul><li>Lantern <b>£12.50</b><li>Candle <b>£3</b><li>Lamp <b>£60</b><li>Match <b>£0.10</b></ul>`)
	}))
	defer site.Close()
	extractor, err := extract.Compile(extract.Spec{Items: []extract.Item{{
		Name: "product", Each: "li", Index: []string{"price"},
		Fields: []extract.Field{{Name: "price", CSS: "b", As: extract.PriceType}},
	}}})
	if err != nil {
		log.Fatal(err)
	}
	crawler, err := crawl.New(crawl.Options{Start: []string{site.URL}, Extractor: extractor})
	if err != nil {
		log.Fatal(err)
	}
	db, err := store.OpenTemporary(store.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	if _, err := crawler.Crawl(ctx, db, crawl.Job{Name: "shop"}); err != nil {
		log.Fatal(err)
	}

	query := store.RecordsQuery{Job: "shop", Item: "product", Sort: "price", Desc: true, Limit: 2,
		Filters: []store.FieldFilter{{Field: "price", Op: store.AtLeast, Value: "1"}}}
	for {
		page, err := db.RecordsPage(ctx, query)
		if err != nil {
			log.Fatal(err)
		}
		for _, r := range page.Records {
			fmt.Println(string(r.Data))
		}
		if query.After = page.Next; page.Next == "" {
			fmt.Println(page.Total, "records")
			return
		}
	}
	// Output:
	// {"price":{"amount":60,"currency":"GBP"}}
	// {"price":{"amount":12.50,"currency":"GBP"}}
	// {"price":{"amount":3,"currency":"GBP"}}
	// 3 records
}
