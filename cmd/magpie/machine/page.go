package machine

import (
	"fmt"
	"time"

	"github.com/magpie-crawl/magpie/store"
)

// Page is a page for programs.
type Page struct {
	Job      string     `json:"job"`
	Run      int        `json:"run"`
	URL      string     `json:"url"`
	State    string     `json:"state"`
	Reason   string     `json:"reason,omitempty"`
	Detail   string     `json:"detail,omitempty"`
	Depth    int        `json:"depth"`
	FoundOn  string     `json:"found_on,omitempty"`
	Tries    int        `json:"failed_tries,omitempty"`
	RetryAt  *time.Time `json:"retry_at,omitempty"`
	Response *Response  `json:"response,omitempty"`
}

type Response struct {
	FetchedAt  time.Time           `json:"fetched_at"`
	Seconds    float64             `json:"seconds"`
	Status     int                 `json:"status"`
	Header     map[string][]string `json:"header"`
	Location   string              `json:"location,omitempty"`
	Canonical  string              `json:"canonical,omitempty"`
	Size       int64               `json:"size"`
	SHA256     string              `json:"sha256"`
	Truncated  bool                `json:"truncated,omitempty"`
	Encoding   string              `json:"encoding,omitempty"`
	Confidence string              `json:"confidence,omitempty"`
	Source     string              `json:"source,omitempty"`
	Warnings   []string            `json:"warnings,omitempty"`
}

// PageOf returns p for programs.
func PageOf(p *store.Page) Page {
	m := Page{
		Job: p.Job, Run: p.Run, URL: p.URL, State: store.StateName(p.State), Reason: string(p.Reason),
		Detail: p.Detail, Depth: p.Depth, FoundOn: p.FoundOn,
		Tries: p.Attempts,
	}
	if !p.RetryAt.IsZero() {
		m.RetryAt = &p.RetryAt
	}
	if r := p.Response; r != nil {
		m.Response = &Response{
			FetchedAt: r.FetchedAt, Seconds: r.Duration.Seconds(), Status: r.Status, Header: r.Header, Location: r.Location, Canonical: r.Canonical,
			Size: r.Size, SHA256: fmt.Sprintf("%x", r.SHA256), Truncated: r.Truncated, Warnings: r.Warnings,
		}
		if r.Encoding.Name != "" {
			m.Response.Encoding, m.Response.Confidence, m.Response.Source = r.Encoding.Name, r.Encoding.Confidence.String(), r.Encoding.Source
		}
	}
	return m
}

// PageDetail is all that is known of a URL, for programs.
type PageDetail struct {
	Page
	Trail   []string `json:"trail"`   // how the job came to it, the nearest page first
	History []Page   `json:"history"` // what became of it in each run, oldest first
}
