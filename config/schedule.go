package config

import (
	"errors"
	"time"

	"github.com/magpie-crawl/magpie/config/schedule"
)

// schedule reads when the job runs by itself, and when it is silent.
func (d *decoder) schedule(v value, silence *int) schedule.Options {
	var o schedule.Options
	var start, end value
	found := len(d.mistakes)
	d.mapping(v, []key{
		{name: "cron", read: func(v value) { o.Cron = d.cron(v) }},
		{name: "zone", read: func(v value) { o.Zone = d.zone(v) }},
		{name: "jitter", read: func(v value) { o.Jitter = d.duration(v, "10m") }},
		{name: "start", read: func(v value) { start = v }},
		{name: "end", read: func(v value) { end = v }},
		{name: "overlap", read: func(v value) {
			i, _ := d.choice(v, schedule.OverlapNames)
			o.Overlap = schedule.Overlap(i)
		}},
		{name: "missed", read: func(v value) {
			i, _ := d.choice(v, schedule.MissedNames)
			o.Missed = schedule.Missed(i)
		}},
		{name: "silence", read: func(v value) { *silence = d.silence(v) }},
	})
	if _, has := v.get("cron"); !has && v.kind == mappingKind && !d.broken[v.node] {
		d.wrong(v.place, `cron is missing in schedule: say when the job runs, such as cron: "0 3 * * *"`)
	}
	o.Start, o.End = d.bound(start, o.Zone), d.bound(end, o.Zone)
	if len(d.mistakes) == found {
		d.checkSchedule(v, o)
	}
	return o
}

func (d *decoder) cron(v value) string {
	cron, ok := d.text(v, `"0 3 * * *"`)
	if ok {
		// Here, as the whole is looked at only when no part of it is wrong.
		d.checkSchedule(v, schedule.Options{Cron: cron})
	}
	return cron
}

// zone reads the name of a time zone.
func (d *decoder) zone(v value) *time.Location {
	name, ok := d.text(v, "Europe/Berlin")
	if !ok {
		return nil
	}
	zone, err := schedule.Zone(name)
	if err != nil {
		d.wrong(v.place, "%s", err)
	}
	return zone
}

// bound reads a date, which is its midnight in zone, or an RFC 3339 time. It
// is zero where v is not there.
func (d *decoder) bound(v value, zone *time.Location) time.Time {
	if v.node == nil {
		return time.Time{}
	}
	if zone == nil {
		zone = time.Local
	}
	if v.kind == textKind {
		if day, err := time.Parse(time.DateOnly, v.text); err == nil {
			return schedule.Midnight(day.Year(), day.Month(), day.Day(), zone)
		}
		// https://www.rfc-editor.org/rfc/rfc3339#section-5.6
		if t, err := time.Parse(time.RFC3339, v.text); err == nil {
			return t.In(zone)
		}
	}
	d.want(v, "a date such as 2026-12-31 or a time such as 2026-12-31T18:00:00Z")
	return time.Time{}
}

// checkSchedule finds the mistakes that show when the schedule is put together.
func (d *decoder) checkSchedule(v value, o schedule.Options) {
	_, err := schedule.New(o, "")
	if err == nil {
		return
	}
	at := v.place
	var mistake *schedule.Error
	if errors.As(err, &mistake) {
		if p, has := v.get(mistake.Key); has {
			at = p.value.place
		}
	}
	d.wrong(at, "%s", err)
}
