package alert

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/courier/couriertest"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/config/schedule"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/clock/clocktest"
	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// TestMain makes times in messages the same on every machine.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	steadytest.FilesInMemory()
	os.Exit(m.Run())
}

// receiver is a webhook for alerts.
type receiver struct{ *couriertest.Receiver }

type received struct {
	id, body string
	header   http.Header
	notify.Message
}

func newReceiver(t *testing.T) receiver { return receiver{couriertest.New(t)} }

// take returns what came since it was last called.
func (r receiver) take() (list []received) {
	for _, m := range r.Take() {
		var envelope struct{ Data notify.Message }
		if json.Unmarshal(m.Body, &envelope) != nil { // a template made it
			envelope.Data = notify.Message{}
		}
		list = append(list, received{id: m.ID, body: string(m.Body), header: m.Header, Message: envelope.Data})
	}
	return list
}

func (r receiver) subjects() []string {
	list := []string{}
	for _, m := range r.take() {
		list = append(list, m.Subject)
	}
	return list
}

// start is when the tests' clock begins.
var start = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

// desk is a database with an alerter and a clock that stands still.
type desk struct {
	t     *testing.T
	path  string
	clock *clocktest.Simulated
	db    *store.DB
	o     Options
	jobs  []Job
	*Alerter
}

func newDesk(t *testing.T, settings string) *desk {
	t.Helper()
	d := &desk{t: t, path: filepath.Join(t.TempDir(), "magpie.db"), clock: clocktest.NewSimulated(start)}
	serve, err := config.ParseServe("serve.yaml", []byte(settings))
	if err != nil {
		t.Fatal(err)
	}
	d.o = Options{Clock: d.clock, Settings: serve, Log: slog.New(slog.NewTextHandler(t.Output(), nil))}
	d.open()
	t.Cleanup(func() { d.db.Close() })
	return d
}

func (d *desk) open() {
	d.t.Helper()
	db, err := store.Open(d.path, store.Options{})
	if err != nil {
		d.t.Fatal(err)
	}
	d.db, d.o.DB = db, db
	if d.Alerter, err = New(d.o); err != nil {
		d.t.Fatal(err)
	}
}

// reopen is a new process that goes on with the database.
func (d *desk) reopen() {
	d.t.Helper()
	if err := d.db.Close(); err != nil {
		d.t.Fatal(err)
	}
	d.open()
}

// job makes a job that is due by cron, with what a job file says besides.
func (d *desk) job(name, cron, more string) Job {
	d.t.Helper()
	src := "start: https://example.com/\nname: " + name + "\n"
	if cron != "" {
		src += fmt.Sprintf("schedule: {cron: %q, zone: UTC}\n", cron)
	}
	c, err := config.Parse("jobs/job.yaml", []byte(src+more))
	if err != nil {
		d.t.Fatal(err)
	}
	var s *schedule.Schedule
	if cron != "" {
		if s, err = schedule.New(c.Schedule, c.Name); err != nil {
			d.t.Fatal(err)
		}
	}
	job := JobOf(c, s)
	d.jobs = append(d.jobs, job)
	return job
}

// ends tells that a run of a job has ended; "" is well.
func (d *desk) ends(job Job, why string, run int) {
	d.t.Helper()
	o := Outcome{Run: run}
	if why != "" {
		o.Err = errors.New(why)
	}
	if err := d.RunEnded(d.t.Context(), job, o); err != nil {
		d.t.Fatal(err)
	}
}

// send sends all that is due.
func (d *desk) send() {
	d.t.Helper()
	for {
		var sending sync.WaitGroup
		if _, err := d.round(d.t.Context(), &sending); err != nil {
			d.t.Fatal(err)
		}
		sending.Wait()
		due, err := d.db.DueAlertMessages(d.t.Context())
		if err != nil {
			d.t.Fatal(err)
		}
		if !slices.ContainsFunc(due, func(m store.AlertMessage) bool { return !m.Due.After(d.clock.Now()) }) {
			return
		}
	}
}

// pending lists the messages that are still to be sent, the first due first,
// and those that were given up lately.
func (d *desk) pending() ([]store.AlertMessage, error) {
	return Messages(d.t.Context(), d.db, "", "", 1000)
}

// pass lets time pass, by minutes.
func (d *desk) pass(t time.Duration) {
	d.t.Helper()
	for t > 0 {
		step := min(t, time.Minute)
		d.clock.Advance(step)
		t -= step
		d.tick()
		d.send()
	}
}

func (d *desk) tick() {
	d.t.Helper()
	if err := d.Tick(d.t.Context(), d.jobs); err != nil {
		d.t.Fatal(err)
	}
}

// site is a real site whose list is as long as it is told.
type site struct {
	*httptest.Server
	things, status int
	price          bool
}

// crawl crawls a site of so many things and returns the number of the run.
func (d *desk) crawl(name string, s *site) int {
	d.t.Helper()
	if s.Server == nil {
		s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/" {
				http.NotFound(w, r)
				return
			}
			if s.status != 0 {
				w.WriteHeader(s.status)
				return
			}
			w.Header().Set("Content-Type", "text/html")
			for i := range s.things {
				fmt.Fprintf(w, "<li><b>Thing %d</b>", i)
				if s.price {
					fmt.Fprintf(w, "<i>%d</i>", i)
				}
			}
		}))
		d.t.Cleanup(s.Close)
	}
	job, err := config.Parse("job.yaml", []byte("start: "+s.URL+"/\nname: "+name+
		"\nitems: {thing: {each: li, key: [name], fields: {name: b, price: {css: i, as: number}}}}\nhealth: {min_records: 5}\nretry: {times: 0}\n"))
	if err != nil {
		d.t.Fatal(err)
	}
	crawler, err := crawl.New(job.Options)
	if err != nil {
		d.t.Fatal(err)
	}
	summary, err := crawler.Crawl(d.t.Context(), d.db, crawl.Job{Name: job.Name, Source: job.Source, Items: job.Items})
	if err != nil {
		d.t.Fatal(err)
	}
	return summary.Run.Number
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n  %s\nwant\n  %s", what, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// hooked are settings that tell a receiver.
func hooked(r receiver, more string) string {
	return `notify: {webhook: "` + r.URL + `", secret: "${HOOK_SECRET}"` + more + "}\nurl: https://magpie.example/\n"
}

// hookedDesk is a desk that tells a receiver.
func hookedDesk(t *testing.T, more string) (receiver, *desk) {
	t.Helper()
	hook := newReceiver(t)
	return hook, newDesk(t, hooked(hook, more))
}
