package dashboard

import (
	"time"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/schedule"
)

// dueShown is how many due times the editor tells.
const dueShown = 3

// nextTimes are when a job would run by its schedule.
func nextTimes(job *config.Job, now time.Time) (list []time.Time) {
	if job.Schedule.Cron == "" {
		return nil
	}
	s, err := schedule.New(job.Schedule, job.Name)
	if err != nil { // it is a mistake in the file, and told as one
		return nil
	}
	for at := now; len(list) < dueShown; {
		due, ok := s.Next(at)
		if !ok {
			break
		}
		list, at = append(list, due.At), due.Nominal
	}
	return list
}
