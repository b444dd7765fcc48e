package machine

import "time"

// Settings is how the settings of a running magpie serve stand, for programs.
type Settings struct {
	File    string     `json:"file,omitempty"`    // its name; left out: there is none
	Fault   string     `json:"fault,omitempty"`   // why the file as it is now is refused: the settings stay as they were
	Since   *time.Time `json:"since,omitempty"`   // when they were taken up; left out: the server began with them
	Restart []string   `json:"restart,omitempty"` // keys that are used as the file has them when the server is started again
	Notify  []string   `json:"notify,omitempty"`  // who is told of jobs that say nothing of it
}

// Tried is what came of a trial message.
type Tried struct {
	To    string   `json:"to"`
	Jobs  []string `json:"jobs"` // that tell it; of those that say nothing themselves, the file of settings
	OK    bool     `json:"ok"`
	Error string   `json:"error,omitempty"`
}
