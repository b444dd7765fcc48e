//go:build unix

package alert

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// script writes a program into the folder of a file of settings and returns
// the channel that is told by it.
func script(t *testing.T, entry, text string) (notify.Channel, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "page-me.sh"), []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	serve, err := config.ParseServe(filepath.Join(dir, "serve.yaml"), []byte("notify: "+entry))
	if err != nil {
		t.Fatal(err)
	}
	return serve.Notify[0], dir
}

// sample is a message that commands are to send.
func sample() notify.Message {
	return notify.Compose("msg_1", start, "https://magpie.example/", []notify.Event{
		{Kind: notify.Failure, Job: "books; rm -rf $(pwd)", Run: 7, Time: start, Count: 1, Detail: "no"},
	}, 0)
}

// sendSample sends the sample by a command.
func sendSample(t *testing.T, c notify.Channel) error {
	t.Helper()
	return (&Alerter{}).deliver(t.Context(), c, sample())
}

// written returns what a script has written into its folder.
func written(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

// TestCommand looks at what commands are given, and at how they fail.
func TestCommand(t *testing.T) {
	t.Run("arguments, input and environment", func(t *testing.T) {
		c, dir := script(t, `{command: [./page-me.sh, "--job={{.Job}}", "{{.Subject}}"]}`, `printf '%s\n' "$@" > args; cat > input; env | grep ^MAGPIE_ > env`)
		if err := sendSample(t, c); err != nil {
			t.Fatal(err)
		}
		if got, want := written(t, dir, "args"), "--job=books; rm -rf $(pwd)\nbooks; rm -rf $(pwd) failed\n"; got != want {
			t.Errorf("arguments: %s, want %s", got, want)
		}
		var in notify.Message
		if err := json.Unmarshal([]byte(written(t, dir, "input")), &in); err != nil || in.Events[0].Run != 7 || in.ID != "msg_1" {
			t.Errorf("input: %+v, %v", in, err)
		}
		env := written(t, dir, "env")
		for _, want := range []string{"MAGPIE_KIND=failure\n", "MAGPIE_RUN=7\n", "MAGPIE_JOB=books; rm -rf $(pwd)\n", "MAGPIE_URL=https://magpie.example/jobs/books%3B%20rm%20-rf%20$%28pwd%29/runs/7\n"} {
			if !strings.Contains(env, want) {
				t.Errorf("environment: %s lacks %s", env, want)
			}
		}
	})
	t.Run("a message that is longer than an argument may be", func(t *testing.T) {
		c, dir := script(t, `{command: [./page-me.sh, "{{.Text}}"]}`, `printf %s "$1" | wc -c > args; printf %s "$MAGPIE_TEXT" | wc -c > env; wc -c > input`)
		long := sample()
		long.Text = strings.Repeat("ä", 300_000)
		if err := (&Alerter{}).deliver(t.Context(), c, long); err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string][2]int{"args": {60_000, maxWord}, "env": {60_000, maxWord}, "input": {600_000, 700_000}} {
			if n, err := strconv.Atoi(strings.TrimSpace(written(t, dir, name))); err != nil || n < want[0] || n > want[1] {
				t.Errorf("%s: %d bytes, %v", name, n, err)
			}
		}
	})
	t.Run("an exit code is a failure", func(t *testing.T) {
		c, _ := script(t, `{command: [./page-me.sh]}`, `echo "the pager is \033[31mempty" >&2; exit 3`)
		if err := sendSample(t, c); err == nil || !strings.HasPrefix(err.Error(), "exit status 3: the pager is ") || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%v", err)
		}
	})
	t.Run("no such program", func(t *testing.T) {
		c, _ := script(t, `{command: [./nothing]}`, "")
		if err := sendSample(t, c); err == nil || !strings.Contains(err.Error(), "no such file") {
			t.Errorf("%v", err)
		}
	})
	t.Run("tried again until it works", func(t *testing.T) {
		c, dir := script(t, `{command: [./page-me.sh], group: 0s}`, `echo try >> tries; [ $(wc -l < tries) -ge 3 ]`)
		d := newDesk(t, "")
		job := d.job("books", "", "")
		job.Notify = []notify.Channel{c}
		d.jobs[0] = job
		d.ends(job, "no", 0)
		d.pass(time.Hour)
		if got := written(t, dir, "tries"); got != "try\ntry\ntry\n" {
			t.Errorf("%s", got)
		}
		if pending, err := d.pending(); err != nil || len(pending) != 0 {
			t.Errorf("%+v, %v", pending, err)
		}
	})
}

// TestCommandThatGoesOn has commands that do not end, or leave a program that
// does not.
func TestCommandThatGoesOn(t *testing.T) {
	t.Run("one that does not end, nor do its children", func(t *testing.T) {
		c, dir := script(t, `{command: [./page-me.sh]}`, `(exec 3>alive; echo begun >&3; sleep 3600) & sleep 3600`)
		if err := syscall.Mkfifo(filepath.Join(dir, "alive"), 0o600); err != nil {
			t.Fatal(err)
		}
		for c.Timeout = 200 * time.Millisecond; ; c.Timeout *= 2 {
			alive, err := os.OpenFile(filepath.Join(dir, "alive"), os.O_RDONLY|syscall.O_NONBLOCK, 0)
			if err != nil {
				t.Fatal(err)
			}
			if err := sendSample(t, c); err == nil || !strings.Contains(err.Error(), "did not end within "+c.Timeout.String()) {
				t.Errorf("%v", err)
			}
			// The pipe ends when nobody has it open who could write to it.
			alive.SetReadDeadline(time.Now().Add(steadytest.Patience))
			said, err := io.ReadAll(alive)
			alive.Close()
			if err != nil {
				t.Errorf("its child goes on: %v", err)
			}
			if len(said) > 0 || c.Timeout > steadytest.Patience {
				return
			}
			// It was ended before it had a child.
		}
	})
	t.Run("one that leaves a program running", func(t *testing.T) {
		c, dir := script(t, `{command: [./page-me.sh], timeout: 10m}`, `sleep 3600 & echo $! > left; exit 0`)
		began := time.Now()
		if err := sendSample(t, c); err != nil || time.Since(began) > steadytest.Patience {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		left, err := strconv.Atoi(strings.TrimSpace(written(t, dir, "left")))
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(left, syscall.SIGKILL); err != nil {
			t.Errorf("it was not left running: %v", err)
		}
	})
}
