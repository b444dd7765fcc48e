package dashboard

import "strings"

// settingsNote is what is to be said of the daemon's settings.
type settingsNote struct {
	File    string
	Faults  []string // lines: why the file as it is now is refused
	Restart string   // keys that change when the daemon is started again
}

// settingsNote says what is wrong with the settings, or not yet in use; nil:
// nothing is.
func (d *dashboard) settingsNote() *settingsNote {
	s := d.jobs.Settings()
	n := &settingsNote{File: s.File, Restart: strings.Join(s.Restart, ", ")}
	if s.Fault != "" {
		n.Faults = strings.Split(s.Fault, "\n")
	}
	if s.Fault == "" && n.Restart == "" {
		return nil
	}
	return n
}
