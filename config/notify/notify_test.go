package notify

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestMain makes times in messages the same on every machine.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}

var at = time.Date(2026, 3, 1, 3, 10, 0, 0, time.UTC)

func TestSubject(t *testing.T) {
	event := func(kind Kind, job string) Event {
		return Event{Kind: kind, Job: job, Time: at, Since: at, Count: 1, Drift: []Drifted{{"a", "b"}}}
	}
	many := func(kind Kind, n int) (list []Event) {
		for i := range n {
			list = append(list, event(kind, fmt.Sprint("job", i)))
		}
		return list
	}
	for _, tt := range []struct {
		name, want string
		events     []Event
	}{
		{"failure", "books failed", []Event{event(Failure, "books")}},
		{"failure again", "books failed 5 times since 2026-03-01 03:10 UTC", []Event{{Kind: Failure, Job: "books", Since: at, Count: 5, Detail: "no"}}},
		{"silence", "books has not succeeded since 2026-03-01 03:10 UTC, for 3 intervals of its schedule", []Event{{Kind: Silence, Job: "books", Since: at, Count: 3}}},
		{"never", "books has not succeeded yet, for 1 interval of its schedule", []Event{{Kind: Silence, Job: "books", Count: 1}}},
		{"drift", "books drifted: 2 figures", []Event{{Kind: Drift, Job: "books", Count: 1, Drift: make([]Drifted, 2)}}},
		{"changes", "books changed: 1 new, 2 changed, 3 gone", []Event{{Kind: Changes, Job: "books", New: 1, Changed: 2, Gone: 3}}},
		{"well again", "books is well again, after 1 failed run since 2026-03-01 03:10 UTC", []Event{{Kind: Recovery, Job: "books", Since: at, Count: 1}}},
		{"well again after silence", "books is well again, after it was silent since 2026-03-01 03:10 UTC", []Event{{Kind: Recovery, Job: "books", Since: at}}},
		{"well for the first time", "books is well again", []Event{{Kind: Recovery, Job: "books"}}},
		{"two", "2 jobs failed: books, lamps", []Event{event(Failure, "books"), event(Failure, "lamps")}},
		{"one twice", "1 job failed: books", []Event{event(Failure, "books"), event(Failure, "books")}},
		{"three", "3 jobs are silent: job0, job1, job2", many(Silence, 3)},
		{"five", "5 jobs changed: job0, job1 and 3 others", many(Changes, 5)},
		{"by gravity", "1 job failed: d; 1 job is silent: e; 1 job drifted: c; 1 job is well again: b; 1 job changed: a",
			[]Event{event(Changes, "a"), event(Recovery, "b"), event(Drift, "c"), event(Failure, "d"), event(Silence, "e")}},
		{"long", strings.Repeat("ü", 149) + "…", []Event{event(Failure, strings.Repeat("ü", 500))}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := Compose("id", at, "", tt.events, 0)
			if m.Subject != tt.want {
				t.Errorf("%s, want %s", m.Subject, tt.want)
			}
		})
	}
}

func TestBodies(t *testing.T) {
	m := Compose("id", at, "https://magpie.example/base/", []Event{
		{Kind: Drift, Job: "lamps & co", Run: 3, Time: at, Count: 1, Drift: []Drifted{{"lamp.price", "12% have it"}, {"<i>", "x"}}},
		{Kind: Failure, Job: "books", Time: at, Count: 1, Detail: "no"},
	}, 7)
	const text = `books failed: no
  2026-03-01 03:10 UTC
  https://magpie.example/base/jobs/books

lamps & co drifted: 2 figures
  - lamp.price: 12% have it
  - <i>: x
  run 3, 2026-03-01 03:10 UTC
  https://magpie.example/base/jobs/lamps%20&%20co/runs/3

and 7 more
`
	if m.Text != text {
		t.Errorf("text:\n%s\nwant\n%s", m.Text, text)
	}
	if m.Kind != Failure || m.Job != "books, lamps & co" || m.Subject != "1 job failed: books; 1 job drifted: lamps & co; and 7 more" {
		t.Errorf("%+v", m)
	}
	html, err := m.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<strong>books failed: no</strong>", "<li>&lt;i&gt;: x</li>", `href="https://magpie.example/base/jobs/lamps%20&amp;%20co/runs/3"`, "<p>and 7 more</p>"} {
		if !strings.Contains(html, want) {
			t.Errorf("%s lacks %s", html, want)
		}
	}
	if link, err := Compose("id", at, "javascript:alert(1)", m.Events, 0).HTML(); err != nil || strings.Contains(link, `href="javascript`) {
		t.Errorf("%s, %v", link, err)
	}
}

func TestTemplate(t *testing.T) {
	for _, tt := range []struct{ name, source, want, wrong string }{
		{"text", `{{.Subject}} at {{.Time.Unix}}`, `1 job failed: books; 1 job drifted: lamps at 1767323045`, ""},
		{"JSON", `{"jobs": {{json .Jobs}}}`, `{"jobs": ["books","lamps"]}`, ""},
		{"join", `{{join .Jobs " and "}}`, `books and lamps`, ""},
		{"events", `{{range .Events}}{{.Kind}} {{.Job}} {{.Run}};{{end}}`, `failure books 12;drift lamps 3;`, ""},
		{"no such field", `{{.Nothing}}`, "", "can't evaluate field Nothing"},
		{"no such function", `{{exec "ls"}}`, "", `function "exec" not defined`},
		{"not closed", `{{.Text`, "", "unclosed action"},
		{"without end", `{{define "a"}}{{template "a" .}}{{end}}{{template "a" .}}`, "", "call each other too often"},
		{"too much", `{{range 3000}}{{printf "%999d" 1}}{{end}}`, "", "more than 1 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := Compile(tt.source)
			if tt.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), tt.wrong) {
					t.Errorf("%v, want %s", err, tt.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got, err := c.Make(Sample()); err != nil || got != tt.want {
				t.Errorf("%s, %v, want %s", got, err, tt.want)
			}
		})
	}
}
