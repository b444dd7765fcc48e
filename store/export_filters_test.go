package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/extract"
)

// TestExportFilters compares what an export with filters writes with the pages
// of the same query.
func TestExportFilters(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	var records []extract.Record
	for i := range 1203 { // more than two chunks
		records = append(records, product(fmt.Sprintf("k%04d", i), fmt.Sprintf("Lamp %d?", i%10), pricedAt(fmt.Sprint(i%100), "GBP")))
	}
	storeRecords(t, db, testJob, records...)
	tests := []struct {
		name    string
		filters []FieldFilter
		where   string
		want    int
	}{
		{"none", nil, "", 1203},
		{"equal", []FieldFilter{{"name", Equal, "Lamp 3?"}}, "", 120},
		{"two", []FieldFilter{{"name", Equal, "Lamp 3?"}, {"price", Less, "50"}}, "", 60},
		{"with where", []FieldFilter{{"price", AtLeast, "90"}}, "price_amount < 92", 24},
		{"quotes", []FieldFilter{{"name", Contains, `' OR 1=1 --`}}, "", 0},
		{"key", []FieldFilter{{KeyField, Less, "k0010"}}, "", 10},
		{"address", []FieldFilter{{URLField, Contains, "shop.test"}}, "", 1203},
		{"run", []FieldFilter{{FirstRunField, Equal, "1"}}, "", 1203},
		{"empty", []FieldFilter{{"stock", Empty, ""}}, "", 1203},
		{"present", []FieldFilter{{"stock", Present, ""}}, "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			n, err := db.Export(t.Context(), &b, ExportOptions{Job: testJob.Name, Item: "product", Filters: tt.filters, Where: tt.where})
			if err != nil {
				t.Fatal(err)
			}
			if lines := strings.Count(b.String(), "\n"); int(n) != tt.want || lines != tt.want {
				t.Errorf("exported %d records in %d lines, want %d", n, lines, tt.want)
			}
			if tt.where != "" {
				return
			}
			page, err := db.RecordsPage(t.Context(), RecordsQuery{Job: testJob.Name, Item: "product", Filters: tt.filters})
			if err != nil || page.Total != int64(tt.want) {
				t.Errorf("the page has %d records, %v", page.Total, err)
			}
		})
	}
	for name, o := range map[string]ExportOptions{
		"no job":   {Item: "product", Filters: []FieldFilter{{"name", Equal, "x"}}},
		"no field": {Item: "product", Job: testJob.Name, Filters: []FieldFilter{{"nmae", Equal, "x"}}},
		"operator": {Item: "product", Job: testJob.Name, Filters: []FieldFilter{{"name", "~", "x"}}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := db.Export(t.Context(), &strings.Builder{}, o)
			if wrong, ok := errors.AsType[*OptionError](err); !ok || wrong.Option != "filters" {
				t.Errorf("error %v", err)
			}
		})
	}
}
