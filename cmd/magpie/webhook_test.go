package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/courier"
	"github.com/magpie-crawl/magpie/cmd/magpie/courier/couriertest"
	"github.com/magpie-crawl/magpie/internal/steadytest"
	"github.com/magpie-crawl/magpie/store"
)

// receiver is a webhook for the messages of crawls.
type receiver struct{ *couriertest.Receiver }

type received struct {
	id   string
	Type string
	Data struct {
		Job, State string
		Run, Part  int
		Pages, New int
		Last       bool
		Drift      []struct{ Kind, Field, Detail string }
		Records    []struct {
			Item, Key, URL string
			Change         string
			Fields         map[string]any
		}
	}
}

func newReceiver(t *testing.T) receiver { return receiver{couriertest.New(t)} }

// all returns what came since it was last set how messages are answered.
func (r receiver) all(t *testing.T) (list []received) {
	t.Helper()
	for _, m := range r.All() {
		one := received{id: m.ID}
		if err := json.Unmarshal(m.Body, &one); err != nil || m.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %v", m.Header.Get("Content-Type"), err)
		}
		list = append(list, one)
	}
	return list
}

func (r receiver) types(t *testing.T) (list []string) {
	t.Helper()
	for _, m := range r.all(t) {
		list = append(list, fmt.Sprintf("%s %d", m.Type, m.Data.Run))
	}
	return list
}

// hooked is a job file for a site that grows, with a webhook.
func hooked(t *testing.T, site, hook, more string) (args []string) {
	dir := t.TempDir()
	job := filepath.Join(dir, "things.yaml")
	write(t, job, `
start: `+site+`/
politeness: {per_host: 8}
webhook: {url: "`+hook+`", secret: "${HOOK_SECRET}"`+more+`}
items:
  thing: {each: li, key: [name], fields: {name: b, price: {css: i, as: number}}}
`)
	return []string{"crawl", job, "--db", filepath.Join(dir, "magpie.db"), "--log-level", "error"}
}

// list is a site of one page with as many things as it is told.
type list struct {
	*httptest.Server
	mu     sync.Mutex
	things int
	price  string // of the first
}

func newList(t *testing.T, things int) *list {
	l := &list{things: things, price: "1"}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!DOCTYPE html><title>Things</title><ul><li><b>Thing 0</b><i>%s</i>", l.price)
		for i := 1; i < l.things; i++ {
			fmt.Fprintf(w, "<li><b>Thing %d</b><i>%d</i>", i, i)
		}
	}))
	t.Cleanup(l.Close)
	return l
}

func (l *list) change(things int, price string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.things, l.price = things, price
}

// crawls runs the command and checks its exit code.
func crawls(t *testing.T, want int, args []string) (out, errs string) {
	t.Helper()
	var o, e strings.Builder
	if code := run(args, strings.NewReader(""), &o, &e); code != want {
		t.Fatalf("exit code %d, want %d\n%s%s", code, want, o.String(), e.String())
	}
	return o.String(), e.String()
}

