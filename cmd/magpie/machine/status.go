package machine

import (
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// Status is a job's status for programs.
type Status struct {
	Job          string  `json:"job"`
	Holder       *Holder `json:"holder,omitempty"`
	Run          Run     `json:"run"`
	Previous     *Run    `json:"previous,omitempty"`
	PagesASecond float64 `json:"pages_a_second"`
	AllHosts     int     `json:"all_hosts"`
	Hosts        []Host  `json:"hosts"`
	Messages     int     `json:"messages,omitempty"` // to webhooks, that are to be sent

	MessageError string `json:"message_error,omitempty"` // why the first of those was not

	Schedule *Schedule `json:"schedule,omitempty"` // as a daemon follows it
}

type Holder struct {
	PID       int       `json:"pid"`
	Host      string    `json:"host"`
	Since     time.Time `json:"since"`
	Heartbeat time.Time `json:"heartbeat"`
}

type Host struct {
	Host    string       `json:"host"`
	Ready   int64        `json:"ready"`
	Waiting int64        `json:"waiting"`
	Next    *time.Time   `json:"next,omitempty"`
	Reason  crawl.Reason `json:"reason,omitempty"`
	Detail  string       `json:"detail,omitempty"`

	Politeness HostInfo `json:"politeness"`
}

// StatusOf returns s for programs.
func StatusOf(s *store.JobStatus) Status {
	m := Status{Job: s.Name, Run: RunOf(s.Latest), PagesASecond: s.Rate, AllHosts: s.AllHosts, Hosts: []Host{}, Messages: s.Messages, MessageError: s.MessageError, Schedule: ScheduleOf(s.Schedule, s.LastDue)}
	if h := s.Holder; h != nil {
		m.Holder = &Holder{h.PID, h.Host, h.Since, h.Heartbeat}
	}
	if s.Previous != nil {
		p := RunOf(*s.Previous)
		m.Previous = &p
	}
	for _, h := range s.Hosts {
		host := Host{Host: h.Host, Ready: h.Ready, Waiting: h.Waiting, Reason: h.Reason, Detail: h.Detail, Politeness: HostInfoOf(h.State)}
		if h.Waiting > 0 {
			host.Next = &h.Next
		}
		m.Hosts = append(m.Hosts, host)
	}
	return m
}

type HostInfo struct {
	NotBefore  *time.Time `json:"not_before,omitempty"`
	CrawlDelay float64    `json:"crawl_delay,omitempty"` // seconds
	Slow       float64    `json:"slow,omitempty"`        // seconds between requests, learned from overload
	Failures   int        `json:"failures,omitempty"`    // in a row
}

// HostInfoOf returns s for programs.
func HostInfoOf(s crawl.HostState) HostInfo {
	info := HostInfo{CrawlDelay: s.CrawlDelay.Seconds(), Slow: s.Slow.Seconds(), Failures: s.Failures}
	if !s.NotBefore.IsZero() {
		info.NotBefore = &s.NotBefore
	}
	return info
}
