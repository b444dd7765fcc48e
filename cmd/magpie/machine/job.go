package machine

import (
	"time"

	"github.com/magpie-crawl/magpie/config"
)

// Job is a job of a daemon's folder, for programs. One without a file is in the
// database alone: its file was taken away.
type Job struct {
	Job         string      `json:"job"`
	File        string      `json:"file,omitempty"`  // name in the folder
	Fault       string      `json:"fault,omitempty"` // why the file as it is now is refused: the job stays as it was before
	State       string      `json:"state"`           // idle, queued, running or stopping
	Since       *time.Time  `json:"since,omitempty"` // of the state
	Paused      bool        `json:"paused"`          // its schedule is off
	Schedule    string      `json:"schedule,omitempty"`
	Next        *time.Time  `json:"next,omitempty"`         // when it is due
	Run         int         `json:"run,omitempty"`          // that is going on
	Error       string      `json:"error,omitempty"`        // why the last run went wrong
	LastSuccess *time.Time  `json:"last_success,omitempty"` // end of the last finished crawl
	LastRun     *RunFigures `json:"last_run,omitempty"`
	Drifts      int         `json:"drifts"`   // figures of the last run that were worse than usual
	Records     int64       `json:"records"`  // current ones, as the counters of its runs say
	Messages    int         `json:"messages"` // to webhooks, that are to be sent
}

// Checked is what is to be said of the text of a job file.
type Checked struct {
	OK       bool            `json:"ok"`
	Job      string          `json:"job,omitempty"`      // its name
	Items    []string        `json:"items,omitempty"`    // names of its item types
	Next     []time.Time     `json:"next,omitempty"`     // the next times that it is due
	Mistakes config.Mistakes `json:"mistakes,omitempty"` // why it is refused
}

// Message is a message about a run that is still to be sent.
type Message struct {
	Job     string     `json:"job"`
	Run     int        `json:"run"`
	Event   string     `json:"event"` // finish, drift or changes
	Created time.Time  `json:"created"`
	Tries   int        `json:"failed_tries"`
	Due     *time.Time `json:"due,omitempty"` // of the next try; left out: now
	Error   string     `json:"error,omitempty"`
}
