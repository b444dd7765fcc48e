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

	"github.com/magpie-crawl/magpie/cmd/magpie/alert"
	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/notify"
)

// What is wrong with the settings, or waits for the next start, is told where
// people look.
func TestSettingsNote(t *testing.T) {
	s := newShown(t)
	for _, tt := range []struct {
		name, fault string
		restart     []string
		has, not    []string
	}{
		{"well", "", nil, nil, []string{"The settings have mistakes", "is started again"}},
		{"refused", "jobs/serve.yaml:1:8: " + hostile + "\njobs/serve.yaml:2:1: more", nil,
			[]string{"The settings have mistakes", "serve.yaml:1:8: &lt;/title&gt;", "<code>jobs/serve.yaml:2:1: more</code>"}, []string{"is started again"}},
		{"to be started again", "", []string{"listen", "token"}, []string{"<code>listen, token</code>", "is started again"}, []string{"The settings have mistakes"}},
	} {
		for _, path := range []string{"/", "/messages"} {
			t.Run(tt.name+" "+path, func(t *testing.T) {
				s.settings.File, s.settings.Fault, s.settings.Restart = "serve.yaml", tt.fault, tt.restart
				_, _, body := get(t, s.URL+path)
				checkPage(t, body)
				for _, has := range tt.has {
					if !strings.Contains(body, has) {
						t.Errorf("it does not have %q", has)
					}
				}
				for _, not := range tt.not {
					if strings.Contains(body, not) {
						t.Errorf("it has %q", not)
					}
				}
			})
		}
	}
}

// The page of messages has a button for a trial to all who are told.
func TestTrialsToAll(t *testing.T) {
	s := newShown(t)
	s.list[4].Config = &config.Job{Name: "never", Notify: []notify.Channel{{ID: "own", Name: "webhook " + hostile}, {ID: "all", Name: "email all@example.com"}}}
	var sent []string
	var refuse error
	s.Trial = func(_ context.Context, channels []notify.Channel) ([]error, error) {
		came := make([]error, len(channels))
		for i, c := range channels {
			if sent = append(sent, c.ID); c.ID == "broken" {
				came[i] = errors.New("connection refused" + hostile)
			}
		}
		return came, refuse
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, tt := range []struct {
		name     string
		settings []string // channels
		refuse   error
		status   int
		sent     string
		has      string
	}{
		{"to the job's", nil, nil, 303, "own,all", ""},
		{"each once", []string{"all", "more"}, nil, 303, "all,more,own", ""},
		{"one fails", []string{"broken"}, nil, 502, "broken,own,all", "connection refused"},
		{"too soon", nil, &alert.TooSoonError{Wait: 3 * time.Second}, 429, "own,all", "Try again in 3 seconds."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			sent, refuse = nil, tt.refuse
			s.settings.InUse = &config.Serve{}
			for _, id := range tt.settings {
				s.settings.InUse.Notify = append(s.settings.InUse.Notify, notify.Channel{ID: id, Name: "email " + id})
			}
			if _, _, body := get(t, s.URL+"/messages"); !strings.Contains(body, "Send a trial message to all") {
				t.Error("there is no button")
			}
			resp, err := client.PostForm(s.URL+"/messages/trial", url.Values{"back": {"/messages"}})
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			text, _ := io.ReadAll(resp.Body)
			if resp.StatusCode != tt.status || strings.Join(sent, ",") != tt.sent || !strings.Contains(string(text), tt.has) {
				t.Errorf("status %d, sent %q: %s", resp.StatusCode, sent, text)
			}
			if tt.status != 303 {
				checkPage(t, string(text))
			} else if _, _, body := get(t, s.URL+resp.Header.Get("Location")); !strings.Contains(body, "A trial message was sent each way") {
				t.Error("nothing is said of it")
			}
		})
	}
	t.Run("by GET", func(t *testing.T) {
		sent = nil
		if status, _, _ := get(t, s.URL+"/messages/trial"); status == 303 || sent != nil {
			t.Errorf("status %d, sent %q", status, sent)
		}
	})
	t.Run("nobody", func(t *testing.T) {
		s.list[4].Config, s.settings.InUse = &config.Job{}, &config.Serve{}
		if _, _, body := get(t, s.URL+"/messages"); strings.Contains(body, "Send a trial message") {
			t.Error("there is a button for nobody")
		}
	})
}
