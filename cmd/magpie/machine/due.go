package machine

import (
	"time"

	"github.com/magpie-crawl/magpie/store"
)

// Due is a due time, or a start that somebody asked for, for programs.
type Due struct {
	Job      string    `json:"job"`
	Kind     string    `json:"kind"`     // schedule or hand
	Due      time.Time `json:"due"`      // what the schedule says; of several, the first
	Until    time.Time `json:"until"`    // the last of them
	Count    int       `json:"count"`    // how many; 0: it is about none of them
	StartAt  time.Time `json:"start_at"` // due with jitter
	Decided  time.Time `json:"decided"`  // when this was decided
	Outcome  string    `json:"outcome"`  // waiting, started or skipped
	Reason   string    `json:"reason,omitempty"`
	Run      int       `json:"run,omitempty"`
	RunState string    `json:"run_state,omitempty"`
}

// DueOf returns r for programs.
func DueOf(r store.DueRun) Due {
	return Due{Job: r.Job, Kind: string(r.Kind), Due: r.Nominal, Until: r.Until, Count: r.Count, StartAt: r.At, Decided: r.Decided,
		Outcome: string(r.Outcome), Reason: r.Reason, Run: r.Run, RunState: string(r.RunState)}
}

// Schedule is how a job's schedule stands, for programs.
type Schedule struct {
	Schedule string     `json:"schedule"`
	Next     *time.Time `json:"next,omitempty"`
	Paused   bool       `json:"paused,omitempty"`
	Skipped  *Due       `json:"skipped,omitempty"` // the last that became of a due time, where it was skipped
}

// ScheduleOf returns s for programs; nil where there is none.
func ScheduleOf(s *store.Schedule, last *store.DueRun) *Schedule {
	if s == nil || s.Schedule == "" {
		return nil
	}
	m := &Schedule{Schedule: s.Schedule, Paused: s.Paused}
	if !s.Next.IsZero() {
		m.Next = &s.Next
	}
	if last != nil && last.Outcome == store.DueSkipped {
		due := DueOf(*last)
		m.Skipped = &due
	}
	return m
}
