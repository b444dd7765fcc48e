package dashboard

import (
	"math"
	"sync"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// watchers look at crawls for as long as somebody looks at their pages: one
// for each job, however many look.
type watchers struct {
	mu   sync.Mutex
	jobs map[string]*watcher
}

// watcher takes the figures of a crawl once a second.
type watcher struct {
	job     string
	viewers map[chan *glance]struct{}
	samples []sample // the oldest first
	looking bool     // look is at work
}

// sample is the rate at a moment.
type sample struct {
	at    time.Time
	rate  float64
	bytes float64
}

// glance is a crawl as it was at a moment.
type glance struct {
	Job      string
	At       time.Time
	Ended    bool // nothing crawls the job any more
	Progress crawl.Progress
	Figures  crawl.Figures
	Hosts    []crawl.HostProgress
	Rates    []float64 // pages a second over rateSpan, the oldest first; NaN: nobody looked
}

// What is shown of the past, and how often it is looked at.
const (
	rateSpan    = 3 * time.Minute
	rateSamples = 90
	lookEvery   = time.Second
)

// shownHosts is how many hosts the live page lists.
const shownHosts = 25

// watch begins to look at a job's crawl. The channel has the latest glance
// alone: who reads slowly misses some. The caller must call leave.
func (d *dashboard) watch(job string) (glances <-chan *glance, leave func()) {
	ws := &d.watchers
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.jobs == nil {
		ws.jobs = map[string]*watcher{}
	}
	w := ws.jobs[job]
	if w == nil {
		w = &watcher{job: job, viewers: map[chan *glance]struct{}{}}
		ws.jobs[job] = w
	}
	c := make(chan *glance, 1)
	w.viewers[c] = struct{}{}
	if !w.looking {
		w.looking = true
		go d.look(w)
	}
	return c, func() {
		ws.mu.Lock()
		defer ws.mu.Unlock()
		delete(w.viewers, c)
	}
}

// look looks at a crawl until nobody wants to know any more.
func (d *dashboard) look(w *watcher) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		g := d.glance(w.job)
		if !d.watchers.pass(w, g) {
			return
		}
		<-ticker.C
	}
}

// glance takes a look at a job's crawl.
func (d *dashboard) glance(job string) *glance {
	g := &glance{Job: job, At: d.now()}
	c, ok := d.jobs.Crawler(job)
	if !ok {
		g.Ended = true
		return g
	}
	g.Progress, g.Figures, g.Hosts = c.Progress(), c.Figures(), c.Hosts(shownHosts)
	return g
}

// pass hands a glance to all who look; false: nobody does any more, or there
// is nothing more to see. Samples are kept for those who come back soon.
func (ws *watchers) pass(w *watcher, g *glance) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if len(w.viewers) == 0 || g.Ended {
		defer ws.forget(g.At)
	}
	if !g.Ended {
		w.samples = append(w.samples, sample{g.At, g.Progress.Rate, g.Progress.BytesRate})
		g.Rates = w.rates(g.At)
	}
	for c := range w.viewers {
		select {
		case <-c: // the one that was not read
		default:
		}
		c <- g
	}
	if g.Ended {
		delete(ws.jobs, w.job) // who looks now sees another run
	}
	w.looking = !g.Ended && len(w.viewers) > 0
	return w.looking
}

// forget drops watchers whose samples are of the past.
func (ws *watchers) forget(now time.Time) {
	for job, w := range ws.jobs {
		if len(w.viewers) == 0 && (len(w.samples) == 0 || now.Sub(w.samples[len(w.samples)-1].at) > rateSpan) {
			delete(ws.jobs, job)
		}
	}
}

// rates are the samples by slots of rateSpan; what is older is dropped.
func (w *watcher) rates(now time.Time) []float64 {
	const slot = rateSpan / rateSamples
	for len(w.samples) > 0 && (now.Sub(w.samples[0].at) >= rateSpan || w.samples[0].at.After(now)) {
		w.samples = w.samples[1:]
	}
	sums, counts := make([]float64, rateSamples), make([]float64, rateSamples)
	for _, s := range w.samples {
		i := rateSamples - 1 - int(now.Sub(s.at)/slot)
		sums[i] += s.rate
		counts[i]++
	}
	for i := range sums {
		sums[i] /= counts[i] // NaN without samples
	}
	for len(sums) > 0 && math.IsNaN(sums[0]) {
		sums = sums[1:]
	}
	return sums
}
