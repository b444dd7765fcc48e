package main

import (
	"context"
	"log/slog"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// logVisit writes a line for a visit that was stored: a warning where the URL
// was given up, else for those who debug.
func logVisit(log *slog.Logger, v *crawl.Visit) {
	level, message := slog.LevelDebug, "page done"
	switch v.State {
	case crawl.Failed:
		level, message = slog.LevelWarn, "page failed"
	case crawl.Skipped:
		message = "page skipped"
	case crawl.Pending:
		message = "page put back"
	}
	ctx := context.Background()
	if !log.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{slog.String("url", v.Request.URL)}
	if v.Reason != "" {
		attrs = append(attrs, slog.String("reason", string(v.Reason)), slog.String("detail", v.Detail))
	}
	if p := v.Page; p != nil {
		attrs = append(attrs, slog.Int("status", p.Status), slog.Int("bytes", len(p.Body)),
			slog.Float64("seconds", p.Duration.Round(time.Microsecond).Seconds()))
		if p.Location != "" {
			attrs = append(attrs, slog.String("location", p.Location))
		}
	}
	if v.State == crawl.Done {
		attrs = append(attrs, slog.Int("depth", v.Request.Depth), slog.Int("links", len(v.Links)), slog.Int("records", len(v.Records)))
	}
	if v.State == crawl.Pending {
		attrs = append(attrs, slog.Time("retry_at", v.RetryAt))
	}
	if v.Request.Attempts > 0 {
		attrs = append(attrs, slog.Int("failed_tries", v.Request.Attempts))
	}
	log.LogAttrs(ctx, level, message, attrs...)
}

// logEnd writes how a crawl ended.
func logEnd(log *slog.Logger, job string, s *crawl.Summary) {
	c := s.Run.Counters
	message := "crawl interrupted"
	if s.Finished {
		message = "crawl finished"
	}
	attrs := []slog.Attr{slog.String("job", job), slog.Int("run", s.Run.Number)}
	if s.Reason != "" {
		attrs = append(attrs, slog.String("limit", s.Reason))
	}
	log.LogAttrs(context.Background(), slog.LevelInfo, message, append(attrs,
		slog.Int64("pages", c.Pages), slog.Int64("bytes", c.Bytes), slog.Int64("failed", c.Failed),
		slog.Int64("new", c.New), slog.Int64("changed", c.Changed), slog.Int64("unchanged", c.Unchanged),
		slog.Int64("rejects", c.Rejects), slog.Float64("seconds", s.Elapsed.Round(time.Millisecond).Seconds()))...)
}
