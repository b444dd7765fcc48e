package crawl

import (
	"context"
	"time"
)

// maxBatch and maxWait bound how many visits one transaction takes, and how
// long the first of them waits for the others: a commit waits for the disk, so
// visits share it.
const (
	maxBatch = 256
	maxWait  = 2 * time.Millisecond
)

// commitLoop is the only writer: it stores visits in groups until there are no
// more, and keeps the hold on the job while there are none.
func (s *session) commitLoop(ctx context.Context) error {
	renew := time.NewTicker(renewEvery)
	defer renew.Stop()
	for {
		select {
		case v, ok := <-s.visits:
			if !ok {
				return nil
			}
			if err := s.commit(ctx, s.batch(v)); err != nil {
				return err
			}
		case <-renew.C:
			if err := s.run.Renew(ctx); err != nil {
				return err
			}
			s.meter.stored()
		case <-ctx.Done():
			return nil
		}
	}
}

// batch gathers what follows first.
func (s *session) batch(first *Visit) []*Visit {
	batch := []*Visit{first}
	wait := time.NewTimer(maxWait)
	defer wait.Stop()
	for len(batch) < maxBatch {
		select {
		case v, ok := <-s.visits:
			if !ok {
				return batch
			}
			batch = append(batch, v)
		case <-wait.C:
			return batch
		}
	}
	return batch
}

// commit stores a batch and tells of it.
func (s *session) commit(ctx context.Context, batch []*Visit) error {
	if err := s.archive.append(ctx, batch); err != nil {
		return err
	}
	committed, err := s.run.Commit(ctx, batch)
	if err != nil {
		return err
	}
	s.meter.stored()
	outcomes := make([]outcome, len(batch))
	for i, v := range batch {
		if err := committed[i].Err; err != nil {
			v.fail(ReasonStore, err.Error())
		}
		if committed[i].Stored && !v.putOff() {
			s.meter.count(v)
			if err := s.onVisit(v); err != nil {
				return err
			}
		}
		v.forget()
		outcomes[i] = outcome{v, committed[i]}
	}
	select {
	case s.stored <- outcomes:
	case <-ctx.Done():
	}
	return nil
}

// forget lets go of the visit's body, which is stored.
func (v *Visit) forget() {
	if v.Page != nil {
		v.Page.Body = nil
	}
	if v.response != nil {
		v.response.Release()
	}
	v.response, v.asides, v.stored = nil, nil, nil
}
