package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/magpie-crawl/magpie/store/internal/body"
)

// Compressing anew goes host by host, so that one dictionary is in use at a
// time. What is done shows in bodies.codec and dictionary_id alone: that is
// where an interrupted call is taken up.

// What a dictionary is trained on.
const (
	trainBodies = 256      // at most, from all over the host's bodies
	trainBytes  = 32 << 20 // of these at most
	trainLength = 1 << 20  // of one of these at most
	trainFrom   = 16       // bodies that a host must have
)

// maxPacking is how many bytes of bodies are compressed at a time.
const maxPacking = 16 << 20

// compress makes bodies as small as can be.
func (g *collector) compress(ctx context.Context) error {
	var total int64
	err := g.db.read.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(octet_length(data)), 0) FROM bodies WHERE codec = 'zstd'`).
		Scan(&total, &g.result.BytesBefore)
	if err != nil || total == 0 || g.o.DryRun {
		g.result.Compressed = total
		return err
	}
	g.result.BytesBefore = 0
	g.o.Progress(GCProgress{GCCompress, 0, total})
	work, err := g.db.workspace()
	if err != nil {
		return err
	}
	defer work.Close()
	p := &packer{collector: g, work: work, total: total}
	hosts, err := p.hosts(ctx)
	if err != nil {
		return err
	}
	for _, h := range hosts {
		if err := p.host(ctx, h); err != nil {
			return err
		}
	}
	return nil
}

// packer compresses bodies.
type packer struct {
	*collector
	work  *sql.DB // has the table temp.work: each body with its host
	total int64   // bodies to compress
}

// packHost is a host with bodies to compress.
type packHost struct {
	id int64 // 0: robots.txt files that are no pages
	body.Group
}

// hosts finds out which bodies belong to which host. A body that several have
// belongs to one of them.
func (p *packer) hosts(ctx context.Context) ([]packHost, error) {
	_, err := p.work.ExecContext(ctx, `CREATE TEMP TABLE work (body_id INTEGER PRIMARY KEY, host_id INTEGER NOT NULL);
		INSERT INTO temp.work SELECT p.body_id, min(u.host_id) FROM pages p JOIN urls u ON u.id = p.url_id GROUP BY p.body_id;
		INSERT OR IGNORE INTO temp.work SELECT body_id, 0 FROM robots WHERE body_id IS NOT NULL;
		CREATE INDEX temp.work_by_host ON work (host_id, body_id);`)
	if err != nil {
		return nil, err
	}
	rows, err := p.work.QueryContext(ctx, `SELECT w.host_id, count(*), sum(b.size) FROM temp.work w CROSS JOIN bodies b ON b.id = w.body_id
		WHERE b.codec IN ('zstd', 'zstd-best', 'zstd-dict') GROUP BY w.host_id HAVING sum(b.codec = 'zstd') > 0 ORDER BY w.host_id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []packHost
	for rows.Next() {
		var h packHost
		if err := rows.Scan(&h.id, &h.Count, &h.Bytes); err != nil {
			return nil, err
		}
		all = append(all, h)
	}
	return all, rows.Err()
}

// host compresses the bodies of a host that have not been yet, and if there is
// a new dictionary all of them.
func (p *packer) host(ctx context.Context, h packHost) error {
	dict, content, err := p.dictionary(ctx, h)
	if err != nil {
		return err
	}
	encoder, codec := body.BestEncoder(), body.Best
	if content != nil {
		encoder, codec = h.Encoder(content), body.WithDictionary
		defer encoder.Close()
	}
	for after := int64(0); ; {
		batch, err := p.batch(ctx, h, dict, after)
		if err != nil || len(batch) == 0 {
			return err
		}
		after = batch[len(batch)-1].id
		body.ForAll(len(batch), func(i int) { batch[i].pack(ctx, p.db, encoder, codec) })
		if err := p.store(ctx, batch, dict); err != nil {
			return err
		}
	}
}

// dictionary returns the dictionary that a host's bodies are to be compressed
// with, id 0 for none. It is trained when the host has come to have twice as
// many bodies as when that was last tried.
func (p *packer) dictionary(ctx context.Context, h packHost) (id int64, content []byte, err error) {
	if h.id == 0 || h.Count < trainFrom {
		return 0, nil, nil
	}
	var tried, size int64
	err = p.db.read.QueryRowContext(ctx, `SELECT id, bodies, size FROM magpie_dictionaries WHERE host_id = ? ORDER BY id DESC LIMIT 1`, h.id).
		Scan(&id, &tried, &size)
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return 0, nil, err
	case h.Count >= 2*tried:
	case size == 0:
		return 0, nil, nil
	default:
		content, err = p.db.readDictionary(ctx, id)
		return id, content, err
	}
	samples, err := p.samples(ctx, h)
	if err != nil {
		return 0, nil, err
	}
	content = h.Train(samples)
	hash, data := body.PackDictionary(content)
	err = p.db.writer.transact(ctx, func(t *tx) error {
		id, err = t.insert(`INSERT INTO magpie_dictionaries (host_id, trained_at, bodies, size, hash, data) VALUES (?, ?, ?, ?, ?, ?)`,
			h.id, millis(time.Now()), h.Count, len(content), hash[:], data)
		return err
	})
	if err != nil || content == nil {
		return 0, nil, err
	}
	p.result.Dictionaries++
	return id, content, nil
}

