package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store"
)

// shop is a host that several crawls are at: below each of its folders is a
// start page with n others, which take a while to come.
type shop struct {
	*site
	folders []string
	takes   time.Duration

	mu     sync.Mutex
	log    []arrival
	active map[string]int // requests in flight by folder
	shared int            // requests that came in while one of another folder was in flight
}

type arrival struct {
	at       time.Time
	folder   string
	inFlight int // with this one
}

func newShop(t *testing.T, folders, n int, takes time.Duration) *shop {
	s := &shop{site: newSite(t), takes: takes, active: map[string]int{}}
	for i := range folders {
		folder := fmt.Sprintf("/job%d/", i)
		s.folders = append(s.folders, folder)
		var refs []string
		for j := range n {
			path := fmt.Sprintf("%s%d", folder, j)
			refs = append(refs, path)
			s.page(path)
		}
		s.page(folder, refs...)
	}
	s.Config.Handler = s
	return s
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	folder := r.Header.Get("Job")
	s.mu.Lock()
	now, sum := time.Now(), 1
	for _, n := range s.active {
		sum += n
	}
	s.active[folder]++
	s.log = append(s.log, arrival{now, folder, sum})
	if sum > s.active[folder] {
		s.shared++
	}
	s.mu.Unlock()
	time.Sleep(s.takes)
	s.site.ServeHTTP(w, r)
	s.mu.Lock()
	s.active[folder]--
	s.mu.Unlock()
}

// job are the options of the crawl of one folder.
func (s *shop) job(t *testing.T, i int, shared *crawl.Hosts, change func(*crawl.Options)) crawl.Options {
	return quick(t, s.site, func(o *crawl.Options) {
		o.Start = []string{s.URL + s.folders[i]}
		o.Hosts = shared
		o.Requests.Header = map[string]string{"Job": s.folders[i]}
		if change != nil {
			change(o)
		}
	})
}

// together runs crawls at the same time, each in a database of its own, and
// returns how they went.
func together(t *testing.T, jobs ...crawl.Options) []*crawl.Summary {
	sums, dbs := make([]*crawl.Summary, len(jobs)), make([]*store.DB, len(jobs))
	for i := range jobs {
		dbs[i] = openStore(t)
	}
	var all sync.WaitGroup
	for i, o := range jobs {
		all.Go(func() { sums[i] = run(t, dbs[i], o) })
	}
	all.Wait()
	return sums
}

// met lets crawls wait for each other: each goes on from its first visit once
// all of n are there.
type met struct {
	once  []sync.Once
	ready sync.WaitGroup
}

func newMet(n int) *met {
	m := &met{once: make([]sync.Once, n)}
	m.ready.Add(n)
	return m
}

// wait is an OnVisit of the crawl i.
func (m *met) wait(i int) func(*crawl.Visit) {
	return func(*crawl.Visit) {
		m.once[i].Do(func() { m.ready.Done(); m.ready.Wait() })
	}
}

// apart wants all requests, of whatever job, with the delay between them. held
// is for how long the machine has held things up.
func (s *shop) apart(delay, held time.Duration) (f faults) {
	least := delay - max(0, held-delay/20)
	for i := 1; i < len(s.log); i++ {
		if gap := s.log[i].at.Sub(s.log[i-1].at); gap < least {
			f.add("request %d, of %s, came %v after that of %s, want at least %v", i, s.log[i].folder, gap, s.log[i-1].folder, least)
		}
	}
	return f
}

// stopped begins a crawl that is stopped by the function that it returns, once
// it has sent a first request.
func stopped(t *testing.T, o crawl.Options) func() *crawl.Summary {
	t.Helper()
	c, err := crawl.New(o)
	if err != nil {
		t.Fatal(err)
	}
	db, ended := openStore(t), make(chan *crawl.Summary, 1)
	go func() {
		sum, err := c.Crawl(t.Context(), db, crawl.Job{Name: "test"})
		if err != nil {
			t.Error(err)
		}
		ended <- sum
	}()
	until(t, c, func(h crawl.HostProgress) bool {
		return h.InFlight == 0 && h.Next.After(time.Now().Add(10*time.Second))
	})
	return func() *crawl.Summary { c.Stop(); return <-ended }
}

