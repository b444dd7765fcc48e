package dashboard

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/cmd/magpie/web/chart"
	"github.com/magpie-crawl/magpie/crawl"
)

// livePage is what the live page shows.
type livePage struct {
	Job     daemon.Job
	State   state
	Events  string // where the stream is
	Glance  *liveFigures
	LastRun string // its page; "": there is none
	CanStop bool
}

// live is the page of a run that is going on.
func (d *dashboard) live(r *http.Request) (*view, error) {
	name := r.PathValue("job")
	j, f, err := d.readJob(r.Context(), name)
	if err != nil {
		return nil, err
	}
	p := &livePage{State: d.stateOf(j, f), Events: jobPath(name) + "/events"}
	if run := f.ended(); run != nil {
		p.LastRun = runPath(name, run.Number)
	}
	if j != nil {
		p.Job, p.CanStop = *j, j.State == daemon.Running
		if g := d.glance(name); !g.Ended {
			p.Glance = figuresOf(g)
		}
	}
	switch {
	case p.Glance == nil:
		p.Events += "?run=0"
	case p.Glance.Progress.Run.Number > 0:
		p.Events += "?run=" + strconv.Itoa(p.Glance.Progress.Run.Number)
	}
	p.Job.Name = name
	return &view{Template: "live", Title: "Live", Job: name, Tab: "live", Crumbs: []link{{Name: "Live"}}, Data: p}, nil
}

// liveFigures is a glance as a page shows it.
type liveFigures struct {
	*glance
	Run       string // its page
	Curve     template.HTML
	Records   int64
	Failed    []reasonCount
	Statuses  []statusCount
	Average   time.Duration // of a fetch
	Summary   string        // for those who listen
	Remaining string        // how long the queue takes at this rate; "": that can't be said
}

type reasonCount struct {
	Reason crawl.Reason
	Count  int64
}

type statusCount struct {
	Status int
	Count  int64
	Kind   string // of a mark
}

func figuresOf(g *glance) *liveFigures {
	p := &g.Progress
	f := &liveFigures{glance: g, Run: runPath(g.Job, p.Run.Number), Records: p.Run.Counters.Records()}
	rates := g.Rates
	f.Curve = chart.Curve(fmt.Sprintf("Pages a second over the last %d minutes, now %.1f", int(rateSpan.Minutes()), p.Rate), rates, rateSamples,
		fmt.Sprintf("%d minutes ago", int(rateSpan.Minutes())), "now", "pages a second")
	for _, reason := range byCount(g.Figures.Failures) {
		f.Failed = append(f.Failed, reasonCount{reason, g.Figures.Failures[reason]})
	}
	for _, status := range slices.Sorted(maps.Keys(g.Figures.Responses)) {
		f.Statuses = append(f.Statuses, statusCount{status, g.Figures.Responses[status], statusKind(status)})
	}
	if n := g.Figures.Fetches; n > 0 {
		f.Average = g.Figures.Duration / time.Duration(n)
	}
	if p.Rate > 0.05 && p.Queue > 0 {
		f.Remaining = span(time.Duration(float64(p.Queue) / p.Rate * float64(time.Second)))
	}
	f.Summary = fmt.Sprintf("%d pages, %.1f a second, %d in the queue, %d failed.", p.Run.Counters.Pages, p.Rate, p.Queue, p.Run.Counters.Failed)
	return f
}

// byCount are reasons, the most frequent first.
func byCount(counts map[crawl.Reason]int64) []crawl.Reason {
	return slices.SortedFunc(maps.Keys(counts), func(a, b crawl.Reason) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}

// statusKind is the mark of an HTTP status.
func statusKind(status int) string {
	switch {
	case status >= 500:
		return "bad"
	case status >= 400:
		return "warn"
	case status >= 300:
		return "idle"
	}
	return "ok"
}

// listenEvery is how often those who listen are told of the figures.
const listenEvery = 20 * time.Second

// liveEvents is the stream of the live page. Its ids are the numbers of runs,
// and the query names the run that the page shows, 0 for none: who asks for a
// run that has ended meanwhile, or shows none while one is going on, is told so.
func (d *dashboard) liveEvents(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("job")
	s, err := newStream(w, r)
	if err != nil {
		return
	}
	defer s.close()
	shows := cmp.Or(r.Header.Get("Last-Event-ID"), r.URL.Query().Get("run"))
	had, _ := strconv.Atoi(shows)
	if _, ok := d.jobs.Job(name); !ok {
		s.end("Not live: the job is not in the folder.")
		return
	}
	if _, ok := d.jobs.Crawler(name); !ok {
		if had == 0 && !d.untilRunning(s, name) {
			return
		}
		s.event("reload", "", "")
		return
	}
	if shows == "0" {
		s.event("reload", "", "")
		return
	}
	d.sendGlances(s, name, had)
}

// sendGlances sends what there is to see of a run until it ends or the reader
// is gone.
func (d *dashboard) sendGlances(s *stream, name string, had int) {
	glances, leave := d.watch(name)
	defer leave()
	var listened time.Time
	for {
		select {
		case <-s.ctx.Done():
			return
		case g := <-glances:
			run := g.Progress.Run.Number
			switch {
			case g.Ended || had > 0 && run > 0 && run != had:
				s.event("reload", "", "")
				return
			case run == 0: // it is just about to begin
				continue
			}
			had = run
			if d.sendGlance(s, g, &listened) != nil {
				return
			}
		}
	}
}

// sendGlance sends the fragments of one glance.
func (d *dashboard) sendGlance(s *stream, g *glance, listened *time.Time) error {
	f, id := figuresOf(g), strconv.Itoa(g.Progress.Run.Number)
	parts := []string{"figures", "rate", "classes", "hosts", "problems"}
	if g.At.Sub(*listened) >= listenEvery {
		*listened = g.At
		parts = append(parts, "summary")
	}
	for _, part := range parts {
		var b bytes.Buffer
		if err := d.templates.fragment(&b, "live", part, f); err != nil {
			d.Log.Error("draw a fragment", "fragment", part, "error", err)
			return err
		}
		if err := s.fragment(part, id, b.String()); err != nil {
			return err
		}
	}
	return s.beat()
}

// untilRunning waits until something crawls the job; false: the reader is gone.
func (d *dashboard) untilRunning(s *stream, name string) bool {
	beat := time.NewTicker(quiet)
	defer beat.Stop()
	for {
		changed := d.jobs.Changed()
		if _, ok := d.jobs.Crawler(name); ok {
			return true
		}
		select {
		case <-s.ctx.Done():
			return false
		case <-changed:
		case <-beat.C:
			if s.beat() != nil {
				return false
			}
		}
	}
}
