package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/internal/exposition"
)

// metricsWithin bounds what the metrics may ask of the database.
const metricsWithin = 5 * time.Second

// metrics answers with all figures in Prometheus' text format.
// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
func (m *monitor) metrics(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), metricsWithin)
	defer cancel()
	var t exposition.Text
	processMetrics(&t, m.Version)
	jobs := m.Daemon.Jobs()
	jobMetrics(&t, jobs)
	if err := m.storeMetrics(ctx, &t); err != nil {
		m.Log.Error("metrics", "err", err)
		tell(w, http.StatusServiceUnavailable, "the database does not answer: "+err.Error())
		return
	}
	crawlers := map[string]*crawl.Crawler{}
	for _, j := range jobs {
		if c, ok := m.Daemon.Crawler(j.Name); ok {
			crawlers[j.Name] = c
		}
	}
	var b bytes.Buffer
	if err := errors.Join(t.Write(&b), crawl.WriteMetrics(&b, crawlers)); err != nil {
		panic(err) // a buffer takes all
	}
	w.Header().Set("Content-Type", exposition.ContentType)
	w.Write(b.Bytes())
}

// WriteProcessMetrics writes what is known of this process.
func WriteProcessMetrics(w io.Writer, version string) error {
	var t exposition.Text
	processMetrics(&t, version)
	return t.Write(w)
}

func processMetrics(t *exposition.Text, version string) {
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	t.Metric("magpie_build_info", exposition.Gauge, "The version of the program; the value is always 1.")
	t.Sample("magpie_build_info", 1, "version", version, "goversion", runtime.Version())
	t.Single("go_goroutines", exposition.Gauge, "Number of goroutines.", float64(runtime.NumGoroutine()))
	t.Single("go_memstats_sys_bytes", exposition.Gauge, "Bytes of memory that the Go runtime has from the system; SQLite's are not among them.", float64(mem.Sys))
}

// jobMetrics writes what the daemon knows of its jobs.
func jobMetrics(t *exposition.Text, jobs []daemon.Job) {
	states := map[daemon.State]int{}
	faults, paused := 0, 0
	for _, j := range jobs {
		states[j.State]++
		if j.Fault != "" {
			faults++
		}
		if j.Paused {
			paused++
		}
	}
	t.Metric("magpie_jobs", exposition.Gauge, "Jobs of the folder by state.")
	for _, s := range []daemon.State{daemon.Idle, daemon.Queued, daemon.Running, daemon.Stopping} {
		t.Sample("magpie_jobs", float64(states[s]), "state", string(s))
	}
	t.Single("magpie_jobs_refused", exposition.Gauge, "Jobs whose file as it is now has mistakes.", float64(faults))
	t.Single("magpie_jobs_paused", exposition.Gauge, "Jobs whose schedule is off.", float64(paused))
	t.Metric("magpie_job_next_due_timestamp_seconds", exposition.Gauge, "When a job is due; jobs that are never due have none.")
	for _, j := range jobs {
		if !j.Next.IsZero() {
			t.Sample("magpie_job_next_due_timestamp_seconds", seconds(j.Next), "job", j.Name)
		}
	}
}

// storeMetrics writes what the database knows of jobs.
func (m *monitor) storeMetrics(ctx context.Context, t *exposition.Text) error {
	ended, err := m.DB.LastFinished(ctx)
	if err != nil {
		return err
	}
	tallies, err := m.DB.Tallies(ctx)
	if err != nil {
		return err
	}
	t.Metric("magpie_job_last_success_timestamp_seconds", exposition.Gauge, "When a job's last finished crawl ended.")
	for _, job := range slices.Sorted(maps.Keys(ended)) {
		t.Sample("magpie_job_last_success_timestamp_seconds", seconds(ended[job]), "job", job)
	}
	t.Metric("magpie_runs", exposition.Gauge, "Runs in the database by job and state.")
	for _, n := range tallies.Runs {
		t.Sample("magpie_runs", float64(n.Count), "job", n.Job, "state", n.What)
	}
	t.Metric("magpie_due_skipped", exposition.Gauge, "Due times in the database that no run took place for.")
	for _, n := range tallies.Skipped {
		t.Sample("magpie_due_skipped", float64(n.Count), "job", n.Job, "reason", n.What)
	}
	t.Single("magpie_messages_pending", exposition.Gauge, "Messages to webhooks that are still to be sent.", float64(tallies.Messages))
	t.Metric("magpie_alerts_open", exposition.Gauge, "Open problems of jobs by kind.")
	for _, n := range tallies.Alerts {
		t.Sample("magpie_alerts_open", float64(n.Count), "job", n.Job, "kind", n.What)
	}
	t.Single("magpie_alert_messages_pending", exposition.Gauge, "Messages about jobs that are still to be sent.", float64(tallies.AlertsDue))
	t.Single("magpie_alert_messages_dropped", exposition.Gauge, "Messages about jobs that were given up in the last 30 days.", float64(tallies.AlertsDropped))
	return nil
}

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
