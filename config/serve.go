package config

import (
	_ "embed"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/config/notify"
)

// ServeFile is the name of the daemon's settings in its folder: no job.
const ServeFile = "serve.yaml"

// Serve is what a daemon's settings say. A zero field was not set.
type Serve struct {
	Listen      string // host:port, or unix:PATH
	Token       string
	Hosts       []string // that requests may be addressed to, besides those of loopback and Listen
	URL         string   // where people see the dashboard, for links
	Concurrency int      // runs at a time
	StopWithin  time.Duration
	SMTP        *SMTP            // nil: mail cannot be sent
	Notify      []notify.Channel // of jobs that say nothing of it
}

// SMTP is a server that takes mail for others.
type SMTP struct {
	Host string
	Port int
	TLS  TLSMode
	User string // "": nobody logs in
	From string // address

	Password string
}

// TLSMode is how a connection to a mail server is encrypted.
type TLSMode int

// Modes.
const (
	StartTLS    TLSMode = iota // by STARTTLS, without which nothing is sent: https://www.rfc-editor.org/rfc/rfc3207
	ImplicitTLS                // from the beginning: https://www.rfc-editor.org/rfc/rfc8314
	PlainText                  // not at all: on this machine alone
)

//go:embed serve.schema.json
var serveSchema []byte

// ServeSchema returns the JSON Schema of a daemon's settings, see Schema.
func ServeSchema() []byte { return slices.Clone(serveSchema) }

// LoadServe reads a daemon's settings. The error is Mistakes when the file
// could be read but is not valid, and wraps fs.ErrNotExist where there is none.
func LoadServe(path string) (*Serve, error) { return load(path, "settings", ParseServe) }

