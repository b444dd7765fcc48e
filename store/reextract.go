package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store/internal/itemtype"
)

// ReextractOptions say what to take from the stored pages of a job, and what to
// do with it.
type ReextractOptions struct {
	Job    string       // its name
	Source string       // the text of the job file, kept with the run
	Items  extract.Spec // the item types that Read gives; records of others end where their page is read

	// Read takes the records from a stored page. It is called from several
	// goroutines, for HTML pages alone. Nothing that it returns or keeps may
	// share memory with p.Body, where the next page will be. An error costs
	// the page: its records stay as they are. See crawl.Crawler.Reread.
	Read func(url string, p *crawl.Page) (extract.Result, error)

	Preview bool // write nothing
	Sample  int  // read only this many pages, always the same ones, and write nothing; 0: all

	OnProgress func(read, all int64)         // told now and then how many pages were read; nil: nobody asks
	OnChange   func(c ReextractChange) error // told of each record that differs, before anything is written, until it returns fs.SkipAll; nil: nobody asks
}

func (o *ReextractOptions) preview() bool { return o.Preview || o.Sample > 0 }

// Reextraction is what came of reading a job's stored pages again.
type Reextraction struct {
	Job     string
	Run     int // number of the run that it is; 0: a preview
	Elapsed time.Duration

	Pages    int64  // read
	Bytes    int64  // of their bodies
	NotHTML  int64  // of another format
	NoBody   int64  // whose body is not kept any more
	Gone     int64  // whose absence a crawl has confirmed
	Failed   int64  // that could not be read
	FailedOn string // why, of the first of those

	New       int64 // records that were not there
	Changed   int64
	Unchanged int64
	Ended     int64 // records that their page does not give any more
	Kept      int64 // records of pages that were not read: they stay as they are
	Rejects   int64
	Problems  int64

	RejectsBefore int64          // of the same pages
	Fields        []ReextractSum // problems by field, those that changed most first
}

// ReextractSum says how often a field failed in one way, before and now.
type ReextractSum struct {
	Item    string
	Field   string // path without positions, such as "reviews[].stars"
	Code    string
	Before  int64
	Now     int64
	Example string // detail of one that fails now; else of one that did
}

// Reextract reads the last good response of each URL of a job again, and
// replaces the records that were taken from them: in one transaction at the
// end, as a run of its own of the kind ReextractRun. Until then nothing is
// written to the database, so that a call that is killed changes nothing.
//
// Of pages that are no HTML, have no body any more, are gone, or cannot be read,
// the records stay as they are. A record that reads the same stays untouched,
// with the runs that saw it; one that differs gets a new version, from this
// run on; one that its page does not give any more ends.
//
// The job is held meanwhile, as by a crawl: a *HeldError says that another
// process works on it. A preview holds and writes nothing. A job that is not in
// the database is an error that wraps ErrNotFound.
func (db *DB) Reextract(ctx context.Context, o ReextractOptions) (*Reextraction, error) {
	if db.writer == nil && !o.preview() {
		return nil, fmt.Errorf("extract again into %s: %w", db.path, errReadOnly)
	}
	items, err := itemtype.Of(o.Items)
	if err != nil {
		return nil, err
	}
	jobID, err := db.jobID(ctx, o.Job)
	if err != nil {
		return nil, err
	}
	x := &reextraction{db: db, o: o, items: items, jobID: jobID, began: time.Now(), sum: Reextraction{Job: o.Job}, problems: problemSums{}}
	if err := x.run(ctx); err != nil {
		return nil, db.fileError("extract again from", err)
	}
	x.sum.Elapsed = time.Since(x.began)
	return &x.sum, nil
}

// reextraction is one call of Reextract.
type reextraction struct {
	db    *DB
	o     ReextractOptions
	items []itemtype.Type
	jobID int64
	epoch int64
	began time.Time
	stage *stage

	sum      Reextraction
	problems problemSums
}

func (x *reextraction) run(ctx context.Context) (err error) {
	if !x.o.preview() {
		var letGo func() error
		if ctx, letGo, err = x.hold(ctx); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, letGo()) }()
	}
	if x.stage, err = openStage(ctx, x); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.stage.close()) }()
	if err := x.readPages(ctx); err != nil {
		return err
	}
	if err := x.stage.compare(ctx, x); err != nil {
		return err
	}
	if x.o.OnChange != nil {
		if err := x.stage.changes(ctx, x.o.OnChange); err != nil && !errors.Is(err, fs.SkipAll) {
			return err
		}
	}
	if x.o.preview() {
		return nil
	}
	return x.apply(ctx)
}

// renewHold is how often a hold is renewed; crawl.Run.Renew says why.
const renewHold = 20 * time.Second

// hold takes hold of the job until letGo is called. The context that it
// returns ends when the hold is lost.
func (x *reextraction) hold(ctx context.Context) (held context.Context, letGo func() error, err error) {
	w := x.db.writer
	err = w.transact(ctx, func(t *tx) (err error) {
		x.epoch, err = t.takeHold(x.jobID, x.o.Job, x.db.self, time.Now())
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	held, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(renewHold)
		defer tick.Stop()
		for {
			select {
			case <-held.Done():
				return
			case now := <-tick.C:
				if err := w.transact(held, func(t *tx) error { return t.keepHold(x.jobID, x.epoch, now) }); err != nil {
					cancel(err)
					return
				}
			}
		}
	}()
	return held, func() error {
		cancel(nil)
		<-done
		return w.transact(context.Background(), func(t *tx) error { return t.dropHold(x.jobID, x.epoch) })
	}, nil
}
