package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/magpie-crawl/magpie/store/internal/body"
)

// bodyColumns are the columns of bodies b that hold a body, in the order of
// bodyScan.dest. Without a body codec is "".
const bodyColumns = `b.hash, coalesce(b.size, 0), coalesce(b.codec, ''), b.data, coalesce(b.dictionary_id, 0)`

// bodyScan reads bodyColumns.
type bodyScan struct {
	body.Body
	key []byte
}

func (s *bodyScan) dest() []any { return []any{&s.key, &s.Size, &s.Codec, &s.Data, &s.Dict} }

// stored returns what was read.
func (s *bodyScan) stored() body.Body {
	copy(s.Hash[:], s.key)
	return s.Body
}

// readBodies calls take with the bodies that a query finds, an id and
// bodyColumns each, as many as fit in memory together.
func readBodies(ctx context.Context, from interface {
	QueryContext(context.Context, string, ...any) (*sql.Rows, error)
}, query string, args []any, take func(id int64, b body.Body)) error {
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
		size += s.Size + len(s.Data)
	}
	return rows.Err()
}

// unpack returns the body that b holds, as the function does.
func (db *DB) unpack(ctx context.Context, b body.Body) ([]byte, error) {
	d, err := db.decoders.For(ctx, b)
	if err != nil {
		return nil, err
	}
	return body.Unpack(b, d)
}

// unpackFast returns the body that b holds, as the function does.
func (db *DB) unpackFast(ctx context.Context, b body.Body, buf []byte) ([]byte, error) {
	d, err := db.decoders.For(ctx, b)
	if err != nil {
		return nil, err
	}
	return body.UnpackFast(b, d, buf)
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
	content, err := body.UnpackDictionary(hash, size, data)
	if err != nil {
		return nil, fmt.Errorf("dictionary %d: %w", id, err)
	}
	return content, nil
}

// putBody stores a body unless its content is there, and returns its id.
func (c *commit) putBody(b *body.Body) (int64, error) {
	var id int64
	var codec string
	found, err := c.tx.row(`SELECT id, codec FROM bodies WHERE hash = ?`, []any{b.Hash[:]}, &id, &codec)
	if err != nil || found && (codec != body.Dropped || b.Codec == body.Dropped) {
		return id, err
	}
	if b.Data == nil { // it was dropped after the page had been read from the store
		packed := body.Pack(b.Source)
		b = &packed
	}
	if found {
		return id, c.tx.exec(`UPDATE bodies SET codec = ?, data = ?, dictionary_id = NULL WHERE id = ?`, b.Codec, b.Data, id)
	}
	return c.tx.insert(`INSERT INTO bodies (hash, size, codec, data) VALUES (?, ?, ?, ?)`,
		b.Hash[:], b.Size, b.Codec, b.Data)
}

// bodyOf reads the body that a row of a query for bodyColumns holds.
func (db *DB) bodyOf(ctx context.Context, row *sql.Row) ([]byte, error) {
	var s bodyScan
	if err := row.Scan(s.dest()...); err != nil {
		return nil, err
	}
	return db.unpack(ctx, s.stored())
}
