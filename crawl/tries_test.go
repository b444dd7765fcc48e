package crawl_test

import (
	"fmt"
	"testing"
)

// faults is what a check found wrong.
type faults []string

func (f *faults) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

// try makes a check of what happens when, which a busy machine can upset by
// holding up a request on its way: up to five times, until nothing is wrong.
// What a crawl does wrong it does wrong each time.
func try(t *testing.T, check func(t *testing.T) faults) {
	t.Helper()
	var found faults
	for range 5 {
		if found = check(t); len(found) == 0 || t.Failed() {
			return
		}
		t.Logf("once more, because of %q", found)
	}
	for _, f := range found {
		t.Error(f)
	}
}
