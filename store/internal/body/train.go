package body

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

// dictionaryAt: a dictionary must save more than one in this many of the bytes
// that bodies take without it, its own room counted.
const dictionaryAt = 25

// Group is how many bodies share a dictionary, such as those of a host, and how
// many bytes they have.
type Group struct{ Count, Bytes int64 }

// level is the one for bodies that have a dictionary.
// The best one begins each body by copying tables of 32 MB, for 10 ms, which
// only large bodies are worth.
func (g Group) level() zstd.EncoderLevel {
	if g.Bytes/g.Count < 64<<10 {
		return zstd.SpeedBetterCompression
	}
	return zstd.SpeedBestCompression
}

// Encoder returns an encoder for such bodies with a dictionary.
func (g Group) Encoder(dictionary []byte) *zstd.Encoder {
	return newEncoder(zstd.WithEncoderLevel(g.level()), zstd.WithEncoderDict(dictionary))
}

// Train makes a dictionary from samples of the group's bodies; nil if none
// would pay. How well one does for bodies that it was not trained on is tried
// with samples that are held back.
func (g Group) Train(samples [][]byte) []byte {
	var train, trial [][]byte
	for i, s := range samples {
		if i%4 == 3 {
			trial = append(trial, s)
		} else {
			train = append(train, s)
		}
	}
	others := max(0, g.Bytes-totalSize(samples)) // bytes of bodies that are no samples
	if totalSize(trial) == 0 || g.Bytes == 0 {
		return nil
	}
	without := extrapolate(trial, BestEncoder(), g.Bytes)
	var best []byte
	least := without - without/dictionaryAt
	for _, size := range dictionarySizes {
		d := buildDictionary(samples, size, g.level())
		if d == nil {
			break
		}
		_, own := PackDictionary(d)
		with := int64(len(own)) + extrapolate(trial, g.Encoder(d), g.Bytes-others)
		if others > 0 {
			e := BestEncoder()
			if partial := buildDictionary(train, size, g.level()); partial != nil {
				e = g.Encoder(partial)
			}
			with += extrapolate(trial, e, others)
		}
		if with < least {
			best, least = d, with
		}
		if len(d) < size {
			break // there is no more that they have in common
		}
	}
	return best
}

func totalSize(bodies [][]byte) (n int64) {
	for _, b := range bodies {
		n += int64(len(b))
	}
	return n
}

// extrapolate is what bodies like these take that are total bytes in all.
func extrapolate(bodies [][]byte, e *zstd.Encoder, total int64) int64 {
	if total == 0 {
		return 0
	}
	return int64(float64(packedSize(bodies, e)) / float64(totalSize(bodies)) * float64(total))
}

// packedSize is what bodies take when e compresses them.
func packedSize(bodies [][]byte, e *zstd.Encoder) int64 {
	var sum atomic.Int64
	ForAll(len(bodies), func(i int) { sum.Add(int64(len(e.EncodeAll(bodies[i], nil)))) })
	return sum.Load()
}

// ForAll calls f for 0 to n-1, on all processors: what bodies cost is coding.
func ForAll(n int, f func(int)) {
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				f(int(i))
			}
		})
	}
	workers.Wait()
}
