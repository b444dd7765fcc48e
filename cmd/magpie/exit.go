package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2   // wrong usage or job file
	exitIncomplete  = 3   // finished, but with failed pages, rejects, drift where that counts, or messages that could not be sent
	exitInterrupted = 130 // state saved; as shells show a process that SIGINT ended
)

// Errors that say no more than how a command ended: what there was to tell
// has been told.
var (
	errUsage       = errors.New("wrong usage or job file")
	errFailed      = errors.New("failed")
	errIncomplete  = errors.New("finished with failed pages, rejects, drift or unsent messages")
	errInterrupted = errors.New("interrupted")
)

// usageError is a command line that asks for what there is not.
type usageError struct {
	command string // as typed, without arguments
	message string
}

func (e *usageError) Error() string { return e.message }

func usagef(cmd *cobra.Command, format string, args ...any) error {
	return &usageError{cmd.CommandPath(), fmt.Sprintf(format, args...)}
}

// exitCode is the exit code for what a command returned.
func exitCode(err error) int {
	var usage *usageError
	var mistakes config.Mistakes
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errInterrupted), errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, errIncomplete):
		return exitIncomplete
	case errors.Is(err, errUsage), errors.As(err, &usage), errors.As(err, &mistakes):
		return exitUsage
	default:
		return exitFailed
	}
}

// report tells the error that ended a command, unless it was told already.
func (a *app) report(err error) {
	var usage *usageError
	var mistakes config.Mistakes
	switch {
	case err == nil, err == errUsage, err == errFailed, err == errIncomplete, err == errInterrupted:
	case a.errors != nil:
		a.errors.Error(err.Error())
	case a.json:
		line := struct {
			Error    string          `json:"error"`
			Mistakes config.Mistakes `json:"mistakes,omitempty"`
		}{Error: err.Error()}
		if errors.As(err, &mistakes) {
			line.Error, line.Mistakes = errUsage.Error(), mistakes
		}
		out, _ := json.Marshal(line) // strings and numbers alone
		fmt.Fprintf(a.stderr, "%s\n", out)
	case errors.As(err, &mistakes):
		for _, m := range mistakes {
			fmt.Fprintln(a.stderr, harmless.Text(m.Error()))
		}
	case errors.As(err, &usage):
		fmt.Fprintf(a.stderr, "magpie: %s\nSee: %s --help\n", harmless.Text(usage.message), usage.command)
	default:
		fmt.Fprintf(a.stderr, "magpie: %s\n", strings.ReplaceAll(harmless.Lines(err.Error()), "\n", "\n  "))
	}
}
