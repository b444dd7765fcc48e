package worktime

import (
	"testing"
	"time"
)

func TestSpent(t *testing.T) {
	before, n := Spent(), 0
	for late := time.Now().Add(time.Minute); Spent() < before+time.Millisecond; n++ {
		if time.Now().After(late) {
			t.Fatalf("%d rounds of a loop took no time", n)
		}
	}
}
