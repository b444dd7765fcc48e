package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/magpie-crawl/magpie/store/internal/body"
)

// VerifyResult is what Verify looked at.
type VerifyResult struct {
	Bodies  int64 // that were unpacked and compared with their hash
	Bytes   int64 // of these, unpacked
	Dropped int64 // bodies that jobs did not keep
	Faults  int64 // that were told
}

// Verify reads the whole database, the bodies included, and calls fault with
// each thing that is not as it must be: for people, in one line. progress, which may be
// nil, is told how many bodies of how many have been read. The error is for
// what kept Verify from going on; a damaged database is none.
//
// It works while crawls go on. To have it look at a database that Open would
// refuse as damaged, open it with NoCheck.
func (db *DB) Verify(ctx context.Context, fault func(string), progress func(done, total int64)) (VerifyResult, error) {
	v := &verifier{db: db, fault: fault, progress: progress}
	if progress == nil {
		v.progress = func(int64, int64) {}
	}
	for _, step := range []func(context.Context) error{v.integrity, v.references, v.dictionaries, v.bodies} {
		err := step(ctx)
		switch {
		case err == nil:
		case isDamage(err), errors.Is(err, ErrDamaged):
			v.tell("%s", err)
		default:
			return v.result, db.fileError("check", err)
		}
	}
	return v.result, nil
}

// verifier is one call of Verify.
type verifier struct {
	db       *DB
	fault    func(string)
	progress func(done, total int64)
	result   VerifyResult
}

func (v *verifier) tell(format string, args ...any) {
	v.result.Faults++
	v.fault(fmt.Sprintf(format, args...))
}

// maxFaults bounds what is told of one kind.
const maxFaults = 100

// integrity has SQLite check its own structures, and the indexes.
// https://www.sqlite.org/pragma.html#pragma_integrity_check
func (v *verifier) integrity(ctx context.Context) error {
	found, err := collect(ctx, v.db, fmt.Sprintf(`PRAGMA integrity_check(%d)`, maxFaults), nil, scanText)
	for _, f := range found {
		if f != "ok" {
			v.tell("%s", f)
		}
	}
	return err
}

// references looks for rows that refer to rows that are not there.
func (v *verifier) references(ctx context.Context) error {
	found, err := collect(ctx, v.db, `SELECT printf('row %d of %s refers to a row of %s that is not there', rowid, "table", parent)
		FROM pragma_foreign_key_check LIMIT ?`, []any{maxFaults}, scanText)
	for _, f := range found {
		v.tell("%s", f)
	}
	return err
}

func scanText(rows *sql.Rows) (s string, err error) { return s, rows.Scan(&s) }

func (v *verifier) dictionaries(ctx context.Context) error {
	ids, err := collect(ctx, v.db, `SELECT id FROM magpie_dictionaries WHERE size > 0`, nil,
		func(rows *sql.Rows) (id int64, err error) { return id, rows.Scan(&id) })
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := v.db.decoders.Dictionary(ctx, id); errors.Is(err, ErrDamaged) {
			v.tell("%s", err)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// bodies unpacks every body.
func (v *verifier) bodies(ctx context.Context) error {
	var total int64
	if err := v.db.read.QueryRowContext(ctx, `SELECT count(*) FROM bodies`).Scan(&total); err != nil {
		return err
	}
	var done int64
	for after := int64(0); ; {
		batch, err := v.batch(ctx, after)
		if err != nil || len(batch) == 0 {
			return err
		}
		after = batch[len(batch)-1].id
		body.ForAll(len(batch), func(i int) { batch[i].unpack(ctx, v.db) })
		for i := range batch {
			if err := v.judge(&batch[i]); err != nil {
				return err
			}
		}
		done += int64(len(batch))
		v.progress(done, total)
	}
}

// checked is a body with what came of unpacking it.
type checked struct {
	id   int64
	body body.Body
	size int // of what came out
	err  error
}

func (c *checked) unpack(ctx context.Context, db *DB) {
	src, err := db.unpack(ctx, c.body)
	c.size, c.err = len(src), err
}

// batch reads the bodies that come after an id.
func (v *verifier) batch(ctx context.Context, after int64) (list []checked, err error) {
	err = readBodies(ctx, v.db.read, `SELECT id, `+bodyColumns+` FROM bodies b WHERE id > ? ORDER BY id`, []any{after},
		func(id int64, b body.Body) { list = append(list, checked{id: id, body: b}) })
	return list, err
}

func (v *verifier) judge(c *checked) error {
	switch {
	case errors.Is(c.err, ErrNotKept):
		v.result.Dropped++
	case errors.Is(c.err, ErrDamaged):
		v.tell("body %d: %s", c.id, c.err)
	case c.err != nil:
		return c.err
	case c.size != c.body.Size:
		v.tell("body %d has %d bytes, and is said to have %d", c.id, c.size, c.body.Size)
	default:
		v.result.Bodies++
		v.result.Bytes += int64(c.size)
	}
	return nil
}
