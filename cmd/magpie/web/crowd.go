package web

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// crowd keeps the connections to the server from being more than it can have,
// and those that ask nothing from keeping out those that do. When there are too
// many, the one goes that has waited longest without a whole request: one that
// is kept open for later, or that sends its headers slowly on purpose. Limiting
// the listener instead would let a few hundred of them shut everybody out.
type crowd struct {
	most int

	mu      sync.Mutex
	all     map[net.Conn]struct{}
	waiting map[net.Conn]time.Time // that nothing is answered on, since when
}

func newCrowd(most int) *crowd {
	return &crowd{most: most, all: map[net.Conn]struct{}{}, waiting: map[net.Conn]time.Time{}}
}

// changed is http.Server.ConnState.
func (c *crowd) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		c.all[conn] = struct{}{}
		c.waiting[conn] = time.Now()
		if len(c.all) > c.most {
			c.sendAway()
		}
	case http.StateIdle:
		c.waiting[conn] = time.Now()
	case http.StateClosed, http.StateHijacked:
		delete(c.all, conn)
		delete(c.waiting, conn)
	}
}

// sendAway closes the connection that has waited longest. A new one waits too:
// where all others are answered it goes itself.
func (c *crowd) sendAway() {
	var longest net.Conn
	for conn, since := range c.waiting {
		if longest == nil || since.Before(c.waiting[longest]) {
			longest = conn
		}
	}
	delete(c.all, longest)
	delete(c.waiting, longest)
	longest.Close()
}

type connKey struct{}

// remember is http.Server.ConnContext.
func (c *crowd) remember(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, conn)
}

// answering notes which connections are being answered.
func (c *crowd) answering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, ok := r.Context().Value(connKey{}).(net.Conn); ok {
			c.mu.Lock()
			delete(c.waiting, conn)
			c.mu.Unlock()
		}
		next.ServeHTTP(w, r)
	})
}
