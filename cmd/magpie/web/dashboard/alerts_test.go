package dashboard

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/notify"
	"github.com/magpie-crawl/magpie/store"
)

// Open problems and messages, also of hostile jobs, are told where people
// look.
func TestAlerts(t *testing.T) {
	s := newShown(t)
	s.Trial = func(context.Context, []notify.Channel) ([]error, error) { return nil, nil }
	s.settings.InUse.Notify = []notify.Channel{{ID: "all", Name: "email all@example.com", On: notify.DefaultOn()}}
	_, _, body := get(t, s.URL+"/messages")
	checkPage(t, body)
	for _, has := range []string{"Nothing is known to be wrong", "Nothing waits", "Nothing was sent lately"} {
		if !strings.Contains(body, has) {
			t.Errorf("without messages it does not have %q", has)
		}
	}
	if strings.Contains(body, " to be sent</span>") {
		t.Error("something is said to wait")
	}
	storeAlerts(t, s.db)
	for _, v := range []struct {
		name, path string
		has        []string
	}{
		{"overview", "/", []string{"Fails", "3 runs", "told <time", "Silent", "never yet a success", "5 intervals", "not told yet", `2<span class="hidden-word"> to be sent`}},
		{"overview of problems", "/?show=problems", []string{">waits<"}},
		{"job", "/jobs/lamps", []string{"Open problems", "out of order", "run 5", "Who is told", "email all@example.com", "by serve.yaml", "failure, drift, silence", "Send a trial message"}},
		{"job that never ran", "/jobs/waits", []string{"Open problems", "Silent", "ever"}},
		{"hostile job", "/jobs/" + url.PathEscape(hostileJob), []string{"Drifted", "&lt;script&gt;alert(1)"}},
		{"messages", "/messages", []string{"Open problems", "To be sent", "email ops@example.com", "connection refused", "Given up", "no such user", "Sent", "email done@example.com"}},
	} {
		t.Run(v.name, func(t *testing.T) {
			status, _, body := get(t, s.URL+v.path)
			if status != 200 {
				t.Errorf("status %d", status)
			}
			for _, has := range v.has {
				if !strings.Contains(body, has) {
					t.Errorf("it does not have %q", has)
				}
			}
			checkPage(t, body)
		})
	}
}

// storeAlerts puts problems of all kinds, and messages in all states, into a
// database.
func storeAlerts(t *testing.T, db *store.DB) {
	t.Helper()
	ctx, now := t.Context(), time.Now()
	event := func(to, job string) store.AlertEvent {
		return store.AlertEvent{Channel: to, Name: "email " + to, Due: now.Add(time.Hour), Job: job, Kind: "failure", Data: []byte("{}")}
	}
	err := db.ChangeAlerts(ctx, store.AlertChange{At: now, Open: []store.Alert{
		{Job: "lamps", Kind: "failure", Since: now.Add(-48 * time.Hour), Last: now, Count: 3, Run: 5, Detail: "out of order", Told: map[string]time.Time{"a": now.Add(-time.Hour)}},
		{Job: "waits", Kind: "silence", Last: now, Count: 5},
		{Job: hostileJob, Kind: "drift", Since: now, Last: now, Count: 1, Run: 4, Detail: hostile},
	}, Events: []store.AlertEvent{event("done@example.com", "lamps"), event("gone@example.com", hostileJob), event("ops@example.com", "lamps"), event(hostile, hostileJob)}})
	if err != nil {
		t.Fatal(err)
	}
	due, err := db.DueAlertMessages(ctx)
	if err != nil || len(due) != 4 {
		t.Fatal(due, err)
	}
	if err := errors.Join(db.AlertMessageSent(ctx, due[0].ID, now), db.AlertMessageFailed(ctx, due[1].ID, "no such user"+hostile, now, time.Time{}),
		db.AlertMessageFailed(ctx, due[2].ID, "connection refused", now, now.Add(time.Minute))); err != nil {
		t.Fatal(err)
	}
}

// A trial message goes the way that the form names, and what came of it is
// told.
func TestTrial(t *testing.T) {
	s := newShown(t)
	var sent []string
	s.Trial = func(_ context.Context, channels []notify.Channel) ([]error, error) {
		came := make([]error, len(channels))
		for i, c := range channels {
			if c.ID == "broken" {
				came[i] = errors.New("connection refused" + hostile)
				continue
			}
			sent = append(sent, c.ID)
		}
		return came, nil
	}
	s.settings.InUse.Notify = []notify.Channel{{ID: "all", Name: "email all@example.com"}}
	s.list[4].Config = &config.Job{Notify: []notify.Channel{{ID: "own", Name: "webhook " + hostile}, {ID: "broken", Name: "webhook broken"}}}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, c := range []struct {
		name, job, way string
		status         int
		sent, has      string
	}{
		{"by the settings", "lamps", "all", 303, "all", ""},
		{"by its own file", "never", "own", 303, "own", ""},
		{"what others have", "never", "all", 404, "", "don’t go this way"},
		{"what nobody has", "lamps", "own", 404, "", "don’t go this way"},
		{"a job with mistakes", "typo", "all", 404, "", "don’t go this way"},
		{"no job", "nope", "all", 404, "", "There is no such job"},
		{"that fails", "never", "broken", 502, "", "connection refused"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sent = nil
			resp, err := client.PostForm(s.URL+"/jobs/"+c.job+"/trial", url.Values{"way": {c.way}, "back": {"/jobs/" + c.job}})
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != c.status || strings.Join(sent, ",") != c.sent || !strings.Contains(string(body), c.has) {
				t.Errorf("status %d, sent %q: %s", resp.StatusCode, sent, body)
			}
			if c.status == 303 {
				status, _, body := get(t, s.URL+resp.Header.Get("Location"))
				if status != 200 || !strings.Contains(body, "The trial message was sent.") {
					t.Errorf("status %d at %s", status, resp.Header.Get("Location"))
				}
				return
			}
			checkPage(t, string(body))
		})
	}
	t.Run("by GET", func(t *testing.T) {
		sent = nil
		if status, _, _ := get(t, s.URL+"/jobs/lamps/trial?way=all"); status == 303 || sent != nil {
			t.Errorf("status %d, sent %q", status, sent)
		}
	})
}
