package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// maxDictionaries bounds dictionaries.open. A dictionary in use takes about
// its own size of memory.
const maxDictionaries = 16

// dictionaries keeps decoders for the dictionaries that were used last.
type dictionaries struct {
	mu    sync.Mutex
	open  map[int64]*zstd.Decoder
	order []int64 // of open, the one used last at the end
}

// dictionary returns the decoder for a dictionary. It may be used by several
// goroutines, and after others have pushed it out of the cache.
func (db *DB) dictionary(ctx context.Context, id int64) (*zstd.Decoder, error) {
	c := &db.dictionaries
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := c.open[id]; d != nil {
		c.use(id)
		return d, nil
	}
	content, err := db.readDictionary(ctx, id)
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
func (c *dictionaries) use(id int64) {
	for i, other := range c.order {
		if other == id {
			c.order = append(append(c.order[:i:i], c.order[i+1:]...), id)
			return
		}
	}
}

// readDictionary returns a dictionary in zstd's format.
func (db *DB) readDictionary(ctx context.Context, id int64) ([]byte, error) {
	var size int
	var hash, data []byte
	err := db.read.QueryRowContext(ctx, `SELECT size, hash, data FROM magpie_dictionaries WHERE id = ?`, id).Scan(&size, &hash, &data)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: there is no dictionary %d", ErrDamaged, id)
	} else if err != nil {
		return nil, err
	}
	b := body{size: size, codec: codecBest, data: data}
	copy(b.hash[:], hash)
	content, err := unpack(b, zstdDecoder())
	if err != nil {
		return nil, fmt.Errorf("dictionary %d: %w", id, err)
	}
	return content, nil
}

// packDictionary is a dictionary as magpie_dictionaries holds it.
func packDictionary(content []byte) (hash [sha256.Size]byte, data []byte) {
	return sha256.Sum256(content), bestEncoder().EncodeAll(content, []byte{}) // nil would be NULL
}