// longest is how many requests in a row, at most, were of one job while all
// had further pages to ask for.
func (s *shop) longest() int {
	known := 4 // robots.txt, the start page, and what came while others drew level
	seen, last := map[string]int{}, map[string]int{}
	from, to := 0, len(s.log)
	for i, a := range s.log {
		if seen[a.folder]++; seen[a.folder] == known {
			from = i
		}
		last[a.folder] = i
	}
	for _, i := range last {
		to = min(to, i)
	}
	row, most := 0, 0
	for i := from + 1; i < to; i++ {
		if row++; s.log[i].folder != s.log[i-1].folder {
			row = 1
		}
		most = max(most, row)
	}
	return most
}

// during is what came from the first request of a job to its last.
func (s *shop) during(folder string) []arrival {
	first, last := len(s.log), 0
	for i, a := range s.log {
		if a.folder == folder {
			first, last = min(first, i), i
		}
	}
	return s.log[first : last+1]
}

func TestCrawlsShareHosts(t *testing.T) {
	wantPages := func(t *testing.T, sums []*crawl.Summary, each int64) {
		t.Helper()
		for i, sum := range sums {
			if sum == nil || sum.Run.Counters.Pages != each || !sum.Finished {
				t.Errorf("job %d: %+v, want %d pages", i, sum, each)
			}
		}
	}
	for _, jobs := range []int{2, 3} {
		t.Run(fmt.Sprintf("requests in flight of %d crawls", jobs), func(t *testing.T) {
			t.Parallel()
			try(t, func(t *testing.T) (f faults) {
				s, hosts, met := newShop(t, jobs, 30, 5*time.Millisecond), new(crawl.Hosts), newMet(jobs)
				var all []crawl.Options
				for i := range jobs {
					all = append(all, s.job(t, i, hosts, func(o *crawl.Options) { o.Politeness.PerHost = 3 + i; o.OnVisit = met.wait(i) }))
				}
				wantPages(t, together(t, all...), 31)
				peak := 0
				for _, a := range s.during(s.folders[0]) {
					peak = max(peak, a.inFlight)
				}
				if peak > 3 {
					t.Errorf("%d requests at once, want 3", peak)
				}
				if peak < 2 {
					f.add("one request at a time")
				}
				if s.shared == 0 {
					f.add("the crawls were not at the host at the same time")
				}
				if n := s.longest(); n > 6 {
					f.add("%d requests in a row of one job while others waited", n)
				}
				return f
			})
		})
		t.Run(fmt.Sprintf("delay of %d crawls", jobs), func(t *testing.T) {
			t.Parallel()
			const delay = 60 * time.Millisecond
			try(t, func(t *testing.T) faults {
				s, hosts := newShop(t, jobs, 6, 0), new(crawl.Hosts)
				machine := holdUps(t)
				var all []crawl.Options
				for i := range jobs {
					all = append(all, s.job(t, i, hosts, func(o *crawl.Options) { o.Politeness.Delay = delay }))
				}
				wantPages(t, together(t, all...), 7)
				f := s.apart(delay, 2*machine())
				if n := s.longest(); n > 2 {
					f.add("%d requests in a row of one job while others waited", n)
				}
				return f
			})
		})
	}
	t.Run("the longest delay holds for all", func(t *testing.T) {
		t.Parallel()
		const delay = 60 * time.Millisecond
		try(t, func(t *testing.T) faults {
			s, hosts := newShop(t, 2, 6, 0), new(crawl.Hosts)
			machine := holdUps(t)
			slow := s.job(t, 0, hosts, func(o *crawl.Options) { o.Politeness.Delay = delay })
			quick := s.job(t, 1, hosts, func(o *crawl.Options) { o.Politeness.Delay = delay / 10 })
			wantPages(t, together(t, slow, quick), 7)
			// Once the slow one is there, and until it is through.
			s.log = s.during(s.folders[0])
			f := s.apart(delay, 2*machine())
			if len(s.log) < 10 {
				f.add("%d requests while both were there", len(s.log))
			}
			return f
		})
	})
	t.Run("one alone at a time that allows one", func(t *testing.T) {
		t.Parallel()
		s, hosts := newShop(t, 2, 20, 3*time.Millisecond), new(crawl.Hosts)
		strict := s.job(t, 0, hosts, func(o *crawl.Options) { o.Politeness.PerHost = 1 })
		eager := s.job(t, 1, hosts, func(o *crawl.Options) { o.Politeness.PerHost = 8; o.Limits.Pages = 10 })
		sums := together(t, strict, eager)
		wantPages(t, sums[:1], 21)
		wantPages(t, sums[1:], 10)
		for i, a := range s.during(s.folders[0]) {
			if a.inFlight > 1 {
				t.Errorf("request %d of %s came in while %d others were in flight", i, a.folder, a.inFlight-1)
			}
		}
	})
	t.Run("Crawl-delay that one obeys holds for one that does not ask", func(t *testing.T) {
		t.Parallel()
		try(t, func(t *testing.T) faults {
			s, hosts := newShop(t, 2, 6, 0), new(crawl.Hosts)
			s.text("/robots.txt", "User-agent: *\nCrawl-delay: 0.06")
			machine := holdUps(t)
			obeys := s.job(t, 0, hosts, nil)
			ignores := s.job(t, 1, hosts, func(o *crawl.Options) { o.Politeness.Robots = crawl.RobotsIgnore })
			wantPages(t, together(t, obeys, ignores), 7)
			s.log = s.during(s.folders[0])[1:] // from the answer to the first one's robots.txt
			return s.apart(60*time.Millisecond, 2*machine())
		})
	})
	t.Run("other hosts are nobody's business", func(t *testing.T) {
		t.Parallel()
		hosts := new(crawl.Hosts)
		slow, quick := newShop(t, 1, 5, 0), newShop(t, 1, 40, 0)
		stop := stopped(t, slow.job(t, 0, hosts, func(o *crawl.Options) { o.Politeness.Delay = time.Hour }))
		wantPages(t, together(t, quick.job(t, 0, hosts, nil)), 41) // and does not wait for the slow one
		if sum := stop(); sum.Finished || len(slow.log) > 1 {
			t.Errorf("%+v, %d requests to the slow host", sum, len(slow.log))
		}
	})
}

