package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// A page is crawled, and its record read back.
func Example() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, `<!doctype html><h1>Lantern</h1><p class="price">£12.50</p>`)
	}))
	defer site.Close()
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)

	extractor, err := extract.Compile(extract.Spec{Items: []extract.Item{{
		Name: "product",
		Key:  []string{"name"},
		Fields: []extract.Field{
			{Name: "name", CSS: "h1"},
			{Name: "price", CSS: ".price", As: extract.PriceType},
		},
	}}})
	if err != nil {
		log.Fatal(err)
	}
	crawler, err := crawl.New(crawl.Options{Start: []string{site.URL}, Extractor: extractor})
	if err != nil {
		log.Fatal(err)
	}

	db, err := store.Open(filepath.Join(folder, "shop.db"), store.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	if _, err := crawler.Crawl(ctx, db, crawl.Job{Name: "shop"}); err != nil {
		log.Fatal(err)
	}
	for record, err := range db.Records(ctx, store.RecordFilter{Item: "product"}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(record.Key, string(record.Data))
	}

	// Any SQLite tool reads the same.
	reader, err := sql.Open("sqlite3", "file:"+db.Path()+"?mode=ro")
	if err != nil {
		log.Fatal(err)
	}
	defer reader.Close()
	var name, currency string
	var price float64
	row := reader.QueryRow(`SELECT name, price_amount, price_currency FROM product WHERE price_amount < 20`)
	if err := row.Scan(&name, &price, &currency); err != nil {
		log.Fatal(err)
	}
	fmt.Println(name, price, currency)
	// Output:
	// ["Lantern"] {"name":"Lantern","price":{"amount":12.50,"currency":"GBP"}}
	// Lantern 12.5 GBP
}
