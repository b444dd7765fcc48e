//go:build unix

package worktime

import (
	"syscall"
	"time"
)

// Spent is how long the processors have worked for this process so far, all
// its threads together.
func Spent() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // of the two arguments, neither can be wrong
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
