//go:build unix

package steadytest

import (
	"syscall"
	"time"
)

// WorkTime is how long the processors have worked for this process so far, all
// its threads together. Tests of how work grows with what is given to it compare
// that: the time on the wall also has what the machine did for others.
func WorkTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // of the two arguments, neither can be wrong
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
