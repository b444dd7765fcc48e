package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/extract"
)

// Whenever the index is brought up to date, it finds what is current then and
// nothing else: with pages that contradict each other in any order, too.
func TestSearchFollowsRecords(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	for round := range rounds {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "magpie.db")
			db := openTest(t, path)
			s := openIndex(t, db)
			crawlClaims(t, db, random, func() {
				if random.IntN(2) == 0 {
					checkIndex(t, s, path)
				}
			}, func() {})
			checkIndex(t, s, path)
		})
	}
}

// checkIndex brings an index up to date and compares it with the records of
// claims.
func checkIndex(t *testing.T, s *SearchIndex, path string) {
	t.Helper()
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"One", "Two", "Three", "Four", "more"} {
		want := strings.Fields(dumpSQL(t, path, `SELECT key FROM records WHERE to_run IS NULL AND data LIKE '%`+word+`%' ORDER BY key`))
		if diff := cmp.Diff(append([]string{}, want...), keysOf(t, s, word, SearchFilter{Limit: 1 + len(want)})); diff != "" {
			t.Fatalf("%s:\n%s", word, diff)
		}
	}
}

// A record that ended without a successor is found no more, however the
// limit is; nor is one whose row is given to another.
func TestSearchEndedRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	var records []extract.Record
	for i := range 600 {
		records = append(records, product(fmt.Sprint(i), "lantern"))
	}
	records[599].Fields = product("", "a lantern among many other words, which comes last").Fields
	storeRecords(t, db, testJob, records...)
	s := openIndex(t, db)
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	execSQL(t, path, `UPDATE records SET to_run = last_run WHERE key <> '599'`)
	if diff := cmp.Diff([]string{"599"}, keysOf(t, s, "lantern", SearchFilter{Limit: 1})); diff != "" {
		t.Error(diff)
	}
	execSQL(t, path, `DELETE FROM problems; DELETE FROM records WHERE key = '599';
		INSERT INTO records (id, item_id, key, hash, data, url_id, position, from_run, last_run)
			SELECT 600, item_id, 'new', x'00', '{"name":"teapot"}', url_id, 0, from_run, last_run FROM records LIMIT 1`)
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	if got := keysOf(t, s, "lantern", SearchFilter{}); len(got) != 0 {
		t.Errorf("lantern finds %v", got)
	}
	if diff := cmp.Diff([]string{"new"}, keysOf(t, s, "teapot", SearchFilter{})); diff != "" {
		t.Error(diff)
	}
	if got := keysOf(t, s, "lamp OR teapot", SearchFilter{}); len(got) != 1 {
		t.Errorf("%v are found", got)
	}
	// What holds no more is gone, not hidden.
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if got := dumpIndex(t, s.Path(), `SELECT (SELECT count(*) FROM docs), (SELECT count(*) FROM texts_docsize)`); got != "1|1\n" {
		t.Errorf("the index holds %s", got)
	}
}

// An update that is stopped is gone on with, not begun again.
func TestSearchUpdateStopped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "magpie.db")
	db := openTest(t, path)
	const n = indexChunk + 100
	var records []extract.Record
	for i := range n {
		records = append(records, product(fmt.Sprint(i), fmt.Sprint("lantern ", i)))
	}
	storeRecords(t, db, testJob, records...)
	s := openIndex(t, db)
	ctx, cancel := context.WithCancel(t.Context())
	var last SearchProgress
	err := s.Update(ctx, SearchUpdate{Progress: func(p SearchProgress) { last = p; cancel() }})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error = %v", err)
	}
	if want := (SearchProgress{Done: indexChunk, Total: n}); last != want {
		t.Errorf("progress %+v, want %+v", last, want)
	}
	if got := keysOf(t, s, "lantern", SearchFilter{}); len(got) != indexChunk {
		t.Errorf("%d found of a part", len(got))
	}
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	if got := keysOf(t, s, "lantern", SearchFilter{}); len(got) != n {
		t.Errorf("%d found", len(got))
	}
	if got := dumpIndex(t, s.Path(), `SELECT seq FROM sqlite_sequence`); got != fmt.Sprintln(n) {
		t.Errorf("indexed %s times, want %d", got, n)
	}
}
