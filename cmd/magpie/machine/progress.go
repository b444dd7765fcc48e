package machine

import (
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// Progress is where a run stands that is going on, for programs.
type Progress struct {
	Job      string         `json:"job"`
	Run      int            `json:"run"`
	Counters Counters       `json:"counters"`
	Queue    int64          `json:"queue"` // URLs known and not yet visited
	InFlight int64          `json:"in_flight"`
	AllHosts int64          `json:"all_hosts"`
	Seconds  float64        `json:"seconds"` // that this process has worked on it
	Stopping bool           `json:"stopping"`
	Hosts    []HostProgress `json:"hosts"`
}

// HostProgress is where a run stands with one host.
type HostProgress struct {
	Host     string     `json:"host"`
	InFlight int        `json:"in_flight"`
	Queue    int64      `json:"queue"`
	Next     *time.Time `json:"next,omitempty"` // when its next request may go out
	Wait     string     `json:"wait,omitempty"` // why not now
	Delay    float64    `json:"delay"`          // seconds between two requests
	Failures int        `json:"failures"`       // in a row
	Latency  float64    `json:"latency"`        // seconds, smoothed
}

// ProgressOf returns where a crawl stands, with so many of its hosts.
func ProgressOf(job string, crawler *crawl.Crawler, hosts int) Progress {
	p := crawler.Progress()
	m := Progress{Job: job, Run: p.Run.Number, Counters: CountersOf(p.Run.Counters), Queue: p.Queue, InFlight: p.InFlight,
		AllHosts: p.Hosts, Seconds: p.Elapsed.Seconds(), Stopping: p.Stopping, Hosts: []HostProgress{}}
	for _, h := range crawler.Hosts(hosts) {
		host := HostProgress{Host: h.Host, InFlight: h.InFlight, Queue: h.Queue, Wait: string(h.Wait), Delay: h.Delay.Seconds(), Failures: h.Failures, Latency: h.Latency.Seconds()}
		if !h.Next.IsZero() {
			host.Next = &h.Next
		}
		m.Hosts = append(m.Hosts, host)
	}
	return m
}
