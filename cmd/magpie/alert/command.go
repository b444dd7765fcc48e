package alert

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

// runCommand gives a message to a command. It fails if the exit code is not 0.
func runCommand(ctx context.Context, channel notify.Channel, m notify.Message) error {
	var args []string
	for _, template := range channel.Command {
		arg, err := template.Make(m)
		if err != nil {
			return fmt.Errorf("%w: %w", errNever, err)
		}
		args = append(args, short(strings.ReplaceAll(arg, "\x00", "")))
	}
	input, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("%w: %w", errNever, err)
	}
	cmd := exec.CommandContext(ctx, program(channel.Folder, args[0]), args[1:]...)
	cmd.Dir = channel.Folder
	cmd.Env = append(os.Environ(), environment(m)...)
	cmd.Stdin = bytes.NewReader(append(input, '\n'))
	said := &tail{}
	cmd.Stdout, cmd.Stderr = said, said
	endWithChildren(cmd)
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("it did not end within %s%s", channel.Timeout, said.text())
	case errors.Is(err, exec.ErrWaitDelay):
		return nil // it ended well, and left something running that has its output open
	case err != nil:
		return fmt.Errorf("%w%s", err, said.text())
	}
	return nil
}

// program is the path of a program: one with a slash is looked up in the
// folder of the file that names it, not in that of the process.
func program(folder, name string) string {
	if filepath.IsAbs(name) || !strings.ContainsRune(name, filepath.Separator) {
		return name
	}
	path := filepath.Join(folder, name)
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

// environment are the variables that tell a command of a message.
func environment(m notify.Message) []string {
	run := ""
	if len(m.Events) > 0 && m.Events[0].Run > 0 {
		run = strconv.Itoa(m.Events[0].Run)
	}
	url := m.URL
	if len(m.Events) == 1 && m.Events[0].URL != "" {
		url = m.Events[0].URL
	}
	list := []string{
		"MAGPIE_ID=" + m.ID,
		"MAGPIE_KIND=" + string(m.Kind),
		"MAGPIE_JOB=" + m.Job,
		"MAGPIE_RUN=" + run,
		"MAGPIE_SUBJECT=" + m.Subject,
		"MAGPIE_TEXT=" + m.Text,
		"MAGPIE_URL=" + url,
	}
	for i := range list {
		list[i] = short(strings.ReplaceAll(list[i], "\x00", ""))
	}
	return list
}

// maxWord is how long an argument or a variable may be, in bytes. Linux starts
// no program with one of 128 KiB or more: the message would never arrive. The
// whole of it is in the input.
const maxWord = 64 << 10

// short cuts a text that is too long for an argument.
func short(s string) string {
	if len(s) <= maxWord {
		return s
	}
	return strings.ToValidUTF8(s[:maxWord-len("…")], "") + "…"
}

// tail keeps the last of what a command says.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	const size = 300
	t.b = append(t.b, p[max(0, len(p)-size):]...)
	t.b = t.b[max(0, len(t.b)-size):]
	return len(p), nil
}

func (t *tail) text() string {
	if said := strings.TrimSpace(harmless.Text(strings.ToValidUTF8(strings.TrimSpace(string(t.b)), ""))); said != "" {
		return ": " + said
	}
	return ""
}
