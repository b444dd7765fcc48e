package crawltest

import (
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// quiet takes what net/http logs about the faults.
var quiet = log.New(io.Discard, "", 0)

// raw is a handler that writes to the connection itself. The connection is
// closed after it.
func raw(f func(c net.Conn)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			http.Error(w, "this fault needs HTTP/1.1: "+err.Error(), http.StatusNotImplemented)
			return
		}
		defer c.Close()
		f(c)
	})
}

// head is the start of a response with a body of HTML; fields end in "\r\n".
func head(fields string) string {
	return "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n" + fields + "\r\n"
}

// Silence reads the request and never answers.
func Silence() http.Handler {
	return raw(func(c net.Conn) { io.Copy(io.Discard, c) })
}

// Hangup closes the connection in place of an answer.
func Hangup() http.Handler { return raw(func(net.Conn) {}) }

// SlowHeader sends a header without end, one byte after each interval.
func SlowHeader(interval time.Duration) http.Handler {
	return raw(func(c net.Conn) {
		drip(c, "HTTP/1.1 200 OK\r\nX-Slow: ", interval)
	})
}

// Drip sends a body without end, one byte after each interval.
func Drip(interval time.Duration) http.Handler {
	return raw(func(c net.Conn) { drip(c, head(""), interval) })
}

func drip(c net.Conn, start string, interval time.Duration) {
	for text := start; ; text = "x" {
		if _, err := io.WriteString(c, text); err != nil {
			return
		}
		time.Sleep(interval)
	}
}

// ResetMidBody sends half a body and resets the connection.
func ResetMidBody() http.Handler {
	return raw(func(c net.Conn) {
		io.WriteString(c, head("Content-Length: 20000\r\n")+strings.Repeat("x", 10000))
		time.Sleep(20 * time.Millisecond) // else the reset overtakes the bytes
		if t, ok := c.(*tls.Conn); ok {
			c = t.NetConn()
		}
		c.(*net.TCPConn).SetLinger(0)
	})
}

// Abort sends the start of a body and gives up: a closed connection with
// HTTP/1.1, a reset stream with HTTP/2.
func Abort() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		HTML("<p>as far as").ServeHTTP(w, r)
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
}

// LongContentLength announces twice as many bytes as it sends, then closes
// the connection in order.
func LongContentLength() http.Handler {
	return raw(func(c net.Conn) {
		io.WriteString(c, head("Content-Length: 2000\r\n")+strings.Repeat("x", 1000))
	})
}

// BrokenChunks sends one chunk, then something that is none.
func BrokenChunks() http.Handler {
	return raw(func(c net.Conn) {
		io.WriteString(c, head("Transfer-Encoding: chunked\r\n")+"5\r\nhello\r\nnone\r\n")
	})
}

// MissingLastChunk ends a chunked body by closing the connection.
func MissingLastChunk() http.Handler {
	return raw(func(c net.Conn) {
		io.WriteString(c, head("Transfer-Encoding: chunked\r\n")+"5\r\nhello\r\n")
	})
}

// NotHTTP answers in another protocol.
func NotHTTP() http.Handler {
	return raw(func(c net.Conn) { io.WriteString(c, "220 mail.example ESMTP ready\r\n") })
}

// SwitchingProtocols answers that it goes on in another protocol, and waits.
func SwitchingProtocols() http.Handler {
	return raw(func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n")
		io.Copy(io.Discard, c)
	})
}

// HeaderFlood sends header fields without end.
func HeaderFlood() http.Handler {
	return raw(func(c net.Conn) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\n")
		for i := 0; ; i++ {
			if _, err := fmt.Fprintf(c, "Set-Cookie: c%d=%s\r\n", i, strings.Repeat("x", 1000)); err != nil {
				return
			}
		}
	})
}

// Endless sends a body without end, as fast as it is read.
func Endless() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		for page := []byte(strings.Repeat("<p>and on it goes</p>\n", 1000)); ; {
			if _, err := w.Write(page); err != nil {
				return
			}
		}
	})
}

// HTML answers with a page.
func HTML(page string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, page)
	})
}

// Status answers with a status and a short page.
func Status(code int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(code)
		if code >= 200 && code != http.StatusNoContent && code != http.StatusNotModified {
			fmt.Fprintf(w, "<title>%d %s</title>", code, http.StatusText(code))
		}
	})
}

// Unavailable answers 503 with a Retry-After field of this value.
func Unavailable(retryAfter string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", retryAfter)
		Status(http.StatusServiceUnavailable).ServeHTTP(w, r)
	})
}

// Redirect answers 302 with a Location of this value, as it stands.
func Redirect(location string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["Location"] = []string{location}
		w.WriteHeader(http.StatusFound)
	})
}

// RedirectLoop redirects each URL to itself with another query, without end.
func RedirectLoop() http.Handler {
	var n atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Redirect(fmt.Sprintf("%s?hop=%d", r.URL.Path, n.Add(1))).ServeHTTP(w, r)
	})
}

// First answers the first n requests with one handler, the others with
// another.
func First(n int64, fault, then http.Handler) http.Handler {
	var seen atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if seen.Add(1) <= n {
			fault.ServeHTTP(w, r)
		} else {
			then.ServeHTTP(w, r)
		}
	})
}
