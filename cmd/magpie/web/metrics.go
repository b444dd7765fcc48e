package web

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/daemon"
	"github.com/magpie-crawl/magpie/crawl"
)

// metricsWithin bounds what the metrics may ask of the database.
const metricsWithin = 5 * time.Second

// metrics answers with all figures in Prometheus' text format.
// https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
func (m *monitor) metrics(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), metricsWithin)
	defer cancel()
	var b bytes.Buffer
	WriteProcessMetrics(&b, m.Version)
	jobs := m.Daemon.Jobs()
	writeJobMetrics(&b, jobs)
	if err := m.writeStoreMetrics(ctx, &b); err != nil {
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
	if err := crawl.WriteMetrics(&b, crawlers); err != nil {
		panic(err) // a buffer takes all
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write(b.Bytes())
}

// WriteProcessMetrics writes what is known of this process.
func WriteProcessMetrics(w io.Writer, version string) {
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	gauge(w, "magpie_build_info", "The version of the program; the value is always 1.")
	sample(w, "magpie_build_info", 1, "version", version, "goversion", runtime.Version())
	gauge(w, "go_goroutines", "Number of goroutines.")
	sample(w, "go_goroutines", float64(runtime.NumGoroutine()))
	gauge(w, "go_memstats_sys_bytes", "Bytes of memory that the Go runtime has from the system; SQLite's are not among them.")
	sample(w, "go_memstats_sys_bytes", float64(mem.Sys))
}

// writeJobMetrics writes what the daemon knows of its jobs.
func writeJobMetrics(w io.Writer, jobs []daemon.Job) {
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
	gauge(w, "magpie_jobs", "Jobs of the folder by state.")
	for _, s := range []daemon.State{daemon.Idle, daemon.Queued, daemon.Running, daemon.Stopping} {
		sample(w, "magpie_jobs", float64(states[s]), "state", string(s))
	}
	gauge(w, "magpie_jobs_refused", "Jobs whose file as it is now has mistakes.")
	sample(w, "magpie_jobs_refused", float64(faults))
	gauge(w, "magpie_jobs_paused", "Jobs whose schedule is off.")
	sample(w, "magpie_jobs_paused", float64(paused))
	gauge(w, "magpie_job_next_due_timestamp_seconds", "When a job is due; jobs that are never due have none.")
	for _, j := range jobs {
		if !j.Next.IsZero() {
			sample(w, "magpie_job_next_due_timestamp_seconds", seconds(j.Next), "job", j.Name)
		}
	}
}

// writeStoreMetrics writes what the database knows of jobs.
func (m *monitor) writeStoreMetrics(ctx context.Context, w io.Writer) error {
	ended, err := m.DB.LastFinished(ctx)
	if err != nil {
		return err
	}
	tallies, err := m.DB.Tallies(ctx)
	if err != nil {
		return err
	}
	gauge(w, "magpie_job_last_success_timestamp_seconds", "When a job's last finished crawl ended.")
	for _, job := range slices.Sorted(maps.Keys(ended)) {
		sample(w, "magpie_job_last_success_timestamp_seconds", seconds(ended[job]), "job", job)
	}
	gauge(w, "magpie_runs", "Runs in the database by job and state.")
	for _, t := range tallies.Runs {
		sample(w, "magpie_runs", float64(t.Count), "job", t.Job, "state", t.What)
	}
	gauge(w, "magpie_due_skipped", "Due times in the database that no run took place for.")
	for _, t := range tallies.Skipped {
		sample(w, "magpie_due_skipped", float64(t.Count), "job", t.Job, "reason", t.What)
	}
	gauge(w, "magpie_messages_pending", "Messages to webhooks that are still to be sent.")
	sample(w, "magpie_messages_pending", float64(tallies.Messages))
	return nil
}

func gauge(w io.Writer, name, help string) {
	fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
}

// sample writes a value; labels are names and values in turn.
func sample(w io.Writer, name string, value float64, labels ...string) {
	var b strings.Builder
	for i := 0; i < len(labels); i += 2 {
		b.WriteByte("{,"[min(i, 1)])
		fmt.Fprintf(&b, `%s="%s"`, labels[i], labelValue.Replace(strings.ToValidUTF8(labels[i+1], "\uFFFD")))
	}
	if len(labels) > 0 {
		b.WriteByte('}')
	}
	fmt.Fprintf(w, "%s%s %s\n", name, b.String(), strconv.FormatFloat(value, 'g', -1, 64))
}

var labelValue = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
