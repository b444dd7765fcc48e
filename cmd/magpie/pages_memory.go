package main

import (
	"fmt"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/crawl/robots"
	"github.com/magpie-crawl/magpie/store"
)

// tellMemory tells what is known of a page, its robots.txt and its host for
// later visits.
func tellMemory(m *store.Memory, line func(name, value string)) {
	if r := m.Revisit; r != nil {
		line("next visit", nextVisit(r))
		line("changed", "last seen to on "+localTime(r.ChangedAt))
	}
	if f := m.Robots; f != nil {
		line("robots.txt", robotsText(f))
	}
	line("host", hostText(m.Host))
}

func nextVisit(r *crawl.Revisit) string {
	switch {
	case r.Gone:
		return "only if it is linked: it is gone"
	case r.Missing > 0:
		return "in the next run, to confirm that it is gone"
	case r.Interval > 0:
		return fmt.Sprintf("due on %s where the job says recrawl: adaptive", localTime(r.FetchedAt.Add(r.Interval)))
	}
	return "in the next run"
}

func robotsText(f *crawl.RobotsFile) string {
	s := fmt.Sprintf("status %d on %s, asked for again after %s", f.Status, localTime(f.FetchedAt), localTime(f.Expires))
	if f.Err != "" {
		return s + ": " + f.Err
	}
	return fmt.Sprintf("%s, %d bytes", s, min(len(f.Body), robots.MaxSize))
}

func hostText(s crawl.HostState) string {
	text := ""
	add := func(format string, args ...any) {
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf(format, args...)
	}
	if s.NotBefore.After(time.Now()) {
		add("to be left alone until %s", localTime(s.NotBefore))
	}
	if s.CrawlDelay > 0 {
		add("Crawl-delay %v", s.CrawlDelay)
	}
	if s.Slow > 0 {
		add("slowed down to a request every %v after it was overloaded", s.Slow.Round(time.Millisecond))
	}
	if s.Failures > 0 {
		add("%d failures in a row", s.Failures)
	}
	return text
}

func localTime(t time.Time) string { return t.Local().Format(time.DateTime) }

// machineMemory is store.Memory for programs.
type machineMemory struct {
	Gone     bool             `json:"gone,omitempty"`
	Missing  int              `json:"missing,omitempty"`  // runs in a row in which it answered 404
	Changed  *time.Time       `json:"changed,omitempty"`  // when it was last found to differ
	Interval float64          `json:"interval,omitempty"` // seconds from one visit to the next
	Robots   *machineRobots   `json:"robots,omitempty"`
	Host     machine.HostInfo `json:"host"`
}

type machineRobots struct {
	Fetched time.Time `json:"fetched"`
	Expires time.Time `json:"expires"`
	Status  int       `json:"status"`
	Error   string    `json:"error,omitempty"`
}

func machineMemoryOf(m *store.Memory) machineMemory {
	out := machineMemory{Host: machine.HostInfoOf(m.Host)}
	if r := m.Revisit; r != nil {
		out.Gone, out.Missing, out.Changed, out.Interval = r.Gone, r.Missing, &r.ChangedAt, r.Interval.Seconds()
	}
	if f := m.Robots; f != nil {
		out.Robots = &machineRobots{f.FetchedAt, f.Expires, f.Status, f.Err}
	}
	return out
}
