package store

import (
	"context"
	"iter"
)

// ahead yields what seq does. seq runs in a goroutine of its own, up to n
// values ahead, and its context ends with the use of it; it has returned
// before ahead does. If ctx ends first, values are missing at the end.
func ahead[V any](ctx context.Context, n int, seq func(context.Context) iter.Seq[V]) iter.Seq[V] {
	return func(yield func(V) bool) {
		ctx, cancel := context.WithCancel(ctx)
		values := make(chan V, n)
		go func() {
			defer close(values)
			for v := range seq(ctx) {
				select {
				case values <- v:
				case <-ctx.Done():
					return
				}
			}
		}()
		defer func() {
			cancel()
			for range values { // until seq is done with the database
			}
		}()
		for v := range values {
			if !yield(v) {
				return
			}
		}
	}
}