// What one crawl is told holds for those that are there and for those that
// come later.
func TestCrawlsShareLessons(t *testing.T) {
	t.Run("Retry-After", func(t *testing.T) {
		t.Parallel()
		s, hosts := newShop(t, 3, 8, 0), new(crawl.Hosts)
		var mu sync.Mutex
		var refused time.Time
		inner := s.pages["/job0/3"]
		s.pages["/job0/3"] = func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			if refused.IsZero() {
				refused = time.Now()
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			inner(w, r)
		}
		change := func(o *crawl.Options) { o.Politeness.PerHost = 1; o.Politeness.Delay = 20 * time.Millisecond }
		late := make(chan *crawl.Summary)
		go func() {
			time.Sleep(500 * time.Millisecond)
			late <- run(t, openStore(t), s.job(t, 2, hosts, change))
		}()
		together(t, s.job(t, 0, hosts, change), s.job(t, 1, hosts, change))
		if sum := <-late; sum.Run.Counters.Pages != 9 {
			t.Errorf("late: %+v", sum)
		}
		for _, a := range s.log {
			if after := a.at.Sub(refused); after > 0 && after < time.Second {
				t.Errorf("%s asked %v after the host wanted to be left alone for 1s", a.folder, after)
			}
		}
	})
	t.Run("a host that is down", func(t *testing.T) {
		t.Parallel()
		s, hosts := newShop(t, 2, 40, 0), new(crawl.Hosts)
		fails := func(path string) { s.first(1<<30, path, http.StatusTooManyRequests) }
		for _, folder := range s.folders {
			for i := range 40 {
				fails(fmt.Sprintf("%s%d", folder, i))
			}
		}
		met := newMet(2)
		job := func(i int) crawl.Options {
			return s.job(t, i, hosts, func(o *crawl.Options) {
				o.Politeness.Adaptive = crawl.AdaptiveOff
				o.Politeness.PerHost = 1
				o.Retry.Times = -1
				o.OnVisit = met.wait(i)
			})
		}
		sums := together(t, job(0), job(1))
		down := int64(0)
		for i, sum := range sums {
			n := sum.Run.Counters.Failures[crawl.ReasonHostDown]
			if down += n; n == 0 {
				t.Errorf("job %d did not learn that the host is down: %+v", i, sum.Run.Counters)
			}
		}
		// Two robots.txt, two start pages, and ten failures in a row, but for
		// those before the last good answer. Alone, each would send 12.
		if n := len(s.log); n < 12 || n > 20 || down != 84-int64(n) {
			t.Errorf("%d requests, %d URLs given up", n, down)
		}
	})
	t.Run("a robots.txt that one cannot read is its own affair", func(t *testing.T) {
		t.Parallel()
		s, hosts := newShop(t, 2, 10, 0), new(crawl.Hosts)
		s.status("/robots.txt", http.StatusInternalServerError)
		stop := stopped(t, s.job(t, 0, hosts, func(o *crawl.Options) { o.Retry.Delay = time.Hour }))
		ignores := s.job(t, 1, hosts, func(o *crawl.Options) { o.Politeness.Robots = crawl.RobotsIgnore })
		sums := together(t, ignores)
		if sum := stop(); sums[0].Run.Counters.Pages != 11 || sum.Finished || sum.Run.Counters.Pages > 0 {
			t.Errorf("%+v, %+v", sums[0].Run.Counters, sum)
		}
	})
}