func sameList(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func TestWebhook(t *testing.T) {
	t.Run("runs and their changes", func(t *testing.T) {
		site, hook := newList(t, 30), newReceiver(t)
		args := hooked(t, site.URL, hook.URL, "")
		out, _ := crawls(t, 0, args)
		sameList(t, "first run", hook.types(t), []string{"run.finished 1", "records.changed 1"})
		if !strings.Contains(out, "Sent 2 messages.") {
			t.Errorf("it does not tell: %s", out)
		}
		if d := hook.all(t)[0].Data; d.Job != "things" || d.State != "finished" || d.Pages != 1 || d.New != 30 {
			t.Errorf("run.finished: %+v", d)
		}
		if d := hook.all(t)[1].Data; len(d.Records) != 30 || !d.Last || d.Part != 1 || d.Records[0].Change != "added" || d.Records[0].Item != "thing" || d.Records[0].Fields["name"] != "Thing 0" {
			t.Errorf("records.changed: %+v", d)
		}
		site.change(31, "99")
		hook.Answer(nil)
		crawls(t, 0, args)
		sameList(t, "second run", hook.types(t), []string{"run.finished 2", "records.changed 2"})
		if d := hook.all(t)[1].Data.Records; len(d) != 2 || d[0].Fields["name"] != "Thing 0" || d[0].Change != "changed" || d[0].Fields["price"] != 99.0 || d[1].Fields["name"] != "Thing 30" || d[1].Change != "added" {
			t.Errorf("records.changed: %+v", d)
		}
		hook.Answer(nil)
		crawls(t, 0, args)
		sameList(t, "a run that changes nothing", hook.types(t), []string{"run.finished 3"})
		site.change(3, "99")
		hook.Answer(nil)
		crawls(t, 0, args)
		sameList(t, "a run that drifts", hook.types(t), []string{"run.finished 4", "run.drifted 4", "records.changed 4"})
		if d := hook.all(t)[1].Data.Drift; len(d) != 1 || d[0].Kind != "records" || d[0].Detail != "3 records, usually 31" {
			t.Errorf("run.drifted: %+v", d)
		}
		if d := hook.all(t)[2].Data; len(d.Records) != 28 || d.Records[0].Change != "gone" || d.Records[0].Fields["name"] != "Thing 3" {
			t.Errorf("records.changed: %+v", d)
		}
	})
	t.Run("what the job asks for", func(t *testing.T) {
		site, hook := newList(t, 2), newReceiver(t)
		crawls(t, 0, hooked(t, site.URL, hook.URL, ", on: [drift, changes]"))
		sameList(t, "messages", hook.types(t), []string{"records.changed 1"})
	})
	t.Run("many records in parts", func(t *testing.T) {
		site, hook := newList(t, 2*courier.PartRecords+1), newReceiver(t)
		crawls(t, 0, hooked(t, site.URL, hook.URL, ", on: changes"))
		seen, ids := map[string]int{}, map[string]bool{}
		for i, m := range hook.all(t) {
			if m.Data.Part != i+1 || m.Data.Last != (i == 2) {
				t.Errorf("part %d: %d, %v", i+1, m.Data.Part, m.Data.Last)
			}
			ids[m.id] = true
			for _, r := range m.Data.Records {
				seen[r.Key]++
			}
		}
		if len(hook.all(t)) != 3 || len(ids) != 3 || len(seen) != 2*courier.PartRecords+1 {
			t.Errorf("%d messages, %d ids, %d records", len(hook.all(t)), len(ids), len(seen))
		}
		for key, n := range seen {
			if n != 1 {
				t.Errorf("%s came %d times", key, n)
			}
		}
	})
	t.Run("a failure that passes", func(t *testing.T) {
		site, hook := newList(t, 2), newReceiver(t)
		var first time.Time
		hook.Answer(func(n int, w http.ResponseWriter) {
			if n == 1 {
				first = time.Now()
				w.Header().Set("Retry-After", "2")
				w.WriteHeader(http.StatusServiceUnavailable)
			} else if n == 2 && time.Since(first) < 2*time.Second {
				t.Error("it did not wait as it was asked to")
			}
		})
		crawls(t, 0, hooked(t, site.URL, hook.URL, ", on: finish"))
		sameList(t, "messages", hook.types(t), []string{"run.finished 1", "run.finished 1"})
		if hook.all(t)[0].id != hook.all(t)[1].id {
			t.Error("a message has another id when it is sent again")
		}
	})
	t.Run("a failure that does not", func(t *testing.T) {
		site, hook := newList(t, 2), newReceiver(t)
		hook.Answer(func(_ int, w http.ResponseWriter) {
			http.Error(w, "no such \x1b[31mhook", http.StatusNotFound)
		})
		args := hooked(t, site.URL, hook.URL, "")
		_, errs := crawls(t, exitIncomplete, args)
		if !strings.Contains(errs, "it answered 404 Not Found: no such ␛[31mhook: 2 messages kept, to be sent with the next crawl") {
			t.Errorf("it told: %s", errs)
		}
		out, _ := crawls(t, 0, []string{"status", "--db", args[3]})
		if !strings.Contains(out, "webhook   2 messages to be sent with the next crawl (it answered 404") {
			t.Errorf("status: %s", out)
		}
		hook.Answer(nil)
		crawls(t, 0, args)
		sameList(t, "messages", hook.types(t), []string{"run.finished 1", "records.changed 1", "run.finished 2"})
	})
	t.Run("a redirect is not followed", func(t *testing.T) {
		site, hook := newList(t, 2), newReceiver(t)
		hook.Answer(func(_ int, w http.ResponseWriter) {
			w.Header().Set("Location", hook.URL+"/elsewhere")
			w.WriteHeader(http.StatusTemporaryRedirect)
		})
		_, errs := crawls(t, exitIncomplete, hooked(t, site.URL, hook.URL, ", on: finish"))
		if len(hook.all(t)) != 1 || !strings.Contains(errs, "it answered 307") {
			t.Errorf("%d messages: %s", len(hook.all(t)), errs)
		}
	})
	t.Run("gone for good", func(t *testing.T) {
		site, hook := newList(t, 2), newReceiver(t)
		hook.Answer(func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusGone) })
		args := hooked(t, site.URL, hook.URL, "")
		if _, errs := crawls(t, exitIncomplete, args); !strings.Contains(errs, "2 messages dropped") {
			t.Errorf("it told: %s", errs)
		}
		hook.Answer(nil)
		crawls(t, 0, args)
		sameList(t, "messages", hook.types(t), []string{"run.finished 2"})
	})
	t.Run("nobody listens, and what the URL holds is not told", func(t *testing.T) {
		site, hook := newList(t, 2), newReceiver(t)
		hook.Answer(func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusForbidden) })
		t.Setenv("HOOK_PATH", "geheim")
		args := hooked(t, site.URL, hook.URL+"/${HOOK_PATH}", ", on: finish")
		crawls(t, exitIncomplete, args)
		hook.Close()
		job, err := loadJob(args[1])
		if err != nil {
			t.Fatal(err)
		}
		db, err := store.Open(args[3], store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		c := courier.New(db, job)
		var waits []string
		c.Sender.Pause = func(_ context.Context, d time.Duration) error {
			waits = append(waits, d.String())
			return nil
		}
		began := time.Now()
		sent, err := c.Deliver(t.Context(), courier.Tries)
		if sent != 0 || !courier.IsUndelivered(err) || !strings.Contains(err.Error(), "/${HOOK_PATH}: ") || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%d sent, %v", sent, err)
		}
		sameList(t, "pauses", waits, []string{"1s", "2s", "4s", "8s"})
		due, err := db.DueMessages(t.Context(), job.Name)
		if err != nil || len(due) != 1 || due[0].Tries != 2 || due[0].Due.Sub(began) < 30*time.Second || strings.Contains(due[0].Error, "geheim") {
			t.Errorf("%+v, %v", due, err)
		}
		waits = nil
		if sent, err := c.Deliver(t.Context(), 1); sent != 0 || !courier.IsUndelivered(err) || len(waits) > 0 {
			t.Errorf("before it is due: %d sent, %v", sent, err)
		}
	})
}

