package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
)

// historyRun stores a run of one page that shows these products: key → name.
func historyRun(t testing.TB, db *DB, products map[string]string) {
	t.Helper()
	run := beginTest(t, db)
	defer run.Close()
	due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 1, nil)
	if err != nil || len(due) != 1 {
		t.Fatal(due, err)
	}
	v := &crawl.Visit{Request: due[0], State: crawl.Done, Page: &crawl.Page{FetchedAt: time.UnixMilli(1), Status: 200}}
	for i, key := range slices.Sorted(maps.Keys(products)) {
		r := product(key, products[key])
		r.Item, r.Position = "product", i
		v.Records = append(v.Records, r)
	}
	if _, err := run.Commit(t.Context(), []*crawl.Visit{v}); err != nil {
		t.Fatal(err)
	}
	if err := run.Finish(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
}

// diffText is a diff's changes, one a line, sorted.
func diffText(t testing.TB, db *DB, o DiffOptions) []string {
	t.Helper()
	lines := []string{}
	for c, err := range db.Diff(t.Context(), o) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf("%s %s %s→%s", c.Kind, c.Key, c.Old, c.New))
	}
	slices.Sort(lines)
	return lines
}

// What is asked of one kind alone is what there is of it among all.
func TestDiffOfOneKind(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	historyRun(t, db, map[string]string{"a": "1", "b": "1", "c": "1", "d": "1"})
	historyRun(t, db, map[string]string{"a": "1", "b": "2", "c": "2", "e": "1"})
	of := func(kind ChangeKind) DiffOptions { return DiffOptions{Job: "shop", From: 1, To: 2, Kind: kind} }
	all := diffText(t, db, of(""))
	for kind, count := range map[ChangeKind]DiffCount{
		Added: {Item: "product", Added: 1}, Changed: {Item: "product", Changed: 2}, Gone: {Item: "product", Gone: 1},
	} {
		t.Run(string(kind), func(t *testing.T) {
			want := slices.DeleteFunc(slices.Clone(all), func(line string) bool { return !strings.HasPrefix(line, string(kind)) })
			if diff := cmp.Diff(want, diffText(t, db, of(kind))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			got, err := db.DiffCounts(t.Context(), of(kind))
			if diff := cmp.Diff([]DiffCount{count}, got); diff != "" || err != nil {
				t.Errorf("counts (-want +got):\n%s%v", diff, err)
			}
		})
	}
	t.Run("none", func(t *testing.T) {
		for _, err := range db.Diff(t.Context(), of("moved")) {
			if err == nil {
				t.Error("a kind that there is not has changes")
			}
			return
		}
		t.Error("a kind that there is not is no mistake")
	})
}

// Any two runs of a random history differ as their contents do, and records
// as they stood at a run are what that run saw.
func TestDiffOfAnyTwoRuns(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	runs := []map[string]string{{}} // what run i showed
	for range 25 {
		products := map[string]string{}
		for k := range 12 {
			if random.IntN(3) > 0 {
				products[fmt.Sprint("k", k)] = fmt.Sprint(random.IntN(3))
			}
		}
		runs = append(runs, products)
		historyRun(t, db, products)
	}
	checkInvariants(t, db.Path())
	data := func(name string) string { return fmt.Sprintf(`{"name":%q}`, name) }
	for to := 1; to < len(runs); to++ {
		for from := range to {
			want := []string{}
			counts := DiffCount{Item: "product"}
			for k := range 12 {
				key := fmt.Sprint("k", k)
				old, was := runs[from][key]
				now, is := runs[to][key]
				switch {
				case is && !was:
					counts.Added++
					want = append(want, fmt.Sprintf("added %s →%s", key, data(now)))
				case was && !is:
					counts.Gone++
					want = append(want, fmt.Sprintf("gone %s %s→", key, data(old)))
				case was && is && old != now:
					counts.Changed++
					want = append(want, fmt.Sprintf("changed %s %s→%s", key, data(old), data(now)))
				}
			}
			slices.Sort(want)
			o := DiffOptions{Job: "shop", From: from, To: to}
			if diff := cmp.Diff(want, diffText(t, db, o)); diff != "" {
				t.Fatalf("from %d to %d (-want +got):\n%s", from, to, diff)
			}
			got, err := db.DiffCounts(t.Context(), o)
			if diff := cmp.Diff([]DiffCount{counts}, got); diff != "" || err != nil {
				t.Fatalf("counts from %d to %d (-want +got):\n%s%v", from, to, diff, err)
			}
		}
		stood := map[string]string{}
		for r, err := range db.Records(t.Context(), RecordFilter{Job: "shop", Run: to}) {
			if err != nil {
				t.Fatal(err)
			}
			var fields struct{ Name string }
			if err := json.Unmarshal(r.Data, &fields); err != nil {
				t.Fatal(err)
			}
			stood[r.Key] = fields.Name
		}
		if diff := cmp.Diff(runs[to], stood); diff != "" {
			t.Fatalf("records at %d (-want +got):\n%s", to, diff)
		}
	}
}

func TestDiffLimitAndErrors(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	many := map[string]string{}
	for i := range 7 * diffChunkSize {
		many[fmt.Sprintf("k%05d", i)] = "x"
	}
	historyRun(t, db, many)
	historyRun(t, db, map[string]string{"k00000": "y"})
	if got := len(diffText(t, db, DiffOptions{Job: "shop", To: 1})); got != len(many) {
		t.Errorf("from nothing: %d changes", got)
	}
	if got := len(diffText(t, db, DiffOptions{Job: "shop", From: 1, To: 2, Limit: 7})); got != 1+7 {
		t.Errorf("with a limit of 7: %d changes, want one changed and seven gone", got)
	}
	t.Run("ended in between", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		stop, n := errors.New("that is enough"), 0
		var last error
		for _, last = range db.Diff(ctx, DiffOptions{Job: "shop", To: 1}) {
			if n++; n == 10 {
				cancel(stop)
			}
		}
		if !errors.Is(last, stop) || n > len(many) {
			t.Errorf("after %d changes: %v, want %v", n, last, stop)
		}
	})
	t.Run("left in between", func(t *testing.T) {
		for range db.Diff(t.Context(), DiffOptions{Job: "shop", To: 1}) {
			break
		}
	})
	for name, o := range map[string]DiffOptions{
		"no such job":     {Job: "x", From: 1, To: 2},
		"no such run":     {Job: "shop", From: 1, To: 9},
		"no such item":    {Job: "shop", From: 1, To: 2, Item: "x"},
		"the wrong order": {Job: "shop", From: 2, To: 1},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := db.DiffCounts(t.Context(), o); err == nil {
				t.Error("DiffCounts succeeded")
			}
			n := 0
			for _, err := range db.Diff(t.Context(), o) {
				if n++; err == nil {
					t.Error("Diff yielded a change")
				}
			}
			if n != 1 {
				t.Errorf("Diff yielded %d times", n)
			}
		})
	}
}

