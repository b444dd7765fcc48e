package body

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// maxDictionaries bounds Decoders.open. A dictionary in use takes about
// its own size of memory.
const maxDictionaries = 16

// Decoders keeps decoders for the dictionaries that were used last.
type Decoders struct {
	read func(ctx context.Context, id int64) ([]byte, error) // a dictionary in zstd's format

	mu    sync.Mutex
	open  map[int64]*zstd.Decoder
	order []int64 // of open, the one used last at the end
}

// NewDecoders returns decoders for the dictionaries that read returns, in
// zstd's format; it says with an error that wraps ErrDamaged that one is not
// there.
func NewDecoders(read func(ctx context.Context, id int64) ([]byte, error)) *Decoders {
	return &Decoders{read: read}
}

// For returns the decoder for b: that of its dictionary, if it has one.
func (c *Decoders) For(ctx context.Context, b Body) (*zstd.Decoder, error) {
	if b.Codec != WithDictionary {
		return Decoder(), nil
	}
	return c.Dictionary(ctx, b.Dict)
}

// Dictionary returns the decoder for a dictionary. It may be used by several
// goroutines, and after others have pushed it out of the cache.
func (c *Decoders) Dictionary(ctx context.Context, id int64) (*zstd.Decoder, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := c.open[id]; d != nil {
		c.use(id)
		return d, nil
	}
	content, err := c.read(ctx, id)
	if err != nil {
		return nil, err
	}
	d, err := newDecoder(zstd.WithDecoderDicts(content))
	if err != nil {
		return nil, fmt.Errorf("%w: dictionary %d: %w", ErrDamaged, id, err)
	}
	if c.open == nil {
		c.open = map[int64]*zstd.Decoder{}
	}
	if len(c.order) == maxDictionaries {
		delete(c.open, c.order[0]) // not closed: it may be at work
		c.order = c.order[1:]
	}
	c.open[id] = d
	c.order = append(c.order, id)
	return d, nil
}

// use moves id to the end of the order.
func (c *Decoders) use(id int64) {
	for i, other := range c.order {
		if other == id {
			c.order = append(append(c.order[:i:i], c.order[i+1:]...), id)
			return
		}
	}
}

// PackDictionary returns a dictionary as it is stored.
func PackDictionary(content []byte) (hash [sha256.Size]byte, data []byte) {
	return sha256.Sum256(content), BestEncoder().EncodeAll(content, []byte{}) // nil would be NULL
}

// UnpackDictionary is the inverse of PackDictionary; what does not have the
// hash is an error.
func UnpackDictionary(hash []byte, size int, data []byte) ([]byte, error) {
	b := Body{Size: size, Codec: Best, Data: data}
	copy(b.Hash[:], hash)
	return Unpack(b, Decoder())
}
