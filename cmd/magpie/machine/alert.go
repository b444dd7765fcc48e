package machine

import (
	"time"

	"github.com/magpie-crawl/magpie/store"
)

// Alert is an open problem of a job, for programs.
type Alert struct {
	Job    string     `json:"job"`
	Kind   string     `json:"kind"`            // failure, silence or drift
	Since  *time.Time `json:"since,omitempty"` // of silence: the last success; none: never
	Last   time.Time  `json:"last"`            // when it last showed
	Count  int        `json:"count"`           // runs, or intervals of the schedule
	Run    int        `json:"run,omitempty"`   // number of the last of those runs
	Detail string     `json:"detail,omitempty"`
	Told   *time.Time `json:"told,omitempty"` // when a channel was last told of it
}

// AlertOf returns a for programs.
func AlertOf(a store.Alert) Alert {
	m := Alert{Job: a.Job, Kind: a.Kind, Last: a.Last, Count: a.Count, Run: a.Run, Detail: a.Detail}
	if !a.Since.IsZero() {
		m.Since = &a.Since
	}
	for _, at := range a.Told {
		if m.Told == nil || at.After(*m.Told) {
			m.Told = &at
		}
	}
	return m
}

// AlertMessage is a message about jobs, for programs.
type AlertMessage struct {
	ID      int64      `json:"id"`
	To      string     `json:"to"`
	State   string     `json:"state"` // due, sent or dropped
	Jobs    []string   `json:"jobs"`  // up to 20
	Events  int        `json:"events"`
	Created time.Time  `json:"created"`
	Due     *time.Time `json:"due,omitempty"` // when it is sent, or tried again
	Ended   *time.Time `json:"ended,omitempty"`
	Tries   int        `json:"failed_tries"`
	Error   string     `json:"error,omitempty"` // of the last try
}

// AlertMessageOf returns m for programs.
func AlertMessageOf(m store.AlertMessage) AlertMessage {
	out := AlertMessage{ID: m.ID, To: m.Name, State: string(m.State), Jobs: m.Jobs, Events: m.Events, Created: m.Created, Tries: m.Tries, Error: m.Error}
	if m.State == store.AlertDue {
		out.Due = &m.Due
	}
	if !m.Ended.IsZero() {
		out.Ended = &m.Ended
	}
	return out
}
