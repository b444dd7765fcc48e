package web

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	headersWithin  = 10 * time.Second // a client that sends its headers more slowly is cut off
	idleWithin     = 2 * time.Minute  // a connection that nothing is asked on is closed
	maxHeaders     = 64 << 10
	maxConnections = 512
	endWithin      = 5 * time.Second // answers that are being written have this long at the end
)

// Serve answers requests until ctx is done. Then events end, other answers are
// finished within a few seconds, and Serve returns nil. It closes listener.
func Serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	return serve(ctx, listener, handler, log, headersWithin, endWithin)
}

func serve(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger, headersWithin, endWithin time.Duration) error {
	requests, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	crowd := newCrowd(maxConnections)
	server := &http.Server{
		Handler:           crowd.answering(ending(ctx, handler)),
		ConnState:         crowd.changed,
		ConnContext:       crowd.remember,
		ReadHeaderTimeout: headersWithin,
		IdleTimeout:       idleWithin,
		MaxHeaderBytes:    maxHeaders,
		BaseContext:       func(net.Listener) context.Context { return requests },
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug), // what clients do wrong
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	late, cancelLate := context.WithTimeout(context.Background(), endWithin)
	defer cancelLate()
	err := server.Shutdown(late)
	if errors.Is(err, context.DeadlineExceeded) {
		cancel()
		err = server.Close()
	}
	<-ended
	return err
}

type endingKey struct{}

// ending lets handlers see that the server ends, see Ending.
func ending(server context.Context, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), endingKey{}, server.Done())))
	})
}

// Ending is closed when the server ends: answers without an end, such as
// events, stop then. It is nil, and so never closed, for requests that did not
// come by Serve.
func Ending(ctx context.Context) <-chan struct{} {
	done, _ := ctx.Value(endingKey{}).(<-chan struct{})
	return done
}
