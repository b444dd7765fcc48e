package main

import (
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/magpie-crawl/magpie/internal/harmless"
)

// logOptions say what a command logs to standard error.
type logOptions struct {
	format *choiceFlag // nil or "auto": text, JSON with --json; a live line on a terminal
	level  *choiceFlag // nil or "auto": info, on a terminal errors alone
}

const auto = "auto"

// define adds the flags.
func (o *logOptions) define(cmd *cobra.Command) {
	o.format = addChoice(cmd, "log", "how to log to standard error; on a terminal, auto shows a live line instead", auto, "text", "json")
	o.level = addChoice(cmd, "log-level", "the least to log; debug has a line for each page, warn one for each failed page", auto, "debug", "info", "warn", "error")
}

func (f *choiceFlag) or(other string) string {
	if f == nil || f.value == auto {
		return other
	}
	return f.value
}

// lines tells whether log lines are wanted in place of a live line.
func (o *logOptions) lines() bool { return o.format.or(auto) != auto }

// newLogger returns a logger of lines to w. live is set where a live line is
// shown besides.
func (o *logOptions) newLogger(w io.Writer, json, live bool) *slog.Logger {
	format, least := "text", "info"
	if json {
		format = "json"
	}
	if live {
		least = "error"
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(o.level.or(least))); err != nil {
		panic(err) // the flag has other values than slog
	}
	if o.format.or(format) == "json" {
		return slog.New(slog.NewJSONHandler(jsonLines{w}, &slog.HandlerOptions{Level: level}))
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: harmlessAttr}))
}

// harmlessAttr makes text in a log harmless.
func harmlessAttr(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Resolve(); v.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(harmless.Text(v.String()))
	case slog.KindAny:
		if err, ok := v.Any().(error); ok {
			a.Value = slog.StringValue(harmless.Text(err.Error()))
		}
	}
	return a
}

// jsonLines is where a JSON handler writes whole lines to.
type jsonLines struct{ out io.Writer }

func (w jsonLines) Write(line []byte) (int, error) {
	if _, err := w.out.Write(harmless.JSON(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}
