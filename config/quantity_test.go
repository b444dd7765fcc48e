package config

import (
	"testing"
	"time"
)

func TestParseDuration(t *testing.T) {
	tests := []struct {
		in   string
		want time.Duration
		ok   bool
	}{
		{"0s", 0, true}, {"0", 0, true}, {"10m", 10 * time.Minute, true}, {"1h30m", 90 * time.Minute, true},
		{"1.5h", 90 * time.Minute, true}, {"500ms", 500 * time.Millisecond, true},
		{"1d", 24 * time.Hour, true}, {"2d12h", 60 * time.Hour, true}, {"0.5d", 12 * time.Hour, true},
		{"", 0, false}, {"d", 0, false}, {"5", 0, false}, {"-1s", 0, false}, {"-1d", 0, false}, {"1d-1h", 0, false},
		{"soon", 0, false}, {"1e9d", 0, false}, {"999999999999d", 0, false}, {"106751d24h", 0, false}, {"1w", 0, false}, {"1 h", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			got, ok := parseDuration(tt.in)
			if ok != tt.ok || ok && got != tt.want {
				t.Errorf("got %v, %v, want %v, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestParseSize(t *testing.T) {
	tests := []struct {
		in   string
		want int64
		ok   bool
	}{
		{"1000", 1000, true}, {"0", 0, true}, {"32MB", 32_000_000, true}, {"32 MB", 32_000_000, true}, {"32mb", 32_000_000, true},
		{"512KiB", 512 << 10, true}, {"1.5 MiB", 3 << 19, true}, {"2GB", 2_000_000_000, true}, {"1TiB", 1 << 40, true}, {"7B", 7, true},
		{"", 0, false}, {"MB", 0, false}, {"-1MB", 0, false}, {"32M", 0, false}, {"1e3", 0, false}, {"1,5MB", 0, false},
		{"99999999999TB", 0, false}, {"1.2.3MB", 0, false}, {"5 MB MB", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			got, ok := ParseSize(tt.in)
			if ok != tt.ok || ok && got != tt.want {
				t.Errorf("got %v, %v, want %v, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestNearest(t *testing.T) {
	names := []string{"css", "attr", "from", "all", "required", "per_host", "limits", "user_agent"}
	tests := []struct{ in, want string }{
		{"limit", "limits"}, {"perHost", "per_host"}, {"PER-HOST", "per_host"}, {"requierd", "required"}, {"atrr", "attr"},
		{"selector", "css"}, {"useragent", "user_agent"}, {"form", "from"}, {"cs", "css"},
		{"", ""}, {"x", ""}, {"nothing", ""}, {"ünlimits", "limits"},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			if got := nearest(tt.in, names); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
