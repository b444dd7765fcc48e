package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// recordPipe writes records to standard output once they are stored. A reader
// that is slow slows the crawl; one that goes away ends it.
type recordPipe struct {
	sink recordSink
	stop func()
	err  error
}

// newRecordPipe returns a pipe to a's standard output. The caller must call
// release at the end.
func newRecordPipe(a *app, spec extract.Spec, stop func()) (p *recordPipe, release func(), err error) {
	sink, err := newSink(a.stdout, string(store.JSONL), spec, true)
	if err != nil {
		return nil, nil, err
	}
	// Else the signal would end the process in the middle.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	return &recordPipe{sink: sink, stop: stop}, func() { signal.Stop(broken) }, nil
}

// visited writes the records of a visit that was stored.
func (p *recordPipe) visited(v *crawl.Visit) {
	if p == nil || p.err != nil || v.State == crawl.Failed || len(v.Records) == 0 {
		return
	}
	for i := range v.Records {
		if p.err = p.sink.write(v.Records[i]); p.err != nil {
			break
		}
	}
	if p.err = errors.Join(p.err, p.sink.flush()); p.err != nil {
		p.stop()
	}
}

// failure is why not all records were written, nil if they were.
func (p *recordPipe) failure() error {
	switch {
	case p == nil || p.err == nil:
		return nil
	case errors.Is(p.err, syscall.EPIPE):
		return errors.New("nobody reads the records on standard output any more: what was fetched is saved, and the same command goes on from here")
	}
	return fmt.Errorf("write records to standard output: %w", p.err)
}
