package alert

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/internal/clock/clocktest"
	"github.com/magpie-crawl/magpie/store"
)

// BenchmarkTick is the minute of a daemon with 1,000 jobs: when all is well,
// and when all are silent.
func BenchmarkTick(b *testing.B) {
	for _, silent := range []bool{false, true} {
		b.Run(fmt.Sprint("silent=", silent), func(b *testing.B) {
			db, err := store.Open(filepath.Join(b.TempDir(), "magpie.db"), store.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			now := clocktest.NewSimulated(start)
			a, err := New(Options{DB: db, Clock: now})
			if err != nil {
				b.Fatal(err)
			}
			var jobs []Job
			for i := range 1000 {
				s, err := schedule.New(schedule.Options{Cron: "0 3 * * *", Zone: time.UTC}, fmt.Sprint(i))
				if err != nil {
					b.Fatal(err)
				}
				jobs = append(jobs, Job{Name: fmt.Sprint("job ", i), Schedule: s})
			}
			tick := func() {
				if err := a.Tick(b.Context(), jobs); err != nil {
					b.Fatal(err)
				}
			}
			tick()
			if silent {
				for range 5 * 24 * 15 {
					now.Advance(4 * time.Minute)
					a.watch.tick(now.Now())
				}
				tick()
			}
			for b.Loop() {
				tick()
			}
		})
	}
}
