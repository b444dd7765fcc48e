package clock_test

import (
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/internal/clock"
)

func TestSystem(t *testing.T) {
	before := time.Now()
	now := clock.System.Now()
	if now != now.Round(0) || now.Before(before.Round(0)) || now.After(time.Now()) {
		t.Errorf("Now is %s", now)
	}
	select {
	case <-clock.System.After(time.Millisecond):
	case <-time.After(time.Minute):
		t.Error("After does not send")
	}
}
