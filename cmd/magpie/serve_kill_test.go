package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// TestKilledServeLosesNoDueTime kills the real program at random moments while
// jobs are due each second or two, and starts it again: each due time has run
// once or is listed as skipped with its reason, and no run is left over.
func TestKilledServeLosesNoDueTime(t *testing.T) {
	t.Parallel()
	const rounds = 8
	site := things(t, 20, 50*time.Millisecond)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "jobs"), 0o755); err != nil {
		t.Fatal(err)
	}
	jobs := map[string]time.Duration{}
	for i, overlap := range []string{"skip", "queue", "cancel"} {
		every := time.Duration(1+i%2) * time.Second
		name := "every-" + overlap
		jobs[name] = every
		write(t, filepath.Join(dir, "jobs", name+".yaml"), fmt.Sprintf(`
start: [%q]
politeness: {per_host: 4}
schedule: {cron: "@every %s", overlap: %s}
items: {thing: {key: [title], fields: {title: h1}}}
export: [{item: thing, format: jsonl, path: %s.jsonl}]
`, site.URL+"/0", every, overlap, name))
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	bin := buildMagpie(t)
	for range rounds {
		serve := startServe(t, bin, dir)
		time.Sleep(time.Duration(100+random.IntN(1300)) * time.Millisecond)
		serve.signal(t, os.Kill)
		serve.wait(t)
		time.Sleep(time.Duration(random.IntN(900)) * time.Millisecond)
	}
	serve := startServe(t, bin, dir)
	steadytest.Await(t, "enough due times of each job", func() bool { return enoughDue(t, filepath.Join(dir, "magpie.db"), jobs) })
	serve.signal(t, syscall.SIGTERM)
	if err := serve.wait(t); err != nil {
		t.Errorf("serve ended with %v\n%s", err, serve.errs)
	}
	db, err := store.OpenReadOnly(filepath.Join(dir, "magpie.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for name, every := range jobs {
		t.Run(name, func(t *testing.T) { checkDueTimes(t, db, name, every) })
	}
}

// enoughDue tells whether a database has so many rows of each job, and of each
// a run that was finished, that it is worth a look.
func enoughDue(t *testing.T, path string, jobs map[string]time.Duration) bool {
	db, err := store.OpenReadOnly(path, store.Options{})
	if err != nil {
		return false // it is just being written
	}
	defer db.Close()
	for name := range jobs {
		rows, finished := 0, 0
		for r, err := range db.Due(t.Context(), name) {
			if rows++; err == nil && r.RunState == store.RunFinished {
				finished++
			}
		}
		if rows < 6 || finished == 0 {
			return false
		}
	}
	return true
}

// checkDueTimes checks that the rows of a job have each due time once, without
// gaps, and that each run was begun for a due time.
func checkDueTimes(t *testing.T, db *store.DB, job string, every time.Duration) {
	var rows []store.DueRun
	for r, err := range db.Due(t.Context(), job) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append([]store.DueRun{r}, rows...)
	}
	if len(rows) < 5 {
		t.Fatalf("only %d rows", len(rows))
	}
	began := map[int]int{} // by run, how many due times
	skipped := 0
	for i, r := range rows {
		if want := r.Nominal.Add(time.Duration(r.Count-1) * every); !r.Until.Equal(want) {
			t.Errorf("row %d: %d due times from %v end at %v, want %v", r.ID, r.Count, r.Nominal, r.Until, want)
		}
		if i > 0 && !r.Nominal.Equal(rows[i-1].Until.Add(every)) {
			t.Errorf("row %d: due at %v follows what was due at %v", r.ID, r.Nominal, rows[i-1].Until)
		}
		switch r.Outcome {
		case store.DueStarted:
			began[r.Run]++
			if r.Run == 0 {
				t.Errorf("row %d was started without a run", r.ID)
			}
		case store.DueSkipped:
			skipped += r.Count
			if !strings.HasPrefix(r.Reason, "missed: ") && !strings.HasPrefix(r.Reason, "overlap: ") {
				t.Errorf("row %d was skipped for %q", r.ID, r.Reason)
			}
		}
	}
	runs := 0
	for r, err := range db.Runs(t.Context(), job) {
		if err != nil {
			t.Fatal(err)
		}
		if runs++; began[r.Number] != 1 {
			t.Errorf("run %d was begun for %d due times", r.Number, began[r.Number])
		}
		if unfinished := r.State != store.RunFinished && r.State != store.RunAbandoned; unfinished && r.Number != len(began) {
			t.Errorf("run %d is %s", r.Number, r.State)
		}
	}
	t.Logf("%d runs, %d due times skipped, %d rows", runs, skipped, len(rows))
}
