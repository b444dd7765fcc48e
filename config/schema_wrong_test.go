package config

import (
	"testing"
)

// TestSchemaOfWrongJobs holds that both refuse what is wrong by its keys and
// types alone.
func TestSchemaOfWrongJobs(t *testing.T) {
	s := compileSchema(t, "")
	const start = "start: https://example.com/\n"
	tests := []struct{ name, src string }{
		{"no start", "name: books"},
		{"start is no URL", "start: example.com"},
		{"start of another scheme", "start: ftp://example.com/"},
		{"start is a number", "start: 1"},
		{"no start in a list", "start: []"},
		{"list", "[start]"},
		{"unknown key", start + "strat: x"},
		{"unknown key below", start + "limits: {page: 1}"},
		{"unknown key of a field", start + "items: {a: {fields: {b: {selector: h1}}}}"},
		{"unknown key of an alternative", start + "items: {a: {fields: {b: [h1, {selector: h1}]}}}"},
		{"name is a number", start + "name: 1"},
		{"name with blanks", start + `name: " a"`},
		{"text is empty", start + `warc: ""`},
		{"text is blank", start + `follow: [" "]`},
		{"wrong choice", start + "scope: {within: planet}"},
		{"wrong policy", start + "recrawl: sometimes"},
		{"wrong type", start + "items: {a: {fields: {b: {css: h1, as: money}}}}"},
		{"number as text", start + "limits: {pages: many}"},
		{"number below", start + "limits: {pages: 0}"},
		{"number with a fraction", start + "limits: {pages: 1.5}"},
		{"boolean as text", start + "cookies: always"},
		{"duration without a unit", start + "limits: {duration: 90}"},
		{"duration of another unit", start + "limits: {duration: 2 weeks}"},
		{"duration of zero", start + "limits: {duration: 0s}"},
		{"size of another unit", start + "limits: {body: 3 pages}"},
		{"size of zero", start + "limits: {body: 0}"},
		{"mapping as text", start + "limits: many"},
		{"headers that are no text", start + "headers: {X-Number: 1}"},
		{"credentials of nobody", start + `credentials: {origin: "https://example.com"}`},
		{"credentials with a password", start + `credentials: {origin: "https://example.com", user: me, password: secret}`},
		{"login without fields", start + `login: {url: "https://example.com/login"}`},
		{"priority without a boost", start + `priorities: [{url: "*/a/*"}]`},
		{"boost too high", start + `priorities: [{url: "*/a/*", boost: 5000}]`},
		{"export without a path", start + "items: {a: {fields: {b: h1}}}\nexport: [{item: a, format: csv}]"},
		{"export of another format", start + "items: {a: {fields: {b: h1}}}\nexport: [{item: a, format: pdf, path: a.pdf}]"},
		{"export without an item", start + "items: {a: {fields: {b: h1}}}\nexport: [{path: a.csv}]"},
		{"export without an item, by its format", start + "items: {a: {fields: {b: h1}}}\nexport: [{format: csv, path: a.txt}]"},
		{"export of no format", start + "items: {a: {fields: {b: h1}}}\nexport: [{item: a, path: a.txt}]"},
		{"export of no format, of all", start + "items: {a: {fields: {b: h1}}}\nexport: [{path: a}]"},
		{"export that is not compressed", start + "items: {a: {fields: {b: h1}}}\nexport: [{item: a, path: a.sqlite.gz}]"},
		{"share above 1", start + "health: {fill: 1.5}"},
		{"share of zero", start + "health: {volume: 0}"},
		{"share as text", start + "health: {fill: little}"},
		{"failing on something else", start + "fail_on: weather"},
		{"webhook without a url", start + "webhook: {on: drift}"},
		{"webhook with a secret", start + `webhook: {url: "https://example.com/hook", secret: geheim}`},
		{"webhook on something else", start + `webhook: {url: "https://example.com/hook", on: [tuesdays]}`},
		{"webhook on nothing", start + `webhook: {url: "https://example.com/hook", on: []}`},
		{"message that goes nowhere", start + "notify: [{on: failure}]"},
		{"message that goes two ways", start + `notify: [{webhook: "https://example.com/hook", email: a@example.com}]`},
		{"message on something else", start + `notify: [{email: a@example.com, on: [tuesdays]}]`},
		{"message to nobody", start + "notify: [{email: []}]"},
		{"command with a template", start + `notify: [{command: [a], template: "{{.Text}}"}]`},
		{"webhook with a subject", start + `notify: [{webhook: "https://example.com/hook", subject: "{{.Job}}"}]`},
		{"message by a command line", start + `notify: [{command: "./page-me.sh books"}]`},
		{"message by no command", start + "notify: [{command: []}]"},
		{"message with a secret", start + `notify: {webhook: "https://example.com/hook", secret: geheim}`},
		{"message that is repeated all the time", start + `notify: {email: a@example.com, repeat: 0s}`},
		{"silence after nothing", start + `schedule: {cron: "@daily", silence: 0}`},
		{"schedule without cron", start + "schedule: {jitter: 1m}"},
		{"schedule from a day of the week", start + `schedule: {cron: "@daily", start: monday}`},
		{"schedule until a time without a zone", start + `schedule: {cron: "@daily", end: "2026-01-01T12:00:00"}`},
		{"overlap of another policy", start + `schedule: {cron: "@daily", overlap: restart}`},
		{"missed times of another policy", start + `schedule: {cron: "@daily", missed: all}`},
		{"item without fields", start + "items: {a: {each: .a}}"},
		{"item in capitals", start + "items: {A: {fields: {b: h1}}}"},
		{"field in capitals", start + "items: {a: {fields: {B: h1}}}"},
		{"field is a number", start + "items: {a: {fields: {b: 1}}}"},
		{"no alternatives", start + "items: {a: {fields: {b: []}}}"},
		{"required alternative", start + "items: {a: {fields: {b: [h1, {css: h2, required: true}]}}}"},
		{"nth of zero", start + "items: {a: {fields: {b: {css: h1, nth: 0}}}}"},
		{"enum without values", start + "items: {a: {fields: {b: {css: h1, as: enum}}}}"},
		{"values without enum", start + "items: {a: {fields: {b: {css: h1, values: [a]}}}}"},
		{"zone of a text", start + "items: {a: {fields: {b: {css: h1, zone: Europe/Berlin}}}}"},
		{"each without fields", start + "items: {a: {fields: {b: {each: .b}}}}"},
		{"part of no article", start + "items: {a: {fields: {b: {article: headline}}}}"},
		{"part of no URL", start + "items: {a: {fields: {b: {url: hostname}}}}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := s.Validate(plainJob(t, tt.src)); err == nil {
				t.Error("the schema accepts it")
			}
			if _, err := Parse("job.yaml", []byte(tt.src)); err == nil {
				t.Error("Parse accepts it")
			}
		})
	}
}

// TestSchemaOfWrongSettings is TestSchemaOfWrongJobs for serve.yaml.
func TestSchemaOfWrongSettings(t *testing.T) {
	s := serveKind.compile(t, "")
	for _, tt := range []struct{ name, src string }{
		{"list", "[listen]"},
		{"unknown key", "port: 8490"},
		{"token in the file", "token: geheim"},
		{"url that is none", "url: magpie.example.com"},
		{"no runs at a time", "concurrency: 0"},
		{"deadline without a unit", "stop_within: 30"},
		{"mail server without a scheme", "smtp: {server: mail.example.com, from: a@example.com}"},
		{"mail from nobody", `smtp: {server: "smtps://mail.example.com"}`},
		{"password of nobody", `smtp: {server: "smtps://mail.example.com", from: a@example.com, password: "${TOKEN}"}`},
		{"message that goes nowhere", "notify: {on: failure}"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("TOKEN", "x")
			if err := s.Validate(plainJob(t, tt.src)); err == nil {
				t.Error("the schema accepts it")
			}
			if err := serveKind.parse([]byte(tt.src)); err == nil {
				t.Error("ParseServe accepts it")
			}
		})
	}
}
