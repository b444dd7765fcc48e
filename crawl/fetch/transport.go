package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/url"
	"time"
)

// TransportOptions say how connections are made and kept.
type TransportOptions struct {
	PerHost       int           // idle connections that are kept for one host; default 2
	DialTimeout   time.Duration // for a name to be resolved and a connection to be made; default 10s
	TLSTimeout    time.Duration // for the TLS handshake; default 10s
	HeaderTimeout time.Duration // from the request to the end of the response's header; default 30s

	// AllowPrivate permits connections to loopback, private and other
	// addresses that are not of the public Internet.
	AllowPrivate bool
	// AllowHosts are the hosts that may have such addresses: those that the
	// user named. They are written as weburl.URL.Host writes them; a host
	// without a port stands for the ports 80 and 443.
	AllowHosts []string

	Proxies Proxies // default: none

	RootCAs     *x509.CertPool // default: the system's
	InsecureTLS bool           // accept any certificate

	Record bool // connections can be recorded, for Options.KeepRaw
}

const (
	// MaxHeaderBytes is how large a response's header may be.
	MaxHeaderBytes = 256 << 10

	maxIdleConns    = 1024
	idleConnTimeout = 60 * time.Second
)

// NewTransport returns a transport for many hosts, which Workers share. It
// speaks HTTP/1.1 and HTTP/2, and connects to no private
// address but those permitted, whatever a host name resolves to: the address
// is looked at when it is dialled.
func NewTransport(opts TransportOptions) *http.Transport {
	or := func(d, otherwise time.Duration) time.Duration {
		if d > 0 {
			return d
		}
		return otherwise
	}
	perHost := opts.PerHost
	if perHost <= 0 {
		perHost = 2
	}
	g := newGuard(opts, or(opts.DialTimeout, 10*time.Second))
	var proxy func(*http.Request) (*url.URL, error)
	if !opts.Proxies.none() {
		g.proxies = newProxyTurns(opts.Proxies, g)
		proxy = g.proxies.choose
	}
	t := &http.Transport{
		Proxy:                  proxy,
		DialContext:            g.dialContext,
		TLSClientConfig:        &tls.Config{RootCAs: opts.RootCAs, InsecureSkipVerify: opts.InsecureTLS},
		TLSHandshakeTimeout:    or(opts.TLSTimeout, 10*time.Second),
		ResponseHeaderTimeout:  or(opts.HeaderTimeout, 30*time.Second),
		MaxResponseHeaderBytes: MaxHeaderBytes,
		DisableCompression:     true, // the wire undoes content-codings, under a limit
		ForceAttemptHTTP2:      true, // not by itself with a dialer of our own
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
		MaxIdleConns:           maxIdleConns,
		MaxIdleConnsPerHost:    perHost,
		IdleConnTimeout:        idleConnTimeout,
	}
	if opts.Record {
		d := &recorder{dial: g.dialContext, tls: t.TLSClientConfig.Clone(), timeout: t.TLSHandshakeTimeout}
		d.tls.NextProtos = []string{"h2", "http/1.1"}
		t.DialContext, t.DialTLSContext = d.dialContext, d.dialTLSContext
	}
	return t
}
