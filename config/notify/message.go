package notify

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/magpie-crawl/magpie/internal/harmless"
)

// Message is what goes to a channel at once: one or more events. Its text is
// harmless already, see package harmless.
type Message struct {
	ID      string    `json:"id"`      // the same for each try to send it
	Time    time.Time `json:"time"`    // when it was put together
	Kind    Kind      `json:"kind"`    // of its gravest event
	Subject string    `json:"subject"` // one line
	Text    string    `json:"text"`    // all of it for people
	Job     string    `json:"job"`     // names of its jobs, with commas between them
	Jobs    []string  `json:"jobs"`
	URL     string    `json:"url,omitempty"` // of the dashboard
	Events  []Event   `json:"events"`
	More    int       `json:"more,omitempty"`  // events that are not in Events: they are too many
	Trial   bool      `json:"trial,omitempty"` // it has one event, and only shows that messages arrive
}

// Event is one thing that happened to a job.
type Event struct {
	Kind   Kind      `json:"kind"`
	Job    string    `json:"job"`
	Run    int       `json:"run,omitempty"` // number within the job; 0: there is none
	Time   time.Time `json:"time"`
	Since  time.Time `json:"since,omitzero"`   // when what is told of began; of silence: the last success, zero: never
	Count  int       `json:"count,omitempty"`  // runs in a row that were so, since then; of silence: intervals
	Detail string    `json:"detail,omitempty"` // the error
	Text   string    `json:"text"`             // all of it in a sentence
	URL    string    `json:"url,omitempty"`    // of the job or run in the dashboard

	Drift []Drifted `json:"drift,omitempty"`

	New     int64 `json:"new,omitempty"` // records
	Changed int64 `json:"changed,omitempty"`
	Gone    int64 `json:"gone,omitempty"`
}

// Drifted is a figure that was worse than usual.
type Drifted struct {
	What   string `json:"what"` // such as book.price
	Detail string `json:"detail"`
}

// Compose makes a message of events, which it orders by gravity. base is the
// dashboard's URL or "".
func Compose(id string, at time.Time, base string, events []Event, more int) Message {
	m := Message{ID: id, Time: at, URL: base, Events: slices.Clone(events), More: more}
	slices.SortStableFunc(m.Events, func(a, b Event) int { return slices.Index(gravity, a.Kind) - slices.Index(gravity, b.Kind) })
	for i := range m.Events {
		e := &m.Events[i]
		e.Text, e.URL = e.sentence(), jobURL(base, e.Job, e.Run)
		if !slices.Contains(m.Jobs, e.Job) {
			m.Jobs = append(m.Jobs, e.Job)
		}
	}
	if len(m.Events) > 0 {
		m.Kind = m.Events[0].Kind
	}
	m.Job = strings.Join(m.Jobs, ", ")
	m.Subject = m.subject()
	m.Text = m.text()
	return m
}

// Trial is a message that says no more than that messages arrive.
func Trial(id string, at time.Time, base string) Message {
	m := Compose(id, at, base, []Event{{Kind: trial, Job: "trial", Time: at}}, 0)
	m.Trial, m.Events[0].URL = true, ""
	return m
}

// Sample is a message with something in each part, for trying templates.
func Sample() Message {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return Compose("msg_sample", at, "https://magpie.example/", []Event{
		{Kind: Failure, Job: "books", Run: 12, Time: at, Since: at, Count: 1, Detail: "nothing was fetched"},
		{Kind: Drift, Job: "lamps", Run: 3, Time: at, Since: at, Count: 1, Drift: []Drifted{{"lamp.price", "12% of 300 records have it, usually 98%"}}},
	}, 0)
}

// subjectNames is how many jobs a subject names of each kind.
const subjectNames = 3

// subject is the message in a line: "3 jobs failed: books, lamps and tools".
func (m *Message) subject() string {
	if len(m.Events) == 1 && m.More == 0 {
		return short(m.Events[0].headline())
	}
	var parts []string
	for _, kind := range gravity {
		var jobs []string
		for _, e := range m.Events {
			if e.Kind == kind && !slices.Contains(jobs, e.Job) {
				jobs = append(jobs, e.Job)
			}
		}
		if len(jobs) > 0 {
			parts = append(parts, kind.ofJobs(len(jobs))+": "+named(jobs))
		}
	}
	if m.More > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", m.More))
	}
	return short(strings.Join(parts, "; "))
}

// ofJobs says what became of n jobs.
func (k Kind) ofJobs(n int) string {
	one := map[Kind]string{Failure: "job failed", Silence: "job is silent", Drift: "job drifted", Recovery: "job is well again", Changes: "job changed"}
	many := map[Kind]string{Failure: "jobs failed", Silence: "jobs are silent", Drift: "jobs drifted", Recovery: "jobs are well again", Changes: "jobs changed"}
	if n == 1 {
		return "1 " + one[k]
	}
	return fmt.Sprintf("%d %s", n, many[k])
}

// named lists jobs, of many the first.
func named(jobs []string) string {
	if len(jobs) <= subjectNames {
		return strings.Join(jobs, ", ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(jobs[:subjectNames-1], ", "), len(jobs)-subjectNames+1)
}

// Line is text as one harmless line of up to 150 characters.
func Line(text string) string { return short(harmless.Text(strings.Join(strings.Fields(text), " "))) }

// short cuts a line at 150 characters.
func short(s string) string {
	const limit = 150
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:limit-1])) + "…"
}
