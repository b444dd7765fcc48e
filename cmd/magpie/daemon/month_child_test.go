package daemon

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/clock/clocktest"
	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// childEnv has the test binary be a daemon: on the database and the folder
// jobs in the folder that it names.
const childEnv = "MAGPIE_TEST_DAEMON_IN"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		if err := beDaemon(dir, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	steadytest.FilesInMemory()
	os.Exit(m.Run())
}

// beDaemon is a daemon with a simulated clock. Each line it reads is a command
// and the time that the clock is set to; it answers "idle" once all runs have
// ended, and "stuck" where the command has it stop at some point. The first
// line begins it, and quit ends it.
func beDaemon(dir string, in io.Reader, out io.Writer) error {
	commands := bufio.NewScanner(in)
	read := func() (command string, at time.Time) {
		if !commands.Scan() {
			return "quit", time.Time{}
		}
		command, ms, _ := strings.Cut(commands.Text(), " ")
		n, _ := strconv.ParseInt(ms, 10, 64)
		return command, time.UnixMilli(n).UTC()
	}
	db, err := store.Open(filepath.Join(dir, "test.db"), store.Options{})
	if err != nil {
		return err
	}
	var stuck atomic.Value
	stuck.Store("")
	stick := func(where string) {
		if stuck.Load() == where {
			fmt.Fprintln(out, "stuck")
			select {}
		}
	}
	_, at := read()
	sim := clocktest.NewSimulated(at)
	d, err := New(Options{Dir: filepath.Join(dir, "jobs"), DB: db, Clock: sim, Log: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
		Prepare: func(string, *crawl.Options) { stick("before") },
		Ended:   func(context.Context, Ended) { stick("after") },
	})
	if err == nil {
		err = d.Begin(context.Background())
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	for command := "at"; command != "quit"; command, at = read() {
		stuck.Store(command)
		sim.Set(at)
		d.followSchedules(ctx)
		for busy := true; busy; {
			changed := d.Changed()
			if busy = slices.ContainsFunc(d.Jobs(), func(j Job) bool { return j.State != Idle }); busy {
				<-changed
			}
		}
		fmt.Fprintln(out, "idle")
	}
	cancel()
	if err := <-ended; err != nil {
		return err
	}
	return db.Close()
}

// child is a daemon in a process of its own.
type child struct {
	*exec.Cmd
	in      io.WriteCloser
	answers chan string
	errors  bytes.Buffer
}

// startChild starts a daemon, at the month's time.
func (m *killMonth) startChild() {
	m.t.Helper()
	self, err := os.Executable()
	if err != nil {
		m.t.Fatal(err)
	}
	c := &child{Cmd: exec.Command(self), answers: make(chan string, 9)}
	c.Env = append(os.Environ(), childEnv+"="+m.dir)
	c.Stderr = &c.errors
	out, err := c.StdoutPipe()
	if err == nil {
		c.in, err = c.StdinPipe()
	}
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		m.t.Fatal(err)
	}
	go func() {
		defer close(c.answers)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			c.answers <- lines.Text()
		}
	}()
	m.t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	m.child = c
	m.command("at", m.now)
}

// command gives the child a command, and the time of its clock.
func (m *killMonth) command(command string, at time.Time) {
	m.t.Helper()
	if _, err := fmt.Fprintf(m.child.in, "%s %d\n", command, at.UnixMilli()); err != nil {
		m.t.Fatal(err)
	}
}

// answer waits for one, and returns it.
func (m *killMonth) answer() string {
	m.t.Helper()
	select {
	case answer, ok := <-m.child.answers:
		if !ok {
			m.child.Wait()
			m.t.Fatalf("the daemon ended:\n%s", &m.child.errors)
		}
		return answer
	case <-time.After(steadytest.Patience):
		m.t.Fatalf("at %v: the daemon is not done\n%s", m.now, &m.child.errors)
	}
	return ""
}

// kill kills the child, which must have logged nothing.
func (m *killMonth) kill() {
	m.t.Helper()
	if err := m.child.Process.Kill(); err != nil {
		m.t.Fatal(err)
	}
	for range m.child.answers {
	}
	m.child.Wait()
	if m.child.errors.Len() > 0 {
		m.t.Errorf("logged:\n%s", &m.child.errors)
	}
}
