// Package process tells processes apart that may use the same database, on one
// machine or several, and says which of them still run.
//
// [This] goes into the database with what a process holds there; whoever finds
// it asks [ID.Gone].
package process

import "os"

// ID tells one process from all others.
type ID struct {
	PID     int
	Host    string // for people
	Machine string // two processes with the same machine can see each other's PID
}

// This is the process that asks.
func This() ID {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return ID{PID: os.Getpid(), Host: host, Machine: machine(host)}
}

// Gone tells whether other is known not to run any more. Of one on another
// machine nothing is known.
func (id ID) Gone(other ID) bool {
	return other.Machine == id.Machine && !alive(other.PID)
}
