package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/magpie-crawl/magpie/cmd/magpie/programtest"
)

// buildMagpie returns the path of the program.
func buildMagpie(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("short: the program is built for this test, without the race detector if there is one")
	}
	bin, err := programtest.Path()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// magpie runs the program and returns its standard output.
func magpie(t *testing.T, bin, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(bin, args...)
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("magpie %s: %v\n%s", strings.Join(args, " "), err, errs.Bytes())
	}
	return out
}

// code is the exit code of a command; -1: it was not run, or ended by a signal.
func code(err error) int {
	if err == nil {
		return 0
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return -1
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// output is what a program that runs has written so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
