package fetch

import (
	"net/http"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	tests := []struct {
		name, value, date string
		want              time.Duration
		ok                bool
	}{
		{"seconds", "120", "", 2 * time.Minute, true},
		{"zero", "0", "", 0, true},
		{"spaces", " 5 ", "", 5 * time.Second, true},
		{"date", "Mon, 06 May 2024 07:10:09 GMT", "", 2 * time.Minute, true},
		{"date of old", "Monday, 06-May-24 07:10:09 GMT", "", 2 * time.Minute, true},
		{"date past", "Mon, 06 May 2024 07:00:00 GMT", "", 0, true},
		{"date by the server's clock", "Mon, 06 May 2024 12:00:30 GMT", "Mon, 06 May 2024 12:00:00 GMT", 30 * time.Second, true},
		{"date beside a Date that is none", "Mon, 06 May 2024 07:10:09 GMT", "today", 2 * time.Minute, true},
		{"a year", "31536000", "", MaxRetryAfter, true},
		{"beyond any number", "99999999999999999999999999999999", "", MaxRetryAfter, true},
		{"date far away", "Fri, 31 Dec 9999 23:59:59 GMT", "", MaxRetryAfter, true},
		{"missing", "", "", 0, false},
		{"negative", "-1", "", 0, false},
		{"decimal", "1.5", "", 0, false},
		{"words", "in a while", "", 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := http.Header{"Date": {tt.date}}
			if tt.value != "" {
				h.Set("Retry-After", tt.value)
			}
			if got, ok := RetryAfter(h, now); got != tt.want || ok != tt.ok {
				t.Errorf("got %v, %v; want %v, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}
