package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/demo"
	"github.com/magpie-crawl/magpie/store"
)

// demoReport compares what the demo's crawl stored with what the shop sells,
// and shows it.
type demoReport struct {
	*app
	site    *demo.Site
	address string
}

func (d *demoReport) run(ctx context.Context, db *store.DB, job string) error {
	stored, err := d.stored(ctx, db, job)
	if err != nil {
		return err
	}
	wrong := d.wrong(stored)
	if !d.json {
		if err := d.show(stored); err != nil {
			return err
		}
	}
	switch forbidden := d.site.Forbidden(); {
	case len(forbidden) > 0:
		return fmt.Errorf("the demo failed: pages were fetched that robots.txt forbids: %s", strings.Join(forbidden, ", "))
	case len(wrong) > 0:
		return fmt.Errorf("the demo failed: %d records are not what the shop sells:\n%s", len(wrong), strings.Join(wrong, "\n"))
	}
	if d.json {
		return nil
	}
	fmt.Fprintf(d.stdout, "All %d products are there and right to the letter, from pages in %d encodings; nothing that robots.txt forbids was fetched.\n\n",
		len(stored), len(d.encodings()))
	return d.next()
}

// stored are the records in the database by SKU, as JSON objects.
func (d *demoReport) stored(ctx context.Context, db *store.DB, job string) (map[string]map[string]any, error) {
	records := map[string]map[string]any{}
	for r, err := range db.Records(ctx, store.RecordFilter{Job: job, Item: "product"}) {
		if err != nil {
			return nil, err
		}
		var fields map[string]any
		dec := json.NewDecoder(bytes.NewReader(r.Data))
		dec.UseNumber()
		if err := dec.Decode(&fields); err != nil {
			return nil, fmt.Errorf("record %s: %w", r.Key, err)
		}
		sku, _ := fields["sku"].(string)
		records[sku] = fields
	}
	return records, nil
}

// wrong tells each difference between the records and the shop's products.
func (d *demoReport) wrong(stored map[string]map[string]any) []string {
	var wrong []string
	products := d.site.Products()
	for _, p := range products {
		want := p.Record(d.address)
		got := stored[p.SKU]
		if got == nil {
			wrong = append(wrong, fmt.Sprintf("%s (%s) is missing", p.SKU, p.Path))
			continue
		}
		for name, value := range want {
			if !reflect.DeepEqual(value, got[name]) {
				wrong = append(wrong, fmt.Sprintf("%s (%s): %s is %v, want %v", p.SKU, p.Path, name, got[name], value))
			}
		}
		for name, value := range got {
			if _, ok := want[name]; !ok {
				wrong = append(wrong, fmt.Sprintf("%s (%s): %s is %v, want none", p.SKU, p.Path, name, value))
			}
		}
	}
	if extra := len(stored) - len(products); extra > 0 && len(wrong) == 0 {
		wrong = append(wrong, fmt.Sprintf("%d records too many", extra))
	}
	return wrong
}

// show writes a table with a product of each language, and how its page said
// which encoding it is in.
func (d *demoReport) show(stored map[string]map[string]any) error {
	tb := &table{
		header: []string{"NAME", "PRICE", "", "LISTED", "CATEGORY", "ENCODING", "KNOWN BY"},
		right:  []bool{false, true},
	}
	seen := map[string]bool{}
	for _, p := range d.site.Products() {
		r := stored[p.SKU]
		if r == nil || seen[p.Language] {
			continue
		}
		seen[p.Language] = true
		price, _ := r["price"].(map[string]any)
		tb.rows = append(tb.rows, []string{
			fmt.Sprint(r["name"]), fmt.Sprint(price["amount"]), fmt.Sprint(price["currency"]), fmt.Sprint(r["listed"]),
			fmt.Sprint(r["category"]), p.Encoding, p.Source,
		})
	}
	fmt.Fprintln(d.stdout)
	if err := tb.write(d.stdout, terminalOf(d.stdout)); err != nil {
		return err
	}
	fmt.Fprintln(d.stdout)
	return nil
}

// encodings of the product pages.
func (d *demoReport) encodings() []string {
	var names []string
	for _, p := range d.site.Products() {
		if !slices.Contains(names, p.Encoding) {
			names = append(names, p.Encoding)
		}
	}
	return names
}

// next says what to try now.
func (d *demoReport) next() error {
	db := d.dbFlag()
	tries := [][2]string{
		{"records" + db, "the records"},
		{"export" + db + " -o products.csv", "a dataset"},
		{"pages" + db + " --state skipped", "what was not fetched, and why"},
		{"runs" + db, "the crawls so far; after a second demo nothing has changed"},
		{"demo --job", "the job file behind all this"},
		{"extract https://example.com/ --css title=h1", "a page of your own"},
	}
	fmt.Fprintln(d.stdout, "Try next:")
	width := 0
	for _, try := range tries {
		width = max(width, len(try[0]))
	}
	for _, try := range tries {
		if _, err := fmt.Fprintf(d.stdout, "  %s %-*s  %s\n", program(), width, try[0], try[1]); err != nil {
			return err
		}
	}
	return nil
}
