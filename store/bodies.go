package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// How a body is held: bodies.codec.
const (
	codecNone    = "none"      // as it is: compressing would not make it smaller
	codecZstd    = "zstd"      // in a hurry, by a crawl
	codecBest    = "zstd-best" // as small as can be, by gc
	codecDict    = "zstd-dict" // so with a dictionary
	codecDropped = "dropped"   // not at all any more; hash and size are left
)

// maxBody bounds what a damaged database can make unpack ask for. A crawl's
// own limit is far below it.
const maxBody = 1 << 30

// zstdMargin is what the decoder wants to have room for behind a body, to write
// it faster.
const zstdMargin = 64

// body is a response body as it is stored.
type body struct {
	hash  [sha256.Size]byte // of the body itself
	size  int               // of the body itself
	codec string
	data  []byte
	dict  int64  // id of the dictionary; 0: none
	src   []byte // the body itself where it is believed to be stored and data is not made
}

// bodyColumns are the columns of bodies b that hold a body, in the order of
// bodyScan.dest. Without a body codec is "".
const bodyColumns = `b.hash, coalesce(b.size, 0), coalesce(b.codec, ''), b.data, coalesce(b.dictionary_id, 0)`

// bodyScan reads bodyColumns.
type bodyScan struct {
	body
	key []byte
}

func (s *bodyScan) dest() []any { return []any{&s.key, &s.size, &s.codec, &s.data, &s.dict} }

// stored returns what was read.
func (s *bodyScan) stored() body {
	copy(s.hash[:], s.key)
	return s.body
}

// readBodies calls take with the bodies that a query finds, an id and
// bodyColumns each, as many as fit in memory together.
func readBodies(ctx context.Context, from interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}, query string, args []any, take func(id int64, b body)) error {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for size, n := 0, 0; size < maxPacking && n < chunkSize && rows.Next(); n++ {
		var id int64
		var s bodyScan
		if err := rows.Scan(append([]any{&id}, s.dest()...)...); err != nil {
			return err
		}
		take(id, s.stored())
		size += s.size + len(s.data)
	}
	return rows.Err()
}

func newEncoder(options ...zstd.EOption) *zstd.Encoder {
	// With zstd's own checksum a body can be trusted for a tenth of what
	// comparing its hash costs; see unpackFast.
	e, err := zstd.NewWriter(nil, append(options, zstd.WithEncoderCRC(true))...)
	if err != nil {
		panic(err) // only for options that do not exist, and dictionaries that were not built
	}
	return e
}

// A crawl has no time to lose: the fastest level takes a tenth of the best
// one's time, for bodies a sixth larger. gc makes up for it.
var zstdEncoder = sync.OnceValue(func() *zstd.Encoder { return newEncoder(zstd.WithEncoderLevel(zstd.SpeedFastest)) })

var bestEncoder = sync.OnceValue(func() *zstd.Encoder { return newEncoder(zstd.WithEncoderLevel(zstd.SpeedBestCompression)) })

func newDecoder(options ...zstd.DOption) (*zstd.Decoder, error) {
	return zstd.NewReader(nil, append(options, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxBody))...)
}

var zstdDecoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := newDecoder()
	if err != nil {
		panic(err) // only for options that do not exist
	}
	return d
})

func pack(src []byte) body {
	return packWith(zstdEncoder(), codecZstd, src)
}

// packWith compresses a body, unless that would not make it smaller.
func packWith(e *zstd.Encoder, codec string, src []byte) body {
	b := body{hash: sha256.Sum256(src), size: len(src), codec: codec}
	b.data = e.EncodeAll(src, make([]byte, 0, len(src)/3+64))
	if len(b.data) >= len(src) {
		b.codec, b.data = codecNone, append([]byte{}, src...) // not nil, which would be NULL
	}
	return b
}

// dropped is a body of which only hash and size are kept.
func dropped(src []byte) body {
	return body{hash: sha256.Sum256(src), size: len(src), codec: codecDropped, data: []byte{}}
}

