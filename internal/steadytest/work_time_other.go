//go:build !unix

package steadytest

import "time"

var began = time.Now()

// WorkTime is how long this process has been there, for want of a better measure.
func WorkTime() time.Duration { return time.Since(began) }
