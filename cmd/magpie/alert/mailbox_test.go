package alert

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http/httptest"
	"net/mail"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// mailbox is a mail server on this machine.
type mailbox struct {
	port int
	tls  *tls.Config
	pool *x509.CertPool

	mu      sync.Mutex
	refuse  func(n int, at, who string) error // of the n-th session; nil: nothing is refused
	n       int
	letters []letter
}

type letter struct {
	from, to, user string
	encrypted      bool
	raw            string
	header         mail.Header
	text, html     string
}

// newMailbox starts a server with STARTTLS, with TLS from the beginning, or
// with none.
func newMailbox(t *testing.T, mode string) *mailbox {
	t.Helper()
	certified := httptest.NewTLSServer(nil) // lends its certificate
	t.Cleanup(certified.Close)
	b := &mailbox{pool: x509.NewCertPool(), tls: &tls.Config{Certificates: certified.TLS.Certificates}}
	b.pool.AddCert(certified.Certificate())
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.n++
		return &session{b: b, c: c, n: b.n}, nil
	}))
	server.Domain, server.ErrorLog = "mail.test", silent{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b.port = listener.Addr().(*net.TCPAddr).Port
	switch mode {
	case "starttls":
		server.TLSConfig = b.tls
	case "implicit":
		listener = tls.NewListener(listener, b.tls)
	case "plain":
		server.AllowInsecureAuth = true
	}
	go server.Serve(listener)
	t.Cleanup(func() { server.Close() })
	t.Setenv("SMTP_PASSWORD", "geheim")
	return b
}

type silent struct{}

func (silent) Printf(string, ...any) {}
func (silent) Println(...any)        {}

// session is a connection.
type session struct {
	b *mailbox
	c *smtp.Conn
	n int
	letter
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if password != "geheim" {
			return errors.New("wrong password")
		}
		s.user = user
		return nil
	}), nil
}

func (s *session) refused(at, who string) error {
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	if s.b.refuse == nil {
		return nil
	}
	return s.b.refuse(s.n, at, who)
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	return s.refused("mail", from)
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return s.refused("rcpt", to)
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := s.refused("data", s.to); err != nil {
		return err
	}
	_, s.encrypted = s.c.TLSConnectionState()
	if s.raw = string(raw); s.parse() != nil {
		return s.parse()
	}
	s.b.mu.Lock()
	defer s.b.mu.Unlock()
	s.b.letters = append(s.b.letters, s.letter)
	return nil
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

// parse reads a letter as mail programs do.
func (l *letter) parse() error {
	m, err := mail.ReadMessage(strings.NewReader(l.raw))
	if err != nil {
		return err
	}
	l.header = m.Header
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if kind == "text/plain" {
		text, err := io.ReadAll(quotedprintable.NewReader(m.Body))
		l.text = strings.ReplaceAll(string(text), "\r\n", "\n")
		return err
	}
	if err != nil || kind != "multipart/alternative" {
		return fmt.Errorf("content type %s, %w", kind, err)
	}
	parts := multipart.NewReader(m.Body, params["boundary"])
	for _, into := range []*string{&l.text, &l.html} {
		part, err := parts.NextRawPart()
		if err != nil {
			return err
		}
		var body io.Reader = part
		if part.Header.Get("Content-Transfer-Encoding") == "quoted-printable" {
			body = quotedprintable.NewReader(part)
		}
		text, err := io.ReadAll(body)
		if err != nil {
			return err
		}
		*into = strings.ReplaceAll(string(text), "\r\n", "\n")
	}
	return nil
}

func (b *mailbox) take() []letter {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := b.letters
	b.letters = nil
	return all
}

func (l *letter) subject(t *testing.T) string {
	t.Helper()
	s, err := new(mime.WordDecoder).DecodeHeader(l.header.Get("Subject"))
	if err != nil {
		t.Error(err)
	}
	return s
}

// postOffice is a desk that sends mail.
func postOffice(t *testing.T, b *mailbox, smtp, to string) *desk {
	d := newDesk(t, "smtp: {"+strings.ReplaceAll(smtp, "PORT", fmt.Sprint(b.port))+", from: Magpie <magpie@example.com>}\nnotify: {email: "+to+", group: 0s}\nurl: https://magpie.example/\n")
	d.o.roots, d.Alerter.roots = b.pool, b.pool
	return d
}

const (
	withTLS   = `server: "smtp://me%40example.com@127.0.0.1:PORT", password: "${SMTP_PASSWORD}"`
	withSMTPS = `server: "smtps://me@127.0.0.1:PORT", password: "${SMTP_PASSWORD}"`
	withPlain = `server: "smtp://me@127.0.0.1:PORT", password: "${SMTP_PASSWORD}", tls: off`
)
