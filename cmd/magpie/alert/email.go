package alert

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"

	"github.com/wneessen/go-mail"

	"github.com/magpie-crawl/magpie/config"
	"github.com/magpie-crawl/magpie/config/notify"
)

// maxThreads is how many problems a mail is filed under.
const maxThreads = 10

// mail sends a message to a channel's address.
func (a *Alerter) mail(ctx context.Context, channel notify.Channel, m notify.Message) error {
	s := a.settings.Load().SMTP
	if s == nil {
		return errors.New("mail needs a server: write smtp into " + config.ServeFile)
	}
	letter, err := write(s.From, channel, m)
	if err != nil {
		return fmt.Errorf("%w: %w", errNever, err)
	}
	// The library leaves a connection open on which no session came about, and
	// knows no context once it is connected.
	line := &line{tls: a.tls(s), implicit: s.TLS == config.ImplicitTLS}
	defer context.AfterFunc(ctx, line.close)()
	defer line.close()
	client, err := newClient(s, line)
	if err != nil {
		return err
	}
	if err := client.DialWithContext(ctx); err != nil {
		return err
	}
	defer client.Close()
	err = client.Send(letter)
	if letter.IsDelivered() {
		return nil // what went wrong after that is no reason to send it again
	}
	return mailError(err)
}

// mailError says what the server said, and whether it says so for good: a
// 5yz reply is not to be asked for again,
// https://www.rfc-editor.org/rfc/rfc5321#section-4.2.1
func mailError(err error) error {
	var refused *mail.SendError
	if errors.As(err, &refused) && !refused.IsTemp() && refused.ErrorCode() >= 500 {
		return fmt.Errorf("%w: %w", errNever, err)
	}
	return err
}

// authTypes are the ways to log in, the best first. Those that send the
// password are for encrypted connections, and for this machine.
var authTypes = []mail.SMTPAuthType{mail.SMTPAuthSCRAMSHA256PLUS, mail.SMTPAuthSCRAMSHA256, mail.SMTPAuthSCRAMSHA1PLUS, mail.SMTPAuthSCRAMSHA1}

func (a *Alerter) tls(s *config.SMTP) *tls.Config {
	return &tls.Config{ServerName: s.Host, RootCAs: a.roots, MinVersion: tls.VersionTLS12}
}

// newClient is a client of the server of the settings, which it calls by line.
func newClient(s *config.SMTP, line *line) (*mail.Client, error) {
	options := []mail.Option{
		mail.WithPort(s.Port), mail.WithTimeout(notify.DefaultTimeout), mail.WithoutNoop(), mail.WithTLSConfig(line.tls),
		mail.WithDialContextFunc(line.dial),
	}
	auth := append(authTypes[:len(authTypes):len(authTypes)], mail.SMTPAuthPlain, mail.SMTPAuthLogin)
	switch s.TLS {
	case config.ImplicitTLS:
		options = append(options, mail.WithSSL())
	case config.PlainText:
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
		auth = append(authTypes[:len(authTypes):len(authTypes)], mail.SMTPAuthPlainNoEnc, mail.SMTPAuthLoginNoEnc)
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if s.User != "" {
		options = append(options, mail.WithUsername(s.User), mail.WithPassword(s.Password), mail.WithOpportunisticSMTPAuth(auth...))
	}
	return mail.NewClient(s.Host, options...)
}

// line is a connection to a mail server.
type line struct {
	tls      *tls.Config
	implicit bool // TLS from the beginning

	mu     sync.Mutex
	conn   net.Conn
	closed bool
}

func (l *line) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	if l.conn = conn; l.closed {
		conn.Close()
	}
	l.mu.Unlock()
	if !l.implicit {
		return conn, nil
	}
	secure := tls.Client(conn, l.tls)
	return secure, secure.HandshakeContext(ctx)
}

func (l *line) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed = true; l.conn != nil {
		l.conn.Close()
	}
}

// write writes a mail: text, and the same as HTML for programs that prefer
// it, unless a template made the text. Its Message-ID is the same for each try.
func write(from string, channel notify.Channel, m notify.Message) (*mail.Msg, error) {
	letter := mail.NewMsg()
	if err := letter.From(from); err != nil {
		return nil, fmt.Errorf("from %q: %w", from, err)
	}
	if err := letter.To(channel.Email); err != nil {
		return nil, fmt.Errorf("to %q: %w", channel.Email, err)
	}
	subject, err := subjectOf(channel, m)
	if err != nil {
		return nil, err
	}
	domain := from[strings.LastIndexByte(from, '@')+1:]
	letter.Subject(subject)
	letter.SetDateWithValue(m.Time)
	letter.SetMessageIDWithValue(m.ID + "@" + domain)
	// https://www.rfc-editor.org/rfc/rfc3834#section-5: nobody's vacation answers.
	letter.SetGenHeader("Auto-Submitted", "auto-generated")
	// https://www.rfc-editor.org/rfc/rfc2919: what mail programs filter by.
	letter.SetGenHeader("List-Id", "<magpie."+domain+">")
	if list := threads(m, domain); len(list) > 0 {
		letter.SetGenHeaderPreformatted(mail.HeaderInReplyTo, list[0])
		letter.SetGenHeaderPreformatted(mail.HeaderReferences, strings.Join(list, "\r\n "))
	}
	if channel.Template != nil {
		text, err := channel.Template.Make(m)
		letter.SetBodyString(mail.TypeTextPlain, text)
		return letter, err
	}
	letter.SetBodyString(mail.TypeTextPlain, m.Text)
	page, err := m.HTML()
	letter.AddAlternativeString(mail.TypeTextHTML, page)
	return letter, err
}

// subjectOf is the subject of a mail: one line, as its channel wants it.
func subjectOf(channel notify.Channel, m notify.Message) (string, error) {
	if channel.Subject != nil {
		text, err := channel.Subject.Make(m)
		if line := notify.Line(text); err != nil || line != "" {
			return line, err
		}
	}
	return "[magpie] " + m.Subject, nil
}

// threads are the Message-IDs that mails about the same problems refer to, so
// that programs show them together: one for each job, though none has it.
// https://www.rfc-editor.org/rfc/rfc5322#section-3.6.4
func threads(m notify.Message, domain string) (list []string) {
	for i, job := range m.Jobs {
		if i == maxThreads || m.Trial {
			break
		}
		sum := sha256.Sum256([]byte(job))
		list = append(list, "<job."+hex.EncodeToString(sum[:12])+"@"+domain+">")
	}
	return list
}
