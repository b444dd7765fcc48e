//go:build !unix

package worktime

import "time"

var began = time.Now()

// Spent is how long this process has been there, for want of a better measure.
func Spent() time.Duration { return time.Since(began) }