// A process that is killed while it sends leaves the message to the next one.
func TestKilledWebhook(t *testing.T) {
	site, hook := newList(t, 2*courier.PartRecords+1), newReceiver(t)
	args := hooked(t, site.URL, hook.URL, "")
	bin := buildMagpie(t)
	came, release := make(chan bool), make(chan bool)
	hook.Answer(func(n int, w http.ResponseWriter) {
		if n == 3 { // the second part of the changes
			close(came)
			<-release
		}
	})
	crawl := exec.Command(bin, args...)
	if err := crawl.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-came:
	case <-time.After(steadytest.Patience):
		t.Error("no message came")
	}
	if err := crawl.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	crawl.Wait()
	close(release)
	before := hook.all(t)
	hook.Answer(nil)
	magpie(t, bin, t.TempDir(), args...)
	sameList(t, "messages", hook.types(t), []string{"records.changed 1", "records.changed 1", "run.finished 2"})
	seen := map[string]bool{}
	for _, m := range append(before, hook.all(t)...) {
		for _, r := range m.Data.Records {
			seen[r.Key] = true
		}
	}
	if len(seen) != 2*courier.PartRecords+1 {
		t.Errorf("%d records came", len(seen))
	}
	if before[2].id != hook.all(t)[0].id {
		t.Error("the part that may have been taken has another id")
	}
}