// ParseServe reads the text of a daemon's settings, see Parse.
func ParseServe(name string, src []byte) (*Serve, error) {
	s := &Serve{}
	if onlyComments(string(src)) {
		return s, nil
	}
	err := decode(name, src, false, func(d *decoder, root *node) { d.serve(root, s) })
	var mistakes Mistakes
	if errors.As(err, &mistakes) {
		for i := range mistakes {
			mistakes[i].Message = inSettings.Replace(mistakes[i].Message)
		}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// inSettings says of settings what is else said of job files.
var inSettings = strings.NewReplacer("a job file", "serve.yaml", "no job file", "no file of settings")

// onlyComments tells whether YAML has no content, which sets nothing.
func onlyComments(src string) bool {
	for line := range strings.Lines(strings.TrimPrefix(src, "\uFEFF")) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

// serve reads the whole file.
func (d *decoder) serve(root *node, s *Serve) {
	d.mapping(value{node: root, name: "the settings"}, []key{
		{name: "listen", read: func(v value) { s.Listen = d.listen(v) }},
		{name: "token", read: func(v value) { s.Token = d.secret(v, `"${TOKEN}"`) }},
		{name: "hosts", read: func(v value) { s.Hosts = d.hosts(v) }},
		{name: "url", read: func(v value) { s.URL = d.dashboardURL(v) }},
		{name: "concurrency", read: func(v value) { s.Concurrency = d.integer(v, 1, "4") }},
		{name: "stop_within", read: func(v value) { s.StopWithin = d.aboveZero(v, "30s") }},
		{name: "smtp", read: func(v value) { s.SMTP = d.smtp(v) }},
		{name: "notify", read: func(v value) { s.Notify = d.notify(v) }},
	})
	if s.SMTP != nil || root.kind != mappingKind || d.broken[root] {
		return
	}
	for _, c := range s.Notify {
		if p, _ := root.get("notify"); c.Email != "" {
			d.wrong(p.place, `mail needs a server: write smtp: {server: "smtp://me@mail.example.com:587", password: "${SMTP_PASSWORD}", from: magpie@example.com}`)
			return
		}
	}
}

func (d *decoder) listen(v value) string {
	const example = "127.0.0.1:8490"
	address, ok := d.text(v, example)
	if path, unix := strings.CutPrefix(address, "unix:"); !ok || unix && path != "" {
		return address
	}
	_, port, err := net.SplitHostPort(address)
	if n, e := strconv.Atoi(port); err != nil || e != nil || n < 0 || n > 65535 {
		d.wrong(v.place, "%s is no address to listen at: write host and port such as %s, or :8490 for all addresses of the machine", quoted(address), example)
	}
	return address
}

// hosts reads names as they stand in a Host field, without a port.
func (d *decoder) hosts(v value) (list []string) {
	for _, one := range d.texts(v, "magpie.example.com") {
		if u, err := url.Parse("http://" + one.text); err != nil || u.Host != one.text || u.Port() != "" || strings.ContainsAny(one.text, "*@") {
			d.wrong(one.place, "%s is no name of a host: write one such as magpie.example.com, without port and scheme", quoted(one.text))
			continue
		}
		list = append(list, strings.ToLower(one.text))
	}
	return list
}

func (d *decoder) dashboardURL(v value) string {
	before := len(d.mistakes)
	text, ok := d.text(v, `"https://magpie.example.com/"`)
	if !ok {
		return ""
	}
	d.url(v)
	u, err := url.Parse(text)
	if len(d.mistakes) == before && (err != nil || u.RawQuery != "" || u.Fragment != "") {
		d.wrong(v.place, `%s cannot be the dashboard's: write one without ? and #, such as "https://magpie.example.com/"`, quoted(text))
	}
	return text
}

func (d *decoder) smtp(v value) *SMTP {
	const example = `"smtp://me@mail.example.com:587"`
	s := &SMTP{}
	var server, tls value
	d.mapping(v, []key{
		{name: "server", read: func(v value) { server = v; d.smtpServer(v, s, example) }},
		{name: "password", read: func(v value) { s.Password = d.secret(v, `"${SMTP_PASSWORD}"`) }},
		{name: "from", read: func(v value) {
			if list := d.emails(v); len(list) > 0 {
				s.From = list[0]
			}
		}},
		{name: "tls", read: func(v value) {
			if isOff(v) {
				tls = v
			} else if v.kind != boolKind && v.text != "on" {
				d.choice(v, []string{"on", "off"})
			}
		}},
	})
	if v.kind != mappingKind || d.broken[v.node] {
		return s
	}
	_, hasFrom := v.get("from")
	_, hasPassword := v.get("password")
	switch {
	case server.node == nil:
		d.wrong(v.place, "server is missing in smtp: say who takes the mail, such as server: %s", example)
	case !hasFrom:
		d.wrong(v.place, "from is missing in smtp: say who mail is from, such as from: magpie@example.com")
	case s.User == "" && hasPassword:
		d.wrong(server.place, "there is a password and no user: write it in the server, such as %s", example)
	case s.User != "" && !hasPassword:
		d.wrong(v.place, `password is missing in smtp: write password: "${SMTP_PASSWORD}"`)
	case tls.node == nil:
	case s.TLS == ImplicitTLS:
		d.wrong(tls.place, "tls: off does not go with smtps: write smtp")
	case !isLoopback(s.Host):
		d.wrong(tls.place, "tls: off is for a server on this machine alone: mail and password could be read on their way to %s", s.Host)
	default:
		s.TLS = PlainText
	}
	return s
}

// smtpServer reads smtp://user@host:port or smtps://user@host:port.
func (d *decoder) smtpServer(v value, s *SMTP, example string) {
	before := len(d.mistakes)
	text := d.expand(v, example)
	if len(d.mistakes) > before {
		return
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		d.wrong(v.place, "%s is no mail server: write one such as %s, with smtps for TLS from the beginning", quoted(v.text), example)
		return
	}
	if _, has := u.User.Password(); has {
		d.wrong(v.place, `a password does not belong into server: write password: "${SMTP_PASSWORD}"`)
		return
	}
	s.Host, s.User = u.Hostname(), u.User.Username()
	switch s.Port, _ = strconv.Atoi(u.Port()); {
	case u.Scheme == "smtps":
		s.TLS = ImplicitTLS
		if s.Port == 0 {
			s.Port = 465
		}
	case s.Port == 0:
		s.Port = 587
	}
}

// isLoopback tells hosts that are this machine by their name.
func isLoopback(host string) bool {
	if a, err := netip.ParseAddr(host); err == nil {
		return a.IsLoopback()
	}
	return strings.EqualFold(host, "localhost") || strings.HasSuffix(strings.ToLower(host), ".localhost")
}
