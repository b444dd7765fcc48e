package store

import (
	"context"
	"os"
	"sync"
	"time"
)

// readGate keeps readers from making the write-ahead log grow without end. The
// log is begun anew when a commit meets no reader that still needs it; where
// many read all the time, each for a moment, there is always one. Once the log
// is large, new reads therefore wait until those that are under way have ended
// and it was begun anew. Commits never wait.
//
// https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files
type readGate struct {
	log string // path

	mu     sync.Mutex
	shut   chan struct{} // closed when reads may go on; nil: they may
	before time.Time     // not shut again before, since it was in vain
}

const (
	gateSize = 33554432 + 1<<20 // of the log, above journal_size_limit: it is then growing now
	gateHold = time.Second      // how long reads wait at most: a read of another process may last
	gateRest = 3 * gateHold     // how long the gate then stays open
)

// wait waits while the gate is shut.
func (g *readGate) wait(ctx context.Context) error {
	g.mu.Lock()
	shut := g.shut
	g.mu.Unlock()
	if shut == nil {
		return nil
	}
	select {
	case <-shut:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// committed is told of each commit. It shuts the gate when the log has become
// large, and opens it when it is small again.
func (g *readGate) committed() {
	info, err := os.Stat(g.log)
	large := err == nil && info.Size() > gateSize
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.shut != nil && !large:
		g.open()
	case g.shut == nil && large && time.Now().After(g.before):
		shut := make(chan struct{})
		g.shut = shut
		time.AfterFunc(gateHold, func() {
			g.mu.Lock()
			defer g.mu.Unlock()
			if g.shut == shut { // in vain
				g.before = time.Now().Add(gateRest)
				g.open()
			}
		})
	}
}

func (g *readGate) open() {
	close(g.shut)
	g.shut = nil
}
