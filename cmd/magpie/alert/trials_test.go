package alert

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/notify"
)

// Trial messages that a server is asked for: each way once, one request at a
// time, with a pause between two.
func TestTrials(t *testing.T) {
	hook, d := hookedDesk(t, "")
	trials := NewTrials(d.Alerter)
	good := d.settings.Load().Notify[0]
	bad := notify.Channel{ID: "mail", Email: "a@example.com", Timeout: time.Second}
	soon := func(want time.Duration) {
		t.Helper()
		_, err := trials.Send(t.Context(), []notify.Channel{good})
		if e, ok := errors.AsType[*TooSoonError](err); !ok || e.Wait != want {
			t.Errorf("%v, want to wait for %v", err, want)
		}
	}
	came, err := trials.Send(t.Context(), []notify.Channel{good, bad})
	if err != nil || len(came) != 2 || came[0] != nil || came[1] == nil || !strings.Contains(came[1].Error(), "smtp") {
		t.Fatalf("%v, %v", came, err)
	}
	if all := hook.take(); len(all) != 1 || !all[0].Trial {
		t.Errorf("%+v", all)
	}
	soon(trialPause)
	d.clock.Set(d.clock.Now().Add(trialPause - time.Second))
	soon(time.Second)
	d.clock.Set(d.clock.Now().Add(time.Second))

	// While one is on its way, no other is.
	arrived, gate := make(chan bool), make(chan bool)
	hook.Answer(func(int, http.ResponseWriter) { arrived <- true; <-gate })
	done := make(chan error)
	go func() {
		_, err := trials.Send(t.Context(), []notify.Channel{good})
		done <- err
	}()
	<-arrived
	d.clock.Set(d.clock.Now().Add(time.Hour))
	soon(trialPause)
	close(gate)
	if err := <-done; err != nil {
		t.Error(err)
	}
	d.clock.Set(d.clock.Now().Add(-time.Minute)) // the clock was set back: nobody waits for it
	hook.Answer(nil)
	if _, err := trials.Send(t.Context(), []notify.Channel{good}); err != nil {
		t.Error(err)
	}
}

// Settings that are changed are used from then on.
func TestOtherSettings(t *testing.T) {
	hook, other := newReceiver(t), newReceiver(t)
	d := newDesk(t, hooked(hook, ""))
	job := d.job("books", "", "")
	d.ends(job, "no network", 1)
	settings, err := config.ParseServe("serve.yaml", []byte(hooked(other, "")))
	if err != nil {
		t.Fatal(err)
	}
	d.Use(settings)
	lamps := d.job("lamps", "", "")
	d.ends(lamps, "no network", 1)
	d.pass(time.Hour)
	// What waited goes the way that it was to go.
	if all := hook.take(); len(all) != 1 || all[0].Job != "books" || all[0].URL != "https://magpie.example/" {
		t.Errorf("%+v", all)
	}
	if all := other.take(); len(all) != 1 || all[0].Job != "lamps" {
		t.Errorf("%+v", all)
	}
	d.Use(nil)
	d.ends(d.job("tools", "", ""), "no network", 1)
	d.pass(time.Hour)
	if len(hook.take())+len(other.take()) != 0 {
		t.Error("it is told of though nobody is to be told")
	}
}

// Each way is there once, whoever names it.
func TestWays(t *testing.T) {
	settings, err := config.ParseServe("serve.yaml", []byte("notify: [{command: [a]}, {command: [b]}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, "")
	jobs := []Job{d.job("one", "", "notify: {command: [b]}\n"), d.job("two", "", ""), d.job("three", "", "notify: [{command: [c]}, {command: [b]}]\n"), d.job("four", "", "notify: []\n")}
	got := ""
	for _, w := range Ways(settings, jobs) {
		got += fmt.Sprintf("%s: %s\n", w.Channel.Name, strings.Join(w.Jobs, ", "))
	}
	if want := "command a: serve.yaml\ncommand b: serve.yaml, one, three\ncommand c: three\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if Ways(nil, nil) != nil {
		t.Error("ways out of nothing")
	}
}
