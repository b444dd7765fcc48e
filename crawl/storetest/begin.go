package storetest

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

func testBegin(t *testing.T, open func(t *testing.T) crawl.Store) {
	runCases(t, open, []testCase{
		{"a new job starts run 1 at its seeds", func(t *testing.T, s crawl.Store) {
			before := time.Now().Add(-time.Second)
			r := begin(t, s, job("a", "b"))
			info := r.Info()
			if info.Number != 1 || info.Resumed || info.ID == 0 {
				t.Errorf("Info = %+v", info)
			}
			if info.Started.Before(before) || info.Started.After(time.Now().Add(time.Second)) {
				t.Errorf("Started = %v", info.Started)
			}
			same(t, "pending", pending(t, r), []string{"a", "b"})
			same(t, "counters", counters(r), crawl.Counters{})
		}},
		{"a job without seeds has an empty frontier", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job())
			same(t, "pending", pending(t, r), []string{})
			same(t, "hosts", hosts(t, r), map[string]int64{})
		}},
		{"a seed given twice is one URL", func(t *testing.T, s crawl.Store) {
			same(t, "pending", pending(t, begin(t, s, job("a", "a"))), []string{"a"})
		}},
		{"a seed with a verdict is skipped and counted", func(t *testing.T, s crawl.Store) {
			j := job("a")
			j.Seeds = append(j.Seeds, skipped("b", 0, crawl.ReasonRobots))
			r := begin(t, s, j)
			same(t, "pending", pending(t, r), []string{"a"})
			same(t, "counters", counters(r), crawl.Counters{Skipped: map[crawl.Reason]int64{crawl.ReasonRobots: 1}})
		}},
		{"an unfinished run is resumed with its own frontier", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			commit(t, r, fetched(t, r, "a", link("c", 1)))
			first, want := r.Info(), counters(r)
			r = again(t, s, r, false, job("x"))
			info := r.Info()
			if info.ID != first.ID || info.Number != 1 || !info.Resumed || !info.Started.Equal(first.Started) {
				t.Errorf("Info = %+v, want that of %+v, resumed", info, first)
			}
			same(t, "pending", pending(t, r), []string{"b", "c"})
			same(t, "counters", counters(r), want)
		}},
		{"an unfinished run whose frontier is empty is resumed too", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, fetched(t, r, "a"))
			r = again(t, s, r, false, job("a"))
			if info := r.Info(); info.Number != 1 || !info.Resumed {
				t.Errorf("Info = %+v", info)
			}
			same(t, "pending", pending(t, r), []string{})
		}},
		{"a fresh start leaves the unfinished run behind", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, fetched(t, r, "a", link("b", 1), link("c", 1)))
			first := r.Info().ID
			j := job("a", "b")
			j.Fresh = true
			r = again(t, s, r, false, j)
			info := r.Info()
			if info.ID == first || info.Number != 2 || info.Resumed {
				t.Errorf("Info = %+v", info)
			}
			same(t, "pending", pending(t, r), []string{"a", "b"})
		}},
		{"a finished run is followed by a new one at the seeds", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, fetched(t, r, "a", link("b", 1)))
			commit(t, r, fetched(t, r, "b"))
			r = again(t, s, r, true, job("a"))
			if info := r.Info(); info.Number != 2 || info.Resumed {
				t.Errorf("Info = %+v", info)
			}
			same(t, "pending", pending(t, r), []string{"a"})
			same(t, "counters", counters(r), crawl.Counters{})
		}},
		{"a finished run's leftovers are not in the next one's frontier", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			r = again(t, s, r, true, job("a"))
			same(t, "pending", pending(t, r), []string{"a"})
		}},
		{"continued, a run that a limit ended goes on", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			commit(t, r, fetched(t, r, "a", link("c", 1)))
			first := r.Info().ID
			if err := r.Finish(t.Context(), crawl.LimitPages); err != nil {
				t.Fatal(err)
			}
			j := job("a")
			j.Continue = true
			r = again(t, s, r, false, j)
			if info := r.Info(); info.ID != first || !info.Resumed || info.Counters.Pages != 1 {
				t.Errorf("Info = %+v", info)
			}
			same(t, "pending", pending(t, r), []string{"b", "c"})
		}},
		{"continued, a run that is through is followed by a new one", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			commit(t, r, fetched(t, r, "a"))
			j := job("a")
			j.Continue = true
			r = again(t, s, r, true, j)
			if info := r.Info(); info.Number != 2 || info.Resumed {
				t.Errorf("Info = %+v", info)
			}
		}},
		{"jobs are apart", func(t *testing.T, s crawl.Store) {
			a, j := begin(t, s, job("a", "b")), job("a")
			j.Name = "other"
			b := begin(t, s, j)
			commit(t, a, fetched(t, a, "a", link("c", 1)))
			same(t, "pending in the other job", pending(t, b), []string{"a"})
			if a.Info().ID == b.Info().ID {
				t.Error("two jobs share a run")
			}
		}},
		{"a context that has ended begins nothing", func(t *testing.T, s crawl.Store) {
			if r, err := s.Begin(canceled(t), job("a")); err == nil {
				r.Close()
				t.Fatal("Begin succeeded")
			}
			if info := begin(t, s, job("a")).Info(); info.Number != 1 || info.Resumed {
				t.Errorf("Info = %+v", info)
			}
		}},
	})
}

