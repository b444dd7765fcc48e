package alert

import (
	"crypto/x509"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"github.com/magpie-crawl/magpie/internal/steadytest"
)

// TestMail sends mail by servers of all kinds.
func TestMail(t *testing.T) {
	for _, tt := range []struct{ mode, smtp, user string }{
		{"starttls", withTLS, "me@example.com"},
		{"implicit", withSMTPS, "me"},
		{"plain", withPlain, "me"},
		{"plain", `server: "smtp://127.0.0.1:PORT", tls: off`, ""},
	} {
		t.Run("sent by "+tt.mode+" to "+tt.user, func(t *testing.T) {
			box := newMailbox(t, tt.mode)
			d := postOffice(t, box, tt.smtp, "ops@example.org")
			d.ends(d.job("books", "", ""), "no", 0)
			d.pass(time.Minute)
			all := box.take()
			if len(all) != 1 || all[0].from != "magpie@example.com" || all[0].to != "ops@example.org" || all[0].user != tt.user || all[0].encrypted != (tt.mode != "plain") {
				t.Fatalf("%+v", all)
			}
		})
	}
	t.Run("a trial", func(t *testing.T) {
		box := newMailbox(t, "starttls")
		d := postOffice(t, box, withTLS, "ops@example.org")
		if err := d.Trial(t.Context(), d.settings.Load().Notify[0]); err != nil {
			t.Fatal(err)
		}
		if all := box.take(); len(all) != 1 || all[0].header.Get("References") != "" || !strings.Contains(all[0].text, "A trial message") {
			t.Errorf("%+v", all)
		}
	})
	t.Run("no server", func(t *testing.T) {
		d := newDesk(t, "")
		d.ends(d.job("books", "", "notify: {email: ops@example.org, group: 0s}"), "no", 0)
		d.pass(time.Minute)
		if pending, err := d.pending(); err != nil || len(pending) != 1 || pending[0].Error != "mail needs a server: write smtp into serve.yaml" {
			t.Errorf("%+v, %v", pending, err)
		}
	})
	t.Run("many jobs", func(t *testing.T) {
		box := newMailbox(t, "starttls")
		d := postOffice(t, box, withTLS, "ops@example.org")
		for i := range 30 {
			d.ends(Job{Name: fmt.Sprint("job ", i)}, "no", 0)
		}
		d.pass(time.Minute)
		all := box.take()
		if len(all) != 1 || len(strings.Fields(all[0].header.Get("References"))) != maxThreads || strings.Count(all[0].html, "<p><strong>") != 30 {
			t.Fatalf("%+v", all)
		}
	})
}

