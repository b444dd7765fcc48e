package fetch

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
)

// Reason says in one word why a request brought no response.
type Reason string

// Reasons.
const (
	ReasonURL         Reason = "url"         // not a canonical http or https URL
	ReasonAddress     Reason = "address"     // the host has an address that must not be connected to
	ReasonDNS         Reason = "dns"         // the host name does not resolve
	ReasonRefused     Reason = "refused"     // nobody listens at the address
	ReasonUnreachable Reason = "unreachable" // no way to the address
	ReasonTLS         Reason = "tls"         // certificate or handshake
	ReasonTimeout     Reason = "timeout"     // connecting, the header or the whole took too long
	ReasonSlow        Reason = "slow"        // the body came below Options.MinRate
	ReasonReset       Reason = "reset"       // the connection ended before the response did
	ReasonProtocol    Reason = "protocol"    // the answer breaks HTTP's rules
	ReasonHeaderSize  Reason = "header-size" // the header is larger than MaxHeaderBytes
	ReasonCoding      Reason = "coding"      // the content-coding cannot be undone
	ReasonRedirect    Reason = "redirect"    // to something that is no http or https URL
	ReasonCanceled    Reason = "canceled"    // by the caller's context
	ReasonProxy       Reason = "proxy"       // the proxy could not be connected to, or refused
	ReasonLocal       Reason = "local"       // this machine is out of sockets or ports
)

// Error says why a request brought no response.
type Error struct {
	Reason    Reason
	Temporary bool // the same request may succeed later
	Err       error
}

func (e *Error) Error() string { return string(e.Reason) + ": " + e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// classify finds the reason of an error that came before the header was read.
func classify(ctx context.Context, err error) *Error {
	if e := known(ctx, err); e != nil {
		return e
	}
	return &Error{Reason: ReasonProtocol, Temporary: true, Err: err}
}

// classifyBody finds the reason of an error that came while the body was read.
func classifyBody(ctx context.Context, err error) *Error {
	if e := known(ctx, err); e != nil {
		return e
	}
	// HTTP/2 tells with types that nobody else can name.
	if strings.HasPrefix(err.Error(), "stream error") {
		return &Error{Reason: ReasonReset, Temporary: true, Err: err}
	}
	return &Error{Reason: ReasonProtocol, Temporary: true, Err: err}
}

// known finds the reason of an error that does not hang on when it came. Nil:
// it is none of them.
func known(ctx context.Context, err error) *Error {
	if ctx.Err() != nil {
		if own, ok := errors.AsType[*Error](context.Cause(ctx)); ok {
			return own
		}
		return &Error{Reason: ReasonCanceled, Temporary: true, Err: context.Cause(ctx)}
	}
	if own, ok := errors.AsType[*Error](err); ok {
		return own
	}
	// What net/http's own SOCKS client says of its proxy.
	if op, ok := errors.AsType[*net.OpError](err); ok && strings.HasPrefix(op.Op, "socks") {
		return &Error{Reason: ReasonProxy, Temporary: true, Err: err}
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		return &Error{Reason: ReasonDNS, Temporary: !dns.IsNotFound, Err: err}
	}
	if isTLS(err) {
		return &Error{Reason: ReasonTLS, Err: err}
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return &Error{Reason: ReasonTimeout, Temporary: true, Err: err}
	}
	for _, known := range errnos {
		if errors.Is(err, known.err) {
			return &Error{Reason: known.reason, Temporary: true, Err: err}
		}
	}
	if isHeaderSize(err) {
		return &Error{Reason: ReasonHeaderSize, Err: err}
	}
	return nil
}

var errnos = []struct {
	err    error
	reason Reason
}{
	{syscall.ECONNREFUSED, ReasonRefused},
	{syscall.EHOSTUNREACH, ReasonUnreachable},
	{syscall.ENETUNREACH, ReasonUnreachable},
	{syscall.ECONNRESET, ReasonReset},
	{syscall.ECONNABORTED, ReasonReset},
	{syscall.EPIPE, ReasonReset},
	{io.EOF, ReasonReset},
	{io.ErrUnexpectedEOF, ReasonReset},
	{syscall.EMFILE, ReasonLocal},
	{syscall.ENFILE, ReasonLocal},
	{syscall.ENOBUFS, ReasonLocal},
	{syscall.EADDRNOTAVAIL, ReasonLocal},
}

func isTLS(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return true
	}
	if _, ok := errors.AsType[tls.AlertError](err); ok {
		return true
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return true
	}
	// Much of crypto/tls is known by its text alone.
	return strings.Contains(err.Error(), "tls: ") || strings.Contains(err.Error(), "server gave HTTP response to HTTPS client")
}

// isHeaderSize tells by the texts of net/http, in HTTP/1.1 and HTTP/2.
func isHeaderSize(err error) bool {
	return strings.Contains(err.Error(), "response headers exceeded") || strings.Contains(err.Error(), "response header list larger")
}
