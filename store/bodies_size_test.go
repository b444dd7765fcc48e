package store

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// storeBodies crawls pages with these bodies in one run of the job.
func storeBodies(t testing.TB, db *DB, job crawl.Job, bodies map[string][]byte) {
	t.Helper()
	job.Seeds = nil
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		job.Seeds = append(job.Seeds, crawl.Link{URL: "https://site.test/" + name, Host: "site.test"})
	}
	run, err := db.Begin(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	for {
		due, _, err := run.Window(t.Context(), "site.test", time.Now(), 64, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(due) == 0 {
			break
		}
		var visits []*crawl.Visit
		for _, q := range due {
			page := &crawl.Page{FetchedAt: time.Now(), Status: 200, ContentType: "text/html", Body: bodies[strings.TrimPrefix(q.URL, "https://site.test/")]}
			visits = append(visits, &crawl.Visit{Request: q, State: crawl.Done, Page: page,
				Lessons: crawl.Lessons{Revisit: &crawl.Revisit{ETag: `"1"`, FetchedAt: page.FetchedAt, ChangedAt: page.FetchedAt, Interval: time.Hour}}})
		}
		out, err := run.Commit(t.Context(), visits)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range out {
			if o.Err != nil {
				t.Fatal(o.Err)
			}
		}
	}
	if err := run.Finish(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if err := run.Close(); err != nil {
		t.Fatal(err)
	}
}

func gc(t testing.TB, db *DB) *GCResult {
	t.Helper()
	r, err := db.GC(t.Context(), GCOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func sizes(t testing.TB, db *DB) *Sizes {
	t.Helper()
	s, err := db.Sizes(t.Context(), 10)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// corpus is the folder of real pages that the project is measured on.
const corpus = "../../shared/corpus/pages"

func corpusBodies(t testing.TB) map[string][]byte {
	files, err := filepath.Glob(corpus + "/*/source.html")
	if err != nil || len(files) == 0 {
		t.Skip("there is no corpus")
	}
	bodies := map[string][]byte{}
	for _, file := range files {
		if bodies[filepath.Base(filepath.Dir(file))], err = os.ReadFile(file); err != nil {
			t.Fatal(err)
		}
	}
	return bodies
}

// templateBodies are n pages of about 6 kB made from one template, as a shop
// has them.
func templateBodies(n int) map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	vocabulary := strings.Fields(`lantern brass shelf delivery oak copper handle small large useful evening garden kitchen winter
		bright heavy light repair maker season paper letter drawer window quiet morning harbour rope canvas bottle cork`)
	sentence := func(words int) string {
		var b strings.Builder
		for range words {
			b.WriteString(vocabulary[r.IntN(len(vocabulary))] + " ")
		}
		return b.String()
	}
	var menu strings.Builder
	for i := range 40 {
		fmt.Fprintf(&menu, "<li class=\"menu-item depth-%d\"><a href=\"/department/%d/%x\">%s</a></li>\n", i%3, i, i*7919, sentence(2))
	}
	bodies := map[string][]byte{}
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "<!DOCTYPE html>\n<html lang=en><head><title>%s</title><link rel=canonical href=\"/p/%d\"></head><body>\n<ul class=menu>\n%s</ul>\n", sentence(3), i, menu.String())
		fmt.Fprintf(&b, "<main><h1>%s</h1><p class=\"price price--current\">£%d.%02d</p><p class=stock data-stock=%d>In stock</p>\n", sentence(3), r.IntN(900), r.IntN(100), r.IntN(50))
		fmt.Fprintf(&b, "<div class=description><p>%s</p><p>%s</p></div>\n<table class=facts>", sentence(40), sentence(30))
		for _, fact := range []string{"Weight", "Height", "Width", "Material", "Country", "SKU"} {
			fmt.Fprintf(&b, "<tr><th scope=row>%s</th><td class=fact-value>%s%d</td></tr>\n", fact, vocabulary[r.IntN(len(vocabulary))], r.IntN(10000))
		}
		b.WriteString("</table></main><footer><p>All prices include tax. Delivery takes three to five days.</p></footer></body></html>\n")
		bodies[fmt.Sprintf("p/%d", i)] = []byte(b.String())
	}
	return bodies
}

// TestBodySizes checks how much smaller bodies are than themselves, as a crawl
// leaves them and after gc.
func TestBodySizes(t *testing.T) {
	before, after := measureBodies(t, templateBodies(1500))
	if before.Bodies.Ratio() < 3.5 || after.Bodies.Ratio() < 15 || after.Dictionaries.Count != 1 {
		t.Errorf("%+v, then %+v", before.Bodies, after.Bodies)
	}
}

// BenchmarkBodySizes measures the same on real pages, as if they were of one
// host, and on pages of one template: go test -bench BodySizes -run ^$ ./store
func BenchmarkBodySizes(b *testing.B) {
	for _, c := range []struct {
		name   string
		bodies func(b *testing.B) map[string][]byte
	}{
		{"corpus", func(b *testing.B) map[string][]byte { return corpusBodies(b) }},
		{"template", func(*testing.B) map[string][]byte { return templateBodies(3000) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			bodies := c.bodies(b)
			for b.Loop() {
				before, after := measureBodies(b, bodies)
				b.ReportMetric(before.Bodies.Ratio(), "x-crawled")
				b.ReportMetric(after.Bodies.Ratio(), "x-gc")
				b.ReportMetric(float64(after.Bodies.Raw)/float64(after.Bodies.Stored+after.Dictionaries.Stored), "x-with-dictionary")
			}
		})
	}
}

// measureBodies returns the sizes as a crawl leaves them and after gc.
func measureBodies(t testing.TB, bodies map[string][]byte) (before, after *Sizes) {
	t.Helper()
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	storeBodies(t, db, crawl.Job{Name: "sizes"}, bodies)
	before = sizes(t, db)
	began := time.Now()
	gc(t, db)
	took := time.Since(began).Seconds()
	after = sizes(t, db)
	raw := float64(before.Bodies.Raw) / 1e6
	t.Logf("%d bodies, %.1f MB: %.2f times smaller as crawled; after gc (%.1f s, %.1f MB/s) %.2f times; dictionary of %d kB, stored as %d kB",
		before.Bodies.Count, raw, before.Bodies.Ratio(), took, raw/took, after.Bodies.Ratio(), after.Dictionaries.Raw/1000, after.Dictionaries.Stored/1000)
	if after.Bodies.Raw != before.Bodies.Raw || after.Bodies.Fresh != 0 {
		t.Errorf("%+v became %+v", before.Bodies, after.Bodies)
	}
	if faults := verify(t, db); len(faults) > 0 {
		t.Errorf("faults: %q", faults)
	}
	return before, after
}

// verify returns the faults of a database.
func verify(t testing.TB, db *DB) (faults []string) {
	t.Helper()
	if _, err := db.Verify(t.Context(), func(f string) { faults = append(faults, f) }, nil); err != nil {
		t.Fatal(err)
	}
	return faults
}
