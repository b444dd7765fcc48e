package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/runner"
)

// What counts as a success or a failure of a run that was stopped.
func TestInterrupted(t *testing.T) {
	export := errors.New("export: the disk is full")
	for _, tt := range []struct {
		name    string
		stopped string
		outcome runner.Outcome
		want    bool
	}{
		{"finished", "", runner.Outcome{State: runner.Finished}, false},
		{"stopped", "hand", runner.Outcome{State: runner.Interrupted}, true},
		{"ended with its process", "", runner.Outcome{State: runner.Interrupted}, true},
		{"finished as it was stopped", "hand", runner.Outcome{State: runner.Finished}, false},
		{"finished as the next was due", "overlap", runner.Outcome{State: runner.Finished}, false},
		{"finished, and an export failed, as it was stopped", "shutdown", runner.Outcome{State: runner.Finished, Err: export}, false},
		{"finished, and its exports are left for the next process", "shutdown", runner.Outcome{State: runner.Finished, Err: fmt.Errorf("export: %w", context.Canceled)}, true},
		{"failed", "", runner.Outcome{State: runner.Failed, Err: export}, false},
		{"failed as it was stopped", "hand", runner.Outcome{State: runner.Failed, Err: export}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := interrupted(daemon.Ended{Stopped: tt.stopped, Outcome: &tt.outcome}); got != tt.want {
				t.Errorf("interrupted = %t", got)
			}
		})
	}
}
