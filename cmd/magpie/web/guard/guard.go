package guard

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
	"github.com/magpie-crawl/magpie/weburl"
)

// MaxBody is how many bytes the body of a request may have.
const MaxBody = 9 << 20 // a job file may have 8 MiB

// Options say what is let in.
type Options struct {
	Address string       // listened at, as net.Addr has it: an IP address and a port
	Asked   string       // the same as people wrote it, for what is said of it; "": Address
	Hosts   []string     // names that people reach the server by, beside loopback's and Address; with a port they hold for that alone
	Token   string       // what clients must know; "": nothing, which loopback alone allows
	URL     string       // where people see the server, such as https://magpie.example.com/; "": at Address
	Log     *slog.Logger // default: none

	strangerWithin time.Duration // default strangerWithin
}

// Guard lets requests in, or refuses them.
type Guard struct {
	hosts    *hosts
	cross    *http.CrossOriginProtection
	token    string
	secure   bool // people see the server by HTTPS
	cookie   string
	key      []byte // of form tokens
	sessions *sessions
	slow     *slowdown
	log      *slog.Logger

	strangerWithin time.Duration
}

// minToken is how long a token must be: one of letters and digits drawn at
// random cannot be guessed then, however fast somebody tries.
const minToken = 16

// New returns a guard. The error says which option is wrong and what to do.
func New(o Options) (*Guard, error) {
	address, err := netip.ParseAddrPort(o.Address)
	if err != nil {
		return nil, fmt.Errorf("the address %q: %w", o.Address, err)
	}
	g := &Guard{cross: http.NewCrossOriginProtection(), token: o.Token, sessions: newSessions(), slow: newSlowdown(), log: o.Log,
		strangerWithin: cmp.Or(o.strangerWithin, strangerWithin)}
	if g.log == nil {
		g.log = slog.New(slog.DiscardHandler)
	}
	names := o.Hosts
	if o.URL != "" {
		u, err := weburl.Parse(o.URL) // as browsers write it in Host and Origin
		if err != nil {
			return nil, fmt.Errorf("the url %q is none: write one such as https://magpie.example.com/", o.URL)
		}
		names = append(names[:len(names):len(names)], u.Host())
		g.secure = u.Scheme() == "https"
		if err := g.cross.AddTrustedOrigin(u.Origin()); err != nil {
			return nil, fmt.Errorf("the url %q: %w", o.URL, err)
		}
	}
	if g.hosts, err = newHosts(address, names); err != nil {
		return nil, err
	}
	if err := checkToken(o.Token, o.said(g.hosts.beyond)); err != nil {
		return nil, err
	}
	// Browsers give a cookie to all ports of a name. __Host- keeps other names
	// of the domain from setting it.
	g.cookie = fmt.Sprintf("magpie-%d", address.Port())
	if g.secure {
		g.cookie = "__Host-" + g.cookie
	}
	g.key = []byte(rand.Text() + rand.Text())
	return g, nil
}

// said is where the server can be reached from beyond, as people wrote it.
func (o *Options) said(beyond string) string {
	if beyond == o.Address {
		return cmp.Or(o.Asked, beyond)
	}
	return beyond
}

// checkToken says what is wrong with a token. beyond is where the server can
// be reached by others than this machine's own; "": nowhere.
func checkToken(token, beyond string) error {
	const make = "make one with: openssl rand -hex 32"
	switch {
	case token == "" && beyond == "":
		return nil
	case token == "":
		return fmt.Errorf("%s can be reached from other machines, and there is no token that keeps others out: set --token, MAGPIE_TOKEN or token: in serve.yaml; %s", beyond, make)
	case len(token) < minToken:
		return fmt.Errorf("the token has %d characters, which can be guessed: it must have at least %d; %s", len(token), minToken, make)
	case strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return errors.New("the token has blanks or other characters that cannot be sent: it must be of letters, digits and signs of ASCII; " + make)
	}
	return nil
}

// Open tells whether anybody who can reach the server may use it.
func (g *Guard) Open() bool { return g.token == "" }

// Wrap returns a handler that lets through to next what may pass.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := &writer{ResponseWriter: w, control: http.NewResponseController(w)}
		began := time.Now()
		defer func() { g.logRequest(r, out, time.Since(began)) }()
		defer g.recover(out, r)
		setHeaders(out.Header(), r)
		g.serve(out, r, next)
	})
}

const (
	readWithin = time.Minute // how long a client may take to send a body

	// What those may send who have not shown that they know the token: the form
	// of the login page.
	strangerWithin = 10 * time.Second
	strangerBody   = 16 << 10
)

func (g *Guard) serve(w *writer, r *http.Request, next http.Handler) {
	body := r.Body
	if r.ContentLength != 0 {
		// Also of what is refused: the rest of its body is read before the answer
		// is sent.
		w.control.SetReadDeadline(time.Now().Add(g.strangerWithin))
		r.Body = http.MaxBytesReader(w.ResponseWriter, r.Body, strangerBody)
	}
	if p := g.refuse(r); p != nil {
		problem.Write(w, r, p)
		return
	}
	switch {
	case public(r.URL.Path):
		next.ServeHTTP(w, r)
	case g.serveLogin(w, r):
	default:
		who, ok := g.admit(w, r)
		if !ok {
			return
		}
		if r.ContentLength != 0 {
			w.control.SetReadDeadline(time.Now().Add(readWithin))
			r.Body = http.MaxBytesReader(w.ResponseWriter, body, MaxBody)
		}
		if p := g.checkForm(r, who); p != nil {
			problem.Write(w, r, p)
			return
		}
		next.ServeHTTP(w, r.WithContext(withCaller(r.Context(), who)))
	}
}

// refuse says why a request is refused, whoever it is from.
func (g *Guard) refuse(r *http.Request) *problem.Problem {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete:
	default:
		// https://www.rfc-editor.org/rfc/rfc9110#section-15.6.2
		return problem.New(http.StatusNotImplemented, "", "%s is not a method that this server knows", r.Method)
	}
	if p := g.hosts.check(r.Host); p != nil {
		return p
	}
	return g.checkSite(r)
}

// public are the paths that tell nothing but that the server is alive, to
// whoever watches over it.
func public(path string) bool { return path == "/healthz" || path == "/readyz" }

// clientAddress is who is at the other end: an IP address, of IPv6 the network
// that one customer has.
func clientAddress(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is6() {
		if network, err := ip.Prefix(64); err == nil {
			return network.String()
		}
	}
	return ip.String()
}
