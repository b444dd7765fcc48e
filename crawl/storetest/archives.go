package storetest

import (
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testArchives looks at how far the files of a web archive are committed.
func testArchives(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"what is committed of a file", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			for _, file := range []string{"/x/1", "/x/2"} {
				if err := r.AddArchive(t.Context(), file); err != nil {
					t.Fatal(err)
				}
			}
			same(t, "of new files", archives(t, r), map[string]int64{"/x/1": 0, "/x/2": 0})
			v := fetched(t, r, "a")
			v.Archived = &crawl.Archived{File: "/x/1", Offset: 10, End: 30}
			commit(t, r, v)
			r = again(t, s, r, job())
			same(t, "after a page", archives(t, r), map[string]int64{"/x/1": 30, "/x/2": 0})
			commit(t, r, fetched(t, r, "b"))
			r = next(t, s, r, job("a"))
			same(t, "in the next run", archives(t, r), map[string]int64{"/x/1": 30, "/x/2": 0})
		}},
	})
}

// archives are the files of the job with where they end.
func archives(t *testing.T, r crawl.Run) map[string]int64 {
	t.Helper()
	list := map[string]int64{}
	if err := r.Archives(t.Context(), func(file string, end int64) bool { list[file] = end; return true }); err != nil {
		t.Fatal(err)
	}
	return list
}
