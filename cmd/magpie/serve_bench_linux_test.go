package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/programtest"
)

// BenchmarkServeIdle measures what the real program takes with 1,000 jobs of
// which none is due: the share of a core, and memory. Run it with
// -benchtime 1x.
func BenchmarkServeIdle(b *testing.B) {
	const jobs, span = 1000, 20 * time.Second
	dir := b.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "jobs"), 0o755); err != nil {
		b.Fatal(err)
	}
	for i := range jobs {
		job := fmt.Sprintf(`
start: ["https://shop%d.test/"]
follow: ["li.next a", "h3 a"]
limits: {pages: 10000, depth: 8}
schedule: {cron: "%d 3 1 1 *", zone: Europe/Berlin, jitter: 10m}
items:
  product:
    each: article.product
    key: [sku]
    fields: {title: h1, price: {css: .price, as: price, required: true}, sku: {css: "[itemprop=sku]", attr: content}, image: {css: img, attr: src, as: url}}
`, i, i%60)
		if err := os.WriteFile(filepath.Join(dir, "jobs", fmt.Sprintf("job%04d.yaml", i)), []byte(job), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	bin, err := programtest.Path()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		began := time.Now()
		serve := startServe(b, bin, dir)
		b.ReportMetric(time.Since(began).Seconds(), "s-to-start")
		time.Sleep(2 * time.Second) // the first look at the folder is over
		before := cpuTime(b, serve.Process.Pid)
		time.Sleep(span)
		used := cpuTime(b, serve.Process.Pid) - before
		b.ReportMetric(100*used.Seconds()/span.Seconds(), "%core")
		b.ReportMetric(statusMB(b, serve.Process.Pid, "VmRSS:"), "MB-RSS")
		b.ReportMetric(statusMB(b, serve.Process.Pid, "VmHWM:"), "MB-peak")
		serve.signal(b, os.Kill)
		serve.wait(b)
	}
}

// cpuTime is what a process has used of the processor: utime and stime of
// proc_pid_stat(5), https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html,
// in hundredths of a second.
func cpuTime(b *testing.B, pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	var ticks int
	for _, f := range fields[11:13] {
		n, err := strconv.Atoi(string(f))
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// statusMB is a line of proc_pid_status(5), in MB.
func statusMB(b *testing.B, pid int, name string) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := bytes.Cut(status, []byte(name))
	kB, err := strconv.Atoi(string(bytes.Fields(rest)[0]))
	if err != nil {
		b.Fatal(err)
	}
	return float64(kB) / 1000
}
