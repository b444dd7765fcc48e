package notify

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// headline is an event without its details.
func (e *Event) headline() string {
	switch e.Kind {
	case trial:
		return "A trial message: what magpie has to tell arrives here"
	case Failure:
		if e.Count > 1 {
			return fmt.Sprintf("%s failed %d times since %s", e.Job, e.Count, when(e.Since))
		}
		return e.Job + " failed"
	case Silence:
		if e.Since.IsZero() {
			return fmt.Sprintf("%s has not succeeded yet, for %s of its schedule", e.Job, counted(int64(e.Count), "interval"))
		}
		return fmt.Sprintf("%s has not succeeded since %s, for %s of its schedule", e.Job, when(e.Since), counted(int64(e.Count), "interval"))
	case Drift:
		if e.Count > 1 {
			return fmt.Sprintf("%s drifted: %s, in %d runs since %s", e.Job, counted(int64(len(e.Drift)), "figure"), e.Count, when(e.Since))
		}
		return fmt.Sprintf("%s drifted: %s", e.Job, counted(int64(len(e.Drift)), "figure"))
	case Recovery:
		switch {
		case e.Count > 0:
			return fmt.Sprintf("%s is well again, after %s since %s", e.Job, counted(int64(e.Count), "failed run"), when(e.Since))
		case e.Since.IsZero():
			return e.Job + " is well again"
		default:
			return fmt.Sprintf("%s is well again, after it was silent since %s", e.Job, when(e.Since))
		}
	default:
		return fmt.Sprintf("%s changed: %d new, %d changed, %d gone", e.Job, e.New, e.Changed, e.Gone)
	}
}

// sentence is an event with its details.
func (e *Event) sentence() string {
	s := e.headline()
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if len(e.Drift) == 1 {
		s += ": " + e.Drift[0].What + ": " + e.Drift[0].Detail
	}
	return s
}

// text is the message for people, an event a paragraph.
func (m *Message) text() string {
	var b strings.Builder
	for i, e := range m.Events {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Text + "\n")
		if len(e.Drift) > 1 {
			for _, d := range e.Drift {
				fmt.Fprintf(&b, "  - %s: %s\n", d.What, d.Detail)
			}
		}
		fmt.Fprintf(&b, "  %s\n", e.Place())
		if e.URL != "" {
			fmt.Fprintf(&b, "  %s\n", e.URL)
		}
	}
	if m.More > 0 {
		fmt.Fprintf(&b, "\nand %d more\n", m.More)
	}
	return b.String()
}

// Place says when an event was, and in which run.
func (e Event) Place() string {
	if e.Run > 0 {
		return fmt.Sprintf("run %d, %s", e.Run, when(e.Time))
	}
	return when(e.Time)
}

// when writes a time for people, in the machine's zone.
func when(t time.Time) string { return t.Local().Format("2006-01-02 15:04 MST") }

func counted(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// jobURL is the page of a job or of its run in the dashboard at base.
func jobURL(base, job string, run int) string {
	if base == "" {
		return ""
	}
	u := strings.TrimSuffix(base, "/") + "/jobs/" + url.PathEscape(job)
	if run > 0 {
		u += fmt.Sprintf("/runs/%d", run)
	}
	return u
}
