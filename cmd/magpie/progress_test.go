package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

func TestProgressLog(t *testing.T) {
	for _, tt := range []struct {
		name string
		json bool
		want string
	}{
		{"text", false, `level=INFO msg=progress pages=3 rate=1.5`},
		{"json", true, `"msg":"progress","pages":3,"rate":1.5}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			p := startProgress(&out, logOptions{}, tt.json, func() []stat { return nil })
			p.show([]stat{{"pages", 3, "3 pages"}, {"rate", 1.5, ""}})
			p.stop()
			if !strings.HasSuffix(out.String(), tt.want+"\n") || strings.Contains(out.String(), "\r") {
				t.Errorf("got %q, want …%s", out.String(), tt.want)
			}
		})
	}
}

func TestHealth(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		name   string
		stored time.Time
		want   int
	}{
		{"not begun", time.Time{}, 200},
		{"at work", now.Add(-20 * time.Second), 200},
		{"stalled", now.Add(-2 * time.Minute), 503},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if text, code := health(crawl.Progress{Stored: tt.stored}, now); code != tt.want {
				t.Errorf("%d %s, want %d", code, text, tt.want)
			}
		})
	}
}

func TestWaitStat(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		name string
		p    crawl.Progress
		want string
	}{
		{"something in flight", crawl.Progress{InFlight: 1, NextHost: "x.test", NextAt: now.Add(time.Minute)}, ""},
		{"nothing to wait for", crawl.Progress{}, ""},
		{"a host's turn is later", crawl.Progress{NextHost: "x.test", NextAt: now.Add(20 * time.Second)}, "waiting 20s for x.test"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := waitStat(tt.p, now).text; got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestProgressLive(t *testing.T) {
	var out bytes.Buffer
	p := startProgress(&out, logOptions{}, false, func() []stat { return nil })
	p.mu.Lock()
	p.term = terminal{fd: -1, people: true} // 80 columns, as its size cannot be asked
	p.mu.Unlock()
	p.show([]stat{{"pages", 3, "3 pages"}, {"hidden", 0, ""}, {"host", "x", strings.Repeat("\x1b", 100)}})
	io.WriteString(p, "a line\n")
	p.show([]stat{{"pages", 4, "4 pages"}})
	p.stop()
	want := "\r3 pages · " + strings.Repeat("␛", 68) + "…\x1b[K" + "\r\x1b[Ka line\n" + "\r4 pages\x1b[K" + "\r\x1b[K"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