// samples returns bodies from all over those of a host.
func (p *packer) samples(ctx context.Context, h packHost) (list [][]byte, err error) {
	every := (h.Count + trainBodies - 1) / trainBodies
	rows, err := p.work.QueryContext(ctx, `SELECT `+bodyColumns+` FROM
			(SELECT w.body_id, row_number() OVER (ORDER BY w.body_id) AS n FROM temp.work w CROSS JOIN bodies b ON b.id = w.body_id
				WHERE w.host_id = ? AND b.codec IN ('zstd', 'zstd-best', 'zstd-dict')) AS o
			CROSS JOIN bodies b ON b.id = o.body_id WHERE o.n % ? = 0`, h.id, every)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for left := trainBytes; rows.Next() && left > 0; {
		var s bodyScan
		if err := rows.Scan(s.dest()...); err != nil {
			return nil, err
		}
		src, err := p.db.unpack(ctx, s.stored())
		if errors.Is(err, ErrDamaged) {
			continue // it will be counted when its turn comes
		} else if err != nil {
			return nil, err
		}
		src = src[:min(len(src), trainLength, left)]
		list = append(list, src)
		left -= len(src)
	}
	return list, rows.Err()
}

// packing is a body that is compressed anew.
type packing struct {
	id   int64
	old  body.Body
	new  body.Body
	err  error
	same bool // the old form is no larger
}

// batch reads bodies of a host that are to be compressed, in the order of
// their ids.
func (p *packer) batch(ctx context.Context, h packHost, dict, after int64) (list []packing, err error) {
	err = readBodies(ctx, p.work, `SELECT w.body_id, `+bodyColumns+` FROM temp.work w CROSS JOIN bodies b ON b.id = w.body_id
		WHERE w.host_id = ?1 AND w.body_id > ?2
			AND (b.codec = 'zstd' OR ?3 != 0 AND b.codec IN ('zstd-best', 'zstd-dict') AND b.dictionary_id IS NOT ?3)
		ORDER BY w.body_id`, []any{h.id, after, dict}, func(id int64, b body.Body) { list = append(list, packing{id: id, old: b}) })
	return list, err
}

// pack makes the new form.
func (b *packing) pack(ctx context.Context, db *DB, encoder *zstd.Encoder, codec string) {
	var src []byte
	if src, b.err = db.unpack(ctx, b.old); b.err != nil {
		return
	}
	b.new = body.PackWith(encoder, codec, src)
	// What has an old dictionary takes the new one in any case, so that the
	// old one is done with.
	b.same = len(b.new.Data) >= len(b.old.Data) && b.old.Codec != body.WithDictionary
}

// stored is how many bytes the body takes afterwards.
func (b *packing) stored() int {
	if b.same {
		return len(b.old.Data)
	}
	return len(b.new.Data)
}

// store puts the new forms in the place of the old ones, unless somebody else
// did something with them meanwhile.
func (p *packer) store(ctx context.Context, batch []packing, dict int64) error {
	var done, before, after int64
	err := p.db.writer.transact(ctx, func(t *tx) error {
		for i := range batch {
			b := &batch[i]
			if errors.Is(b.err, ErrDamaged) {
				p.result.Damaged++
				continue
			} else if b.err != nil {
				return b.err
			}
			n, err := t.replace(b, dict)
			if err != nil {
				return err
			}
			done += n
			before, after = before+n*int64(len(b.old.Data)), after+n*int64(b.stored())
		}
		return nil
	})
	if err != nil {
		return err
	}
	r := p.result
	r.Compressed, r.BytesBefore, r.BytesAfter = r.Compressed+done, r.BytesBefore+before, r.BytesAfter+after
	p.o.Progress(GCProgress{GCCompress, min(r.Compressed, p.total), p.total})
	return nil
}

// replace returns 1 if the body was as it had been read, else 0.
func (t *tx) replace(b *packing, dict int64) (int64, error) {
	var tried any // NULL: none
	if dict != 0 {
		tried = dict
	}
	const asRead = ` WHERE id = ? AND codec = ? AND octet_length(data) = ? AND coalesce(dictionary_id, 0) = ?`
	read := []any{b.id, b.old.Codec, len(b.old.Data), b.old.Dict}
	switch {
	case !b.same:
		return t.changed(`UPDATE bodies SET codec = ?, data = ?, dictionary_id = ?`+asRead, append([]any{b.new.Codec, b.new.Data, tried}, read...)...)
	default:
		return t.changed(`UPDATE bodies SET codec = 'zstd-best', dictionary_id = ?`+asRead, append([]any{tried}, read...)...)
	}
}