// unpack returns the body that b holds; d is the decoder for its dictionary.
// What does not have b's hash is an error, never a body.
func unpack(b body, d *zstd.Decoder) ([]byte, error) {
	src, err := decode(b, d, nil)
	if err == nil {
		err = checkHash(b, src)
	}
	if err != nil {
		return nil, err
	}
	return src, nil
}

// unpackFast is unpack for who reads very many bodies: where zstd's own
// checksum, which the decoder has compared, and the size vouch for a body, its
// hash is not compared as well. Damage shows all the same; that a whole body
// has got into another one's place does not. The body is made in buf where it
// fits.
func unpackFast(b body, d *zstd.Decoder, buf []byte) ([]byte, error) {
	src, err := decode(b, d, buf)
	switch {
	case err != nil:
	case b.codec == codecNone || !hasChecksum(b.data):
		err = checkHash(b, src)
	case len(src) != b.size:
		err = fmt.Errorf("%w: body has %d bytes, and is said to have %d", ErrDamaged, len(src), b.size)
	}
	if err != nil {
		return nil, err
	}
	return src, nil
}

func checkHash(b body, src []byte) error {
	if sha256.Sum256(src) != b.hash {
		return fmt.Errorf("%w: body does not have its hash", ErrDamaged)
	}
	return nil
}

// hasChecksum reports whether a zstd frame ends with a checksum of its content.
// https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.1
func hasChecksum(frame []byte) bool {
	var h zstd.Header
	return h.Decode(frame) == nil && h.HasCheckSum
}

// decode returns what b holds, whether it is the body or not, in buf where it
// fits.
func decode(b body, d *zstd.Decoder, buf []byte) ([]byte, error) {
	switch b.codec {
	case codecNone:
		return b.data, nil
	case codecZstd, codecBest, codecDict:
		if room := min(max(b.size, 0), 32<<20) + zstdMargin; cap(buf) < room {
			buf = make([]byte, 0, room)
		}
		src, err := d.DecodeAll(b.data, buf[:0])
		if err != nil {
			return nil, fmt.Errorf("%w: body: %w", ErrDamaged, err)
		}
		return src, nil
	case codecDropped:
		return nil, ErrNotKept
	}
	return nil, fmt.Errorf("body is held as %q, which this version does not know", b.codec)
}

// unpack returns the body that b holds, as the function does.
func (db *DB) unpack(ctx context.Context, b body) ([]byte, error) {
	d, err := db.decoder(ctx, b)
	if err != nil {
		return nil, err
	}
	return unpack(b, d)
}

// unpackFast returns the body that b holds, as the function does.
func (db *DB) unpackFast(ctx context.Context, b body, buf []byte) ([]byte, error) {
	d, err := db.decoder(ctx, b)
	if err != nil {
		return nil, err
	}
	return unpackFast(b, d, buf)
}

// decoder is the one for b's dictionary.
func (db *DB) decoder(ctx context.Context, b body) (*zstd.Decoder, error) {
	if b.codec != codecDict {
		return zstdDecoder(), nil
	}
	return db.dictionary(ctx, b.dict)
}

// putBody stores a body unless its content is there, and returns its id.
func (c *commit) putBody(b *body) (int64, error) {
	var id int64
	var codec string
	found, err := c.tx.row(`SELECT id, codec FROM bodies WHERE hash = ?`, []any{b.hash[:]}, &id, &codec)
	if err != nil || found && (codec != codecDropped || b.codec == codecDropped) {
		return id, err
	}
	if b.data == nil { // it was dropped after the page had been read from the store
		packed := pack(b.src)
		b = &packed
	}
	if found {
		return id, c.tx.exec(`UPDATE bodies SET codec = ?, data = ?, dictionary_id = NULL WHERE id = ?`, b.codec, b.data, id)
	}
	return c.tx.insert(`INSERT INTO bodies (hash, size, codec, data) VALUES (?, ?, ?, ?)`,
		b.hash[:], b.size, b.codec, b.data)
}

// bodyOf reads the body that a row of a query for bodyColumns holds.
func (db *DB) bodyOf(ctx context.Context, row *sql.Row) ([]byte, error) {
	var s bodyScan
	if err := row.Scan(s.dest()...); err != nil {
		return nil, err
	}
	return db.unpack(ctx, s.stored())
}