func TestStoppedCrawlFreesItsPlaces(t *testing.T) {
	for name, hard := range map[string]bool{"softly": false, "hard, with requests in flight": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, hosts := newShop(t, 2, 20, 2*time.Millisecond), new(crawl.Hosts)
			hangs, hang := make(chan struct{}), make(chan struct{})
			s.pages["/job0/4"] = func(w http.ResponseWriter, r *http.Request) {
				hangs <- struct{}{}
				select {
				case <-hang:
				case <-r.Context().Done():
				}
			}
			stopped, err := crawl.New(s.job(t, 0, hosts, func(o *crawl.Options) { o.Politeness.PerHost = 1 }))
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				_, err := stopped.Crawl(ctx, openStore(t), crawl.Job{Name: "test"})
				ended <- err
			}()
			<-hangs
			other := make(chan *crawl.Summary)
			go func() { other <- run(t, openStore(t), s.job(t, 1, hosts, nil)) }()
			select {
			case <-other:
				t.Fatal("the other crawl went on while the only place was taken")
			case <-time.After(300 * time.Millisecond):
			}
			if hard {
				cancel()
				if err := <-ended; err == nil {
					t.Error("no error of a crawl that was broken off")
				}
			} else {
				stopped.Stop()
				hang <- struct{}{}
				if err := <-ended; err != nil {
					t.Error(err)
				}
			}
			if sum := <-other; sum.Run.Counters.Pages != 21 {
				t.Errorf("%+v, want 21 pages", sum.Run.Counters)
			}
		})
	}
}
