package steadytest

import (
	"testing"
	"time"
)

func TestWorkTime(t *testing.T) {
	before, n := WorkTime(), 0
	for late := time.Now().Add(time.Minute); WorkTime() < before+time.Millisecond; n++ {
		if time.Now().After(late) {
			t.Fatalf("%d rounds of a loop took no time", n)
		}
	}
}