// TestMailText reads letters as mail programs do.
func TestMailText(t *testing.T) {
	t.Run("header and bodies", func(t *testing.T) {
		box := newMailbox(t, "starttls")
		d := postOffice(t, box, withTLS, "ops@example.org")
		job := d.job("Bücher <b> — 書籍", "", "")
		d.ends(job, "a <script>alert(1)</script> & \"more\"", 12)
		d.pass(time.Minute)
		d.ends(job, "", d.crawl(job.Name, &site{things: 1}))
		d.pass(time.Minute)
		all := box.take()
		if len(all) != 2 {
			t.Fatalf("%d letters", len(all))
		}
		m := all[0]
		if got, want := m.subject(t), "[magpie] Bücher <b> — 書籍 failed"; got != want {
			t.Errorf("subject %s, want %s", got, want)
		}
		if want := "Bücher <b> — 書籍 failed: a <script>alert(1)</script> & \"more\"\n  run 12, 2026-03-01 00:00 UTC\n  https://magpie.example/jobs/B%C3%BCcher%20%3Cb%3E%20%E2%80%94%20%E6%9B%B8%E7%B1%8D/runs/12\n"; strings.TrimRight(m.text, "\n") != strings.TrimRight(want, "\n") {
			t.Errorf("text %s, want %s", m.text, want)
		}
		if strings.Contains(m.html, "<script") || strings.Contains(m.html, "<b>") || !strings.Contains(m.html, "a &lt;script&gt;alert(1)&lt;/script&gt; &amp; &#34;more&#34;") || !strings.Contains(m.html, `<a href="https://magpie.example/jobs/B%C3%BCcher`) {
			t.Errorf("html %s", m.html)
		}
		for name, want := range map[string]string{"Auto-Submitted": "auto-generated", "List-Id": "<magpie.example.com>", "Mime-Version": "1.0", "From": "<magpie@example.com>", "To": "<ops@example.org>"} {
			if got := m.header.Get(name); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
		if date, err := m.header.Date(); err != nil || date.Before(start) || date.Sub(start) > time.Hour {
			t.Errorf("date %s, %v", date, err)
		}
		if id := m.header.Get("Message-Id"); !strings.HasPrefix(id, "<msg_") || !strings.HasSuffix(id, "@example.com>") || id == all[1].header.Get("Message-Id") {
			t.Errorf("message id %s", id)
		}
		if thread := m.header.Get("References"); thread == "" || thread != m.header.Get("In-Reply-To") || thread != all[1].header.Get("References") {
			t.Errorf("threads %s and %s", thread, all[1].header.Get("References"))
		}
		for line := range strings.Lines(m.raw) {
			if len(line) > 1000 || strings.Trim(line, "\r\n\t !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~") != "" {
				t.Errorf("line %q", line)
			}
		}
	})
	t.Run("nothing gets into the header", func(t *testing.T) {
		box := newMailbox(t, "starttls")
		d := postOffice(t, box, withTLS, "ops@example.org")
		name := "books\r\nBcc: all@example.org\r\n\r\n<html>"
		d.ends(Job{Name: name}, "no\r\n.\r\nMAIL FROM:<x@example.org>", 0)
		d.ends(Job{Name: strings.Repeat("long ü name ", 500)}, "no", 0)
		d.pass(time.Minute)
		all := box.take()
		if len(all) != 1 || all[0].header.Get("Bcc") != "" || !strings.HasPrefix(all[0].subject(t), "[magpie] 2 jobs failed: books  Bcc: all@example.org    <html>, long ü name") {
			t.Fatalf("%+v", all)
		}
	})
}

// TestMailTemplates has channels write letters of their own.
func TestMailTemplates(t *testing.T) {
	for _, tt := range []struct{ name, form, subject, text, html string }{
		{"a template of its own", `subject: "{{.Kind}} of {{.Job}}", template: "{{range .Events}}{{.Job}} - {{.Detail}}\n{{end}}"`,
			"failure of books Bcc: all@example.org", "books  Bcc: all@example.org - no network\n", ""},
		{"a subject of its own", `subject: " {{.Kind}}\n\t{{.Kind}} "`, "failure failure", "", "<html>"},
		{"a subject that comes to nothing", `subject: "{{if .Trial}}x{{end}}"`, "[magpie] books  Bcc: all@example.org failed", "", "<html>"},
		{"a text of its own", `template: "{{.Kind}}"`, "[magpie] books  Bcc: all@example.org failed", "failure\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			box := newMailbox(t, "starttls")
			d := postOffice(t, box, withTLS, "ops@example.org, "+tt.form)
			d.ends(Job{Name: "books\r\nBcc: all@example.org"}, "no network", 0)
			d.pass(time.Minute)
			all := box.take()
			if len(all) != 1 || all[0].header.Get("Bcc") != "" || all[0].subject(t) != tt.subject || tt.text != "" && all[0].text != tt.text || (all[0].html == "") != (tt.html == "") {
				t.Fatalf("%+v", all)
			}
		})
	}
}

