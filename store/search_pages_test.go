package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/magpie-crawl/magpie/crawl"
)

const articlePage = `<!DOCTYPE html><title>%[1]s</title><nav><a href=/>Navigation words</a></nav><article><h1>%[1]s</h1>
<p>%[2]s It was a long day at the harbour, and the boats came in one after the other, heavy with fish and salt.</p>
<p>Nobody on the pier had seen so many of them in years, and the children counted them until it was dark, with lamps.</p>
<p>When the last one was tied up, the old keeper closed his book, and went up the stairs to light the great lamp again.</p></article>`

// crawlArticles runs a job whose seeds have the given bodies. "" is a page
// that is gone.
func crawlArticles(t *testing.T, db *DB, bodies ...string) {
	t.Helper()
	job := testJob
	job.Seeds = nil
	for i := range bodies {
		job.Seeds = append(job.Seeds, siteLink(i, 0))
	}
	run, err := db.Begin(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	due, _, err := run.Window(t.Context(), "shop.test", time.Now(), 100, nil)
	if err != nil {
		t.Fatal(err)
	}
	var visits []*crawl.Visit
	for _, q := range due {
		var i int
		fmt.Sscanf(q.URL, "https://shop.test/p/%d", &i)
		v := &crawl.Visit{Request: q, State: crawl.Done, Lessons: crawl.Lessons{Revisit: &crawl.Revisit{FetchedAt: time.Now()}},
			Page: &crawl.Page{FetchedAt: time.Now(), Status: 200, ContentType: "text/html; charset=utf-8", Body: []byte(bodies[i])}}
		if bodies[i] == "" {
			v.State, v.Reason, v.Page.Status, v.Revisit = crawl.Failed, "http-410", 410, &crawl.Revisit{Gone: true}
		}
		visits = append(visits, v)
	}
	if _, err := run.Commit(t.Context(), visits); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(run.Finish(t.Context(), ""), run.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestSearchPages(t *testing.T) {
	db := openTest(t, filepath.Join(t.TempDir(), "magpie.db"))
	s := openIndex(t, db)
	first := fmt.Sprintf(articlePage, "The Keeper", "Gulls cried.")
	second := fmt.Sprintf(articlePage, "Fishing Boats", "Herring again.")
	step := func(words string, want ...int) {
		t.Helper()
		if err := s.Update(t.Context(), SearchUpdate{Pages: []string{"shop"}}); err != nil {
			t.Fatal(err)
		}
		urls := []string{}
		for _, i := range want {
			urls = append(urls, siteURL(i))
		}
		if diff := cmp.Diff(urls, keysOf(t, s, words, SearchFilter{})); diff != "" {
			t.Errorf("%s: %s", words, diff)
		}
	}
	crawlArticles(t, db, first, second, "<p>herring</p>")
	if err := s.Update(t.Context(), SearchUpdate{}); err != nil {
		t.Fatal(err)
	}
	if got := keysOf(t, s, "herring", SearchFilter{}); len(got) != 0 {
		t.Errorf("pages that nobody asked for: %v", got)
	}
	step("gulls", 0)
	step("harbour", 0, 1)
	step("title:keeper", 0)
	step("navigation")
	found, _, err := s.Find(t.Context(), "gulls", SearchFilter{})
	if err != nil || len(found) != 1 || found[0].Title != "The Keeper" || found[0].Field != "text" || found[0].Job != "shop" || len(found[0].Snippet) < 2 {
		t.Errorf("%+v, %v", found, err)
	}
	if got := keysOf(t, s, "gulls", SearchFilter{Item: "product"}); len(got) != 0 {
		t.Errorf("a page is a product: %v", got)
	}
	crawlArticles(t, db, strings.Replace(first, "Gulls", "Terns", 1), second)
	step("gulls")
	step("terns", 0)
	step("harbour", 0, 1)
	crawlArticles(t, db, "", "<p>nothing</p>")
	step("terns")
	step("harbour")
	crawlArticles(t, db, first, second)
	step("harbour", 0, 1)
	execSQL(t, db.Path(), `UPDATE pages SET status = 304`) // as the answers are to a crawl that asks again
	step("harbour", 0, 1)
	if err := s.Update(t.Context(), SearchUpdate{Pages: []string{"x"}}); !errors.Is(err, ErrNotFound) {
		t.Errorf("an unknown job: %v", err)
	}
}
