package config

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// parseDuration reads "90s", "1h30m", "1.5h" or "2d", and "0".
func parseDuration(s string) (time.Duration, bool) {
	days, rest, found := strings.Cut(s, "d")
	if !found {
		d, err := time.ParseDuration(s)
		return d, err == nil && d >= 0
	}
	n, ok := parseDecimal(days)
	if !ok || n*24 > math.MaxInt64/float64(time.Hour) {
		return 0, false
	}
	d := time.Duration(n * 24 * float64(time.Hour))
	if rest == "" {
		return d, true
	}
	more, err := time.ParseDuration(rest)
	return d + more, err == nil && more >= 0 && d+more >= d
}

// sizeUnits are the units of ParseSize in bytes.
var sizeUnits = map[string]float64{
	"": 1, "b": 1,
	"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	"kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
}

// ParseSize reads "32MB", "512 KiB" or "1000" as a number of bytes: MB is
// 10^6, MiB 2^20.
func ParseSize(s string) (int64, bool) {
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	unit, known := sizeUnits[strings.ToLower(strings.TrimSpace(s[len(digits):]))]
	n, ok := parseDecimal(digits)
	if !known || !ok || n*unit >= math.MaxInt64 {
		return 0, false
	}
	return int64(n * unit), true
}

// parseDecimal reads digits with at most one point, without a sign.
func parseDecimal(s string) (float64, bool) {
	if strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}
