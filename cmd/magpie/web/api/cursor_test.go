package api

import (
	"testing"
)

// FuzzCursor: a cursor is a place or it is refused, whatever somebody sends.
func FuzzCursor(f *testing.F) {
	f.Add(encodeCursor("listRuns", 12))
	f.Add(encodeCursor("listRecords", `["a",1]`))
	f.Add("W10")
	f.Fuzz(func(t *testing.T, cursor string) {
		var n int
		if decodeCursor("listRuns", cursor, &n) == nil {
			var back int
			if err := decodeCursor("listRuns", encodeCursor("listRuns", n), &back); err != nil || back != n {
				t.Errorf("%q is %d, and that comes back as %d, %v", cursor, n, back, err)
			}
		}
		var text string
		decodeCursor("listRecords", cursor, &text)
	})
}
