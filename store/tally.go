package store

import (
	"maps"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// tally is what a batch adds to the figures of its run that are kept by time,
// by host and by status. It is kept with each commit because reading it from
// the pages would take the longer the larger a run is.
type tally struct {
	times    map[int64]*timeFigures // by the beginning of their span
	hosts    map[string]*hostFigures
	statuses map[int]int64
}

type timeFigures struct{ responses, failed, retries, bytes int64 }

type hostFigures struct {
	timeFigures
	duration, longest int64 // microseconds
}

// timeline is what a run remembers of its rows in magpie_timelines.
type timeline struct {
	span int64          // milliseconds
	at   map[int64]bool // the beginnings of the spans
}

// maxSpans is how many spans a run's timeline has at most.
const maxSpans = 240

// add takes in the visits of a batch.
func (l *tally) add(batch []prepared, stored []crawl.Committed, span int64, now time.Time) {
	l.times, l.hosts, l.statuses = map[int64]*timeFigures{}, map[string]*hostFigures{}, map[int]int64{}
	for i := range batch {
		if stored[i].Stored {
			l.visit(batch[i].Visit, span, now)
		}
	}
}

func (l *tally) visit(v *crawl.Visit, span int64, now time.Time) {
	one := timeFigures{}
	switch {
	case v.State == crawl.Failed:
		one.failed = 1
	case v.State == crawl.Pending && v.Reason != "":
		one.retries = 1
	}
	at, duration := now, int64(0)
	if v.Page != nil {
		at, duration = v.Page.FetchedAt, v.Page.Duration.Microseconds()
		one.responses = 1
		if !v.Page.NotModified {
			one.bytes = int64(len(v.Page.Body))
		}
		l.statuses[v.Page.Status]++
	}
	if one == (timeFigures{}) {
		return // skipped, or put off without a word
	}
	begin := millis(at) / span * span
	if l.times[begin] == nil {
		l.times[begin] = &timeFigures{}
	}
	l.times[begin].plus(one)
	h := l.hosts[v.Request.Host]
	if h == nil {
		h = &hostFigures{}
		l.hosts[v.Request.Host] = h
	}
	h.plus(one)
	h.duration += duration
	h.longest = max(h.longest, duration)
}

func (f *timeFigures) plus(o timeFigures) {
	f.responses += o.responses
	f.failed += o.failed
	f.retries += o.retries
	f.bytes += o.bytes
}

// tally stores what the batch adds to the run's figures.
func (c *commit) tally(batch []prepared, stored []crawl.Committed) error {
	if c.run.timeline == nil {
		var err error
		if c.run.timeline, err = c.readTimeline(); err != nil {
			return err
		}
	}
	var l tally
	l.add(batch, stored, c.run.timeline.span, time.Now())
	run := c.run.info.ID
	for status, n := range l.statuses {
		err := c.tx.exec(`INSERT INTO magpie_run_statuses VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET responses = responses + excluded.responses`,
			run, status, n)
		if err != nil {
			return err
		}
	}
	for name, h := range l.hosts {
		id, err := c.hostID(name)
		if err != nil {
			return err
		}
		err = c.tx.exec(`INSERT INTO magpie_run_hosts VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
			responses = responses + excluded.responses, failed = failed + excluded.failed, retries = retries + excluded.retries,
			bytes = bytes + excluded.bytes, duration_us = duration_us + excluded.duration_us, longest_us = max(longest_us, excluded.longest_us)`,
			run, id, h.responses, h.failed, h.retries, h.bytes, h.duration, h.longest)
		if err != nil {
			return err
		}
	}
	for at, f := range l.times {
		if err := c.putTime(at, *f); err != nil {
			return err
		}
		c.run.timeline.at[at] = true
	}
	if len(c.run.timeline.at) > maxSpans {
		return c.widenTimeline()
	}
	return nil
}

func (c *commit) putTime(at int64, f timeFigures) error {
	return c.tx.exec(`INSERT INTO magpie_timelines VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
		responses = responses + excluded.responses, failed = failed + excluded.failed, retries = retries + excluded.retries, bytes = bytes + excluded.bytes`,
		c.run.info.ID, at, f.responses, f.failed, f.retries, f.bytes)
}

func (c *commit) readTimeline() (*timeline, error) {
	l := &timeline{at: map[int64]bool{}}
	if _, err := c.tx.row(`SELECT timeline_ms FROM runs WHERE id = ?`, []any{c.run.info.ID}, &l.span); err != nil {
		return nil, err
	}
	figures, err := c.times()
	for at := range figures {
		l.at[at] = true
	}
	return l, err
}

// times reads the rows of the run's timeline.
func (c *commit) times() (map[int64]timeFigures, error) {
	rows, err := c.tx.query(`SELECT at, responses, failed, retries, bytes FROM magpie_timelines WHERE run_id = ?`, c.run.info.ID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := map[int64]timeFigures{}
	for rows.Next() {
		var at int64
		var f timeFigures
		if err := rows.Scan(&at, &f.responses, &f.failed, &f.retries, &f.bytes); err != nil {
			return nil, err
		}
		all[at] = f
	}
	return all, rows.Err()
}

// widenTimeline makes the spans of the run's timeline longer, until there are
// half as many as there may be.
func (c *commit) widenTimeline() error {
	figures, err := c.times()
	if err != nil {
		return err
	}
	span := c.run.timeline.span
	wider := map[int64]timeFigures{}
	for len(wider) == 0 || len(wider) > maxSpans/2 {
		span *= 2
		clear(wider)
		for at, f := range figures {
			sum := wider[at/span*span]
			sum.plus(f)
			wider[at/span*span] = sum
		}
	}
	if err := c.tx.exec(`DELETE FROM magpie_timelines WHERE run_id = ?`, c.run.info.ID); err != nil {
		return err
	}
	for _, at := range slices.Sorted(maps.Keys(wider)) {
		if err := c.putTime(at, wider[at]); err != nil {
			return err
		}
	}
	if err := c.tx.exec(`UPDATE runs SET timeline_ms = ? WHERE id = ?`, span, c.run.info.ID); err != nil {
		return err
	}
	l := &timeline{span: span, at: map[int64]bool{}}
	for at := range wider {
		l.at[at] = true
	}
	c.run.timeline = l
	return nil
}
