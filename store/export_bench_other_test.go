//go:build !linux

package store

import "testing"

// peakMemory is not known here.
func peakMemory(*testing.B) float64 { return 0 }
