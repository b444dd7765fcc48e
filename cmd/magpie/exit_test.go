package main

import (
	"bytes"
	"errors"
	"testing"
)

func TestReport(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"nothing", nil, ""},
		{"told already", errFailed, ""},
		{"one line", errors.New("disk is full"), "magpie: disk is full\n"},
		{"a line for each", errors.Join(errors.New("disk is full"), errors.New("let go of a job: disk is full")), "magpie: disk is full\n  let go of a job: disk is full\n"},
		{"hostile", errors.New("page \x1b[31m"), "magpie: page ␛[31m\n"},
		{"usage", &usageError{"magpie crawl", "name a job"}, "magpie: name a job\nSee: magpie crawl --help\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			a := &app{stderr: &out}
			a.report(tt.err)
			if out.String() != tt.want {
				t.Errorf("got %q, want %q", out.String(), tt.want)
			}
		})
	}
}