func TestFieldChanges(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{"in the item's order", `{"b":1,"a":"x"}`, `{"a":"y","b":2}`, []string{"b: 1 → 2", `a: "x" → "y"`}},
		{"no value before, or no more", `{"b":1,"a":null}`, `{"a":2,"b":null}`, []string{"b: 1 → ", "a:  → 2"}},
		{"fields that the item has not", `{"z":1,"y":[1]}`, `{"x":{"k":1},"y":[1]}`, []string{`x:  → {"k":1}`, "z: 1 → "}},
		{"the order of fields alone", `{"a":1,"b":2}`, `{"b":2,"a":1}`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range (&Change{Old: []byte(c.old), New: []byte(c.new), fields: []string{"b", "a"}}).Fields() {
				got = append(got, fmt.Sprintf("%s: %s → %s", f.Field, f.Old, f.New))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDiffChunkSize(t *testing.T) {
	for name, c := range map[string]struct {
		changes, bytes int
		want           int64
	}{
		"no change":         {0, 0, diffChunkSize},
		"short records":     {50, 100, diffChunkSize},
		"long records":      {50, 20 << 10, 51},
		"a record too long": {3, 4 << 20, 1},
	} {
		t.Run(name, func(t *testing.T) {
			chunk := diffChunk{changes: make([]Change, c.changes)}
			for i := range chunk.changes {
				chunk.changes[i].New = make([]byte, c.bytes)
			}
			if got := chunk.fitting(); got != c.want {
				t.Errorf("the next has %d versions, want %d", got, c.want)
			}
		})
	}
}