func testHold(t *testing.T, open func(t *testing.T) crawl.Store) {
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
					t.Errorf("the error does not name the holder: %v", err)
				}
			}
			commit(t, r, fetched(t, r, "a", link("b", 1)))
			same(t, "pending", pending(t, r), []string{"b"})
		}},
		{"another job is free", func(t *testing.T, s crawl.Store) {
			begin(t, s, job("a"))
			j := job("a")
			j.Name = "other"
			begin(t, s, j)
		}},
		{"Close lets go", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			again(t, s, r, false, job("a"))
			if err := r.Close(); err != nil {
				t.Errorf("second Close: %v", err)
			}
			if _, err := s.Begin(t.Context(), job("a")); !errors.Is(err, crawl.ErrHeld) {
				t.Errorf("the second Close let go of the next hold: Begin: %v", err)
			}
		}},
		{"Renew keeps the hold", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			expire(t, s)
			if err := r.Renew(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Begin(t.Context(), job("a")); !errors.Is(err, crawl.ErrHeld) {
				t.Errorf("Begin: %v, want ErrHeld", err)
			}
		}},
		{"Commit keeps the hold", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			expire(t, s)
			commit(t, r, fetched(t, r, "a"))
			if _, err := s.Begin(t.Context(), job("a")); !errors.Is(err, crawl.ErrHeld) {
				t.Errorf("Begin: %v, want ErrHeld", err)
			}
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
			if _, err := s.Begin(t.Context(), job("a")); !errors.Is(err, crawl.ErrHeld) {
				t.Errorf("Begin after the loser's Close: %v, want ErrHeld", err)
			}
			commit(t, r, fetched(t, r, "a"))
		}},
	})
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

func testFinish(t *testing.T, open func(t *testing.T) crawl.Store) {
	runCases(t, open, []testCase{
		{"a finished run is not resumed", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a", "b"))
			if err := r.Finish(t.Context(), "pages"); err != nil {
				t.Fatal(err)
			}
			r.Close()
			if info := begin(t, s, job("a")).Info(); info.Number != 2 || info.Resumed {
				t.Errorf("Info = %+v", info)
			}
		}},
		{"a finished run takes no visits", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			visit := fetched(t, r, "a")
			if err := r.Finish(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Commit(t.Context(), []*crawl.Visit{visit}); err == nil {
				t.Error("Commit succeeded")
			}
		}},
		{"a closed run takes no visits", func(t *testing.T, s crawl.Store) {
			r := begin(t, s, job("a"))
			visit := fetched(t, r, "a")
			r.Close()
			if _, err := r.Commit(t.Context(), []*crawl.Visit{visit}); err == nil {
				t.Error("Commit succeeded")
			}
			same(t, "pending", pending(t, begin(t, s, job())), []string{"a"})
		}},
	})
}
