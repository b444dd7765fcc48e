package steadytest

import (
	"testing"
	"time"
)

// Patience is how long a test waits for what is to come about. It only ends
// tests that would wait for ever.
const Patience = 2 * time.Minute

// Await waits until something is so, and ends the test where it does not come
// to be so within Patience. what names it.
func Await(t testing.TB, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(Patience); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for this: %s", what)
		}
	}
}
