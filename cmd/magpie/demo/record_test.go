package demo

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/config"
)

// TestRecordHasTheJobsFields holds the truth to the fields that the job asks
// for, with the first product, which has them all.
func TestRecordHasTheJobsFields(t *testing.T) {
	job, err := config.Parse("job.yaml", []byte(Job))
	if err != nil {
		t.Fatal(err)
	}
	var fields []string
	for _, f := range job.Items.Items[0].Fields {
		fields = append(fields, f.Name)
	}
	slices.Sort(fields)
	record := New().Products()[0].Record("http://127.0.0.1/")
	if diff := cmp.Diff(fields, slices.Sorted(maps.Keys(record))); diff != "" {
		t.Errorf("-job +record\n%s", diff)
	}
	if got := record["image"]; got != "http://127.0.0.1/img/MP-EN-01.svg" {
		t.Errorf("image: %s", got)
	}
}