// TestMailRefused has servers refuse letters.
func TestMailRefused(t *testing.T) {
	t.Run("addresses are told one by one", func(t *testing.T) {
		box := newMailbox(t, "starttls")
		box.refuse = func(_ int, at, who string) error {
			if who == "gone@example.org" {
				return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}
			}
			return nil
		}
		d := postOffice(t, box, withTLS, "[a@example.org, gone@example.org, b@example.org]")
		d.ends(d.job("books", "", ""), "no", 0)
		d.pass(2 * time.Hour)
		if all := box.take(); len(all) != 2 || all[0].to == all[1].to {
			t.Errorf("%+v", all)
		}
		// What is refused for good is not asked for again.
		pending, err := d.pending()
		if err != nil || len(pending) != 1 || pending[0].State != "dropped" || pending[0].Name != "email gone@example.org" || !strings.Contains(pending[0].Error, "no such user") || pending[0].Tries != 1 {
			t.Errorf("%+v, %v", pending, err)
		}
	})
	for _, at := range []string{"mail", "rcpt", "data"} {
		t.Run("refused for now at "+at, func(t *testing.T) {
			box := newMailbox(t, "starttls")
			box.refuse = func(n int, where, _ string) error {
				if n <= 4 && where == at { // two sessions are one connection: STARTTLS begins the second
					return &smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 3, 0}, Message: "later"}
				}
				return nil
			}
			d := postOffice(t, box, withTLS, "ops@example.org")
			d.ends(d.job("books", "", ""), "no", 0)
			d.send()
			if pending, err := d.pending(); err != nil || len(pending) != 1 || !strings.Contains(pending[0].Error, "later") {
				t.Errorf("%+v, %v", pending, err)
			}
			d.pass(time.Hour)
			if all := box.take(); len(all) != 1 || box.n != 6 {
				t.Errorf("%d letters of %d sessions", len(all), box.n)
			}
		})
	}
}

// TestMailServersThatFail has servers that take no letters at all.
func TestMailServersThatFail(t *testing.T) {
	for name, tt := range map[string]struct{ mode, smtp, want string }{
		"no STARTTLS":      {"plain", withTLS, "STARTTLS"},
		"wrong password":   {"starttls", strings.ReplaceAll(withTLS, "SMTP_PASSWORD", "WRONG"), "wrong password"},
		"no way to log in": {"none", withPlain, "AUTH"},
	} {
		t.Run(name, func(t *testing.T) {
			box := newMailbox(t, tt.mode)
			t.Setenv("WRONG", "wrong")
			d := postOffice(t, box, tt.smtp, "ops@example.org")
			d.ends(d.job("books", "", ""), "no", 0)
			d.pass(time.Minute)
			pending, err := d.pending()
			if len(box.take()) != 0 || err != nil || len(pending) != 1 || pending[0].State != "due" || !strings.Contains(pending[0].Error, tt.want) || strings.Contains(pending[0].Error, "geheim") {
				t.Errorf("%+v, %v", pending, err)
			}
		})
	}
	t.Run("a certificate that nobody vouches for", func(t *testing.T) {
		box := newMailbox(t, "starttls")
		box.pool = x509.NewCertPool()
		d := postOffice(t, box, withTLS, "ops@example.org")
		if err := d.Trial(t.Context(), d.settings.Load().Notify[0]); err == nil || !strings.Contains(err.Error(), "certificate") {
			t.Errorf("%v", err)
		}
	})
	t.Run("a server that says nothing", func(t *testing.T) {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		box := newMailbox(t, "plain")
		box.port = listener.Addr().(*net.TCPAddr).Port
		d := postOffice(t, box, withPlain, "ops@example.org")
		c := d.settings.Load().Notify[0]
		c.Timeout = 200 * time.Millisecond
		hangs := time.AfterFunc(steadytest.Patience, func() { listener.Close() })
		if err := d.Trial(t.Context(), c); err == nil || !hangs.Stop() {
			t.Errorf("it waited for ever: %v", err)
		}
	})
}
