package daemon

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/store"
)

// check compares what the database has with what was expected.
func (m *month) check() {
	runs, skipped := 0, 0
	for _, j := range m.jobs {
		m.t.Run(j.name, func(t *testing.T) {
			for _, v := range j.want {
				if v.outcome == store.DueSkipped && !v.clock {
					skipped++
				}
			}
			if len(j.want) == 0 {
				t.Fatal("it was never due")
			}
			m.checkRows(t, j, dueRows(t, m.db, j.name))
			runs += m.checkRuns(t, j, dueRows(t, m.db, j.name))
		})
	}
	open, err := m.db.OpenDue(m.t.Context())
	if err != nil || len(open) > 0 {
		m.t.Errorf("open: %+v, %v", open, err)
	}
	m.t.Logf("%d jobs, %d runs, %d due times skipped", len(m.jobs), runs, skipped)
}

// dueRows lists the rows of a job, the first first.
func dueRows(t testing.TB, db *store.DB, job string) (rows []store.DueRun) {
	t.Helper()
	for r, err := range db.Due(context.Background(), job) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	slices.Reverse(rows)
	return rows
}

// checkRows checks that the rows have the due times that were expected: each
// once, in their order, and no others.
func (m *month) checkRows(t *testing.T, j *monthJob, rows []store.DueRun) {
	want := j.want
	ran := map[int]bool{}
	for _, r := range rows {
		n := max(1, r.Count)
		if n > len(want) {
			t.Fatalf("too much: %+v", r)
		}
		first, last := want[0], want[n-1]
		if !first.nominal.Equal(r.Nominal) || !last.nominal.Equal(r.Until) || first.clock != (r.Count == 0) {
			t.Fatalf("%d due times from %v to %v (%s, %q), want from %v to %v (%s, %q)",
				r.Count, r.Nominal, r.Until, r.Outcome, r.Reason, first.nominal.UTC(), last.nominal.UTC(), first.outcome, first.reason)
		}
		for i, v := range want[:n] {
			if v.any > 0 {
				ran[v.any] = ran[v.any] || r.Outcome == store.DueStarted || j.missed == "skip"
				skipped := strings.HasPrefix(r.Reason, "missed: ") || strings.HasPrefix(r.Reason, "overlap: ")
				if r.Outcome != store.DueStarted && !skipped {
					t.Errorf("due at %v: %s, %q", v.nominal.UTC(), r.Outcome, r.Reason)
				}
				continue
			}
			if v.outcome != r.Outcome || !strings.HasPrefix(r.Reason, v.reason) || v.reason == "" && r.Reason != "" {
				t.Errorf("due at %v: %s, %q, want %s, %q", v.nominal.UTC(), r.Outcome, r.Reason, v.outcome, v.reason)
			}
			if i > 0 && v.apart {
				t.Errorf("due at %v: shares a row with what was due at %v, but was not due in between", v.nominal.UTC(), want[i-1].nominal.UTC())
			}
		}
		if late := r.At.Sub(r.Nominal); late < 0 || late > 0 && late >= j.jitter {
			t.Errorf("due at %v: to start %v later", r.Nominal, late)
		}
		if late := r.Decided.Sub(r.At); r.Count == 1 && first.prompt && (late < 0 || late > time.Second) {
			t.Errorf("due at %v: decided %v later", r.Nominal, late)
		}
		want = want[n:]
	}
	for kill, ok := range ran {
		if !ok {
			t.Errorf("nothing ran for what was due at kill %d", kill)
		}
	}
	if len(want) > 0 {
		t.Errorf("%d due times are missing, the first at %v: %+v", len(want), want[0].nominal.UTC(), want[0])
	}
}

// checkRuns checks that each due time that was started has a run of its own,
// which began on time, and that there are no other runs.
func (m *month) checkRuns(t *testing.T, j *monthJob, rows []store.DueRun) int {
	m.mu.Lock()
	begun := m.begun[j.name]
	m.mu.Unlock()
	numbers := map[int]bool{}
	i := 0 // of the row's first due time in j.want
	for _, r := range rows {
		v := j.want[i]
		i += max(1, r.Count)
		if r.Outcome != store.DueStarted {
			continue
		}
		state := store.RunFinished
		if strings.HasPrefix(r.Reason, "overlap: cancelled") {
			state = store.RunAbandoned
		}
		if r.Run == 0 || numbers[r.Run] || r.RunState != state {
			t.Errorf("due at %v: run %d, %s", r.Nominal, r.Run, r.RunState)
		}
		numbers[r.Run] = true
		if late := begun[r.Run].Sub(r.At); late < 0 && v.reason == "" || late > time.Second && v.prompt {
			t.Errorf("due at %v: run %d began %v late", r.Nominal, r.Run, late)
		}
	}
	runs := 0
	for r, err := range m.db.Runs(t.Context(), j.name) {
		if runs++; err != nil || !numbers[r.Number] {
			t.Errorf("run %d was begun for no due time: %v", r.Number, err)
		}
	}
	if runs != len(numbers) || len(begun) != runs {
		t.Errorf("%d runs, %d were begun, for %d due times", runs, len(begun), len(numbers))
	}
	return runs
}
