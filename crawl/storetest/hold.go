package storetest

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/crawl"
)

// testHold has two want one job.
func testHold(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"a held job is refused, naming the holder", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			for _, fresh := range []bool{false, true} {
				j := job("a")
				j.Fresh = fresh
				_, err := s.Begin(t.Context(), j)
				if !errors.Is(err, crawl.ErrHeld) {
					t.Fatalf("Begin, fresh %v: %v, want ErrHeld", fresh, err)
				}
				if !strings.Contains(err.Error(), strconv.Itoa(os.Getpid())) {
					t.Errorf("Begin, fresh %v: the error does not name the holder: %v", fresh, err)
				}
			}
			commit(t, r, fetched(t, r, "a", link("b", 1)))
			same(t, "pending", pending(t, r), []string{"b"})
		}},
		{"another job is free", func(t *testing.T, s crawl.Store) {
			begin(t, s, job("a"))
			begin(t, s, otherJob("a"))
		}},
		{"Close lets go", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			again(t, s, r, job("a"))
			if err := r.Close(); err != nil {
				t.Errorf("second Close: %v", err)
			}
			held(t, s) // by the run that was begun between the two
		}},
	})
}

// testHoldOverTime lets holds grow old.
func testHoldOverTime(t *testing.T, open opener) {
	runCases(t, open, []testCase{
		{"Renew keeps the hold", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			expire(t, s)
			if err := r.Renew(t.Context()); err != nil {
				t.Fatal(err)
			}
			held(t, s)
		}},
		{"Commit keeps the hold", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			expire(t, s)
			commit(t, r, fetched(t, r, "a"))
			held(t, s)
		}},
		{"who lost the hold writes nothing more", func(t *testing.T, s crawl.Store) {
			old := begin(t, s, job("a", "b"))
			visit := fetched(t, old, "a", link("c", 1))
			expire(t, s)
			r := begin(t, s, job("x"))
			if info := r.Info(); !info.Resumed || info.ID != old.Info().ID {
				t.Errorf("Info = %+v", info)
			}
			if _, err := old.Commit(t.Context(), []*crawl.Visit{visit}); !errors.Is(err, crawl.ErrLost) {
				t.Errorf("Commit: %v, want ErrLost", err)
			}
			if err := old.Renew(t.Context()); !errors.Is(err, crawl.ErrLost) {
				t.Errorf("Renew: %v, want ErrLost", err)
			}
			if err := old.Finish(t.Context(), ""); !errors.Is(err, crawl.ErrLost) {
				t.Errorf("Finish: %v, want ErrLost", err)
			}
			if err := old.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
			same(t, "pending", pending(t, r), []string{"a", "b"})
			held(t, s) // also after the loser's Close
			commit(t, r, fetched(t, r, "a"))
		}},
	})
}

// held checks that nobody else can begin the test's job.
func held(t *testing.T, s crawl.Store) {
	t.Helper()
	if _, err := s.Begin(t.Context(), job("a")); !errors.Is(err, crawl.ErrHeld) {
		t.Errorf("Begin: %v, want ErrHeld", err)
	}
}

// expire makes the hold on the test's job look given up.
func expire(t *testing.T, s crawl.Store) {
	t.Helper()
	f, ok := s.(Faulty)
	if !ok {
		t.Skip("the store does not implement storetest.Faulty: no hold of it can be made to expire")
	}
	f.Expire(t, job().Name)
}
