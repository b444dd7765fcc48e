package store

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Compressing anew goes host by host, so that one dictionary is in use at a
// time. What is done shows in bodies.codec and dictionary_id alone: that is
// where an interrupted call is taken up.

// What a dictionary is trained on, and when it pays.
const (
	trainBodies  = 256      // at most, from all over the host's bodies
	trainBytes   = 32 << 20 // of these at most
	trainLength  = 1 << 20  // of one of these at most
	trainFrom    = 16       // bodies that a host must have
	dictionaryAt = 20       // it must save more than one in this many of the bytes that bodies take without it, its own room counted
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
	id     int64 // 0: robots.txt files that are no pages
	bodies int64
	bytes  int64 // of the bodies themselves
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
		if err := rows.Scan(&h.id, &h.bodies, &h.bytes); err != nil {
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
	encoder, codec := bestEncoder(), codecBest
	if content != nil {
		encoder, codec = h.dictionaryEncoder(content), codecDict
		defer encoder.Close()
	}
	for after := int64(0); ; {
		batch, err := p.batch(ctx, h, dict, after)
		if err != nil || len(batch) == 0 {
			return err
		}
		after = batch[len(batch)-1].id
		forAll(len(batch), func(i int) { batch[i].pack(ctx, p.db, encoder, codec) })
		if err := p.store(ctx, batch, dict); err != nil {
			return err
		}
	}
}

// dictionary returns the dictionary that a host's bodies are to be compressed
// with, id 0 for none. It is trained when the host has come to have twice as
// many bodies as when that was last tried.
func (p *packer) dictionary(ctx context.Context, h packHost) (id int64, content []byte, err error) {
	if h.id == 0 || h.bodies < trainFrom {
		return 0, nil, nil
	}
	var tried, size int64
	err = p.db.read.QueryRowContext(ctx, `SELECT id, bodies, size FROM magpie_dictionaries WHERE host_id = ? ORDER BY id DESC LIMIT 1`, h.id).
		Scan(&id, &tried, &size)
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return 0, nil, err
	case h.bodies >= 2*tried:
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
	content = h.train(samples)
	hash, data := packDictionary(content)
	err = p.db.writer.transact(ctx, func(t *tx) error {
		id, err = t.insert(`INSERT INTO magpie_dictionaries (host_id, trained_at, bodies, size, hash, data) VALUES (?, ?, ?, ?, ?, ?)`,
			h.id, millis(time.Now()), h.bodies, len(content), hash[:], data)
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
	every := (h.bodies + trainBodies - 1) / trainBodies
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

// dictionaryLevel is the level for the bodies of a host that has a dictionary.
// The best one begins each body by copying tables of 32 MB, for 10 ms, which
// only large bodies are worth.
func (h packHost) dictionaryLevel() zstd.EncoderLevel {
	if h.bytes/h.bodies < 64<<10 {
		return zstd.SpeedBetterCompression
	}
	return zstd.SpeedBestCompression
}

func (h packHost) dictionaryEncoder(dictionary []byte) *zstd.Encoder {
	return newEncoder(zstd.WithEncoderLevel(h.dictionaryLevel()), zstd.WithEncoderDict(dictionary))
}

// train makes a dictionary from samples of the host's bodies; nil if none
// would pay. How well one does for bodies that it was not trained on is tried
// with samples that are held back.
func (h packHost) train(samples [][]byte) []byte {
	var train, trial [][]byte
	for i, s := range samples {
		if i%4 == 3 {
			trial = append(trial, s)
		} else {
			train = append(train, s)
		}
	}
	others := max(0, h.bytes-totalSize(samples)) // bytes of bodies that are no samples
	if totalSize(trial) == 0 || h.bytes == 0 {
		return nil
	}
	without := extrapolate(trial, bestEncoder(), h.bytes)
	var best []byte
	least := without - without/dictionaryAt
	for _, size := range dictionarySizes {
		d := buildDictionary(samples, size, h.dictionaryLevel())
		if d == nil {
			break
		}
		_, own := packDictionary(d)
		with := int64(len(own)) + extrapolate(trial, h.dictionaryEncoder(d), h.bytes-others)
		if others > 0 {
			e := bestEncoder()
			if partial := buildDictionary(train, size, h.dictionaryLevel()); partial != nil {
				e = h.dictionaryEncoder(partial)
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
	forAll(len(bodies), func(i int) { sum.Add(int64(len(e.EncodeAll(bodies[i], nil)))) })
	return sum.Load()
}

// forAll calls f for 0 to n-1, on all processors.
func forAll(n int, f func(int)) {
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

// packing is a body that is compressed anew.
type packing struct {
	id   int64
	old  body
	new  body
	err  error
	same bool // the old form is no larger
}

// batch reads bodies of a host that are to be compressed, in the order of
// their ids.
func (p *packer) batch(ctx context.Context, h packHost, dict, after int64) (list []packing, err error) {
	err = readBodies(ctx, p.work, `SELECT w.body_id, `+bodyColumns+` FROM temp.work w CROSS JOIN bodies b ON b.id = w.body_id
		WHERE w.host_id = ?1 AND w.body_id > ?2
			AND (b.codec = 'zstd' OR ?3 != 0 AND b.codec IN ('zstd-best', 'zstd-dict') AND b.dictionary_id IS NOT ?3)
		ORDER BY w.body_id`, []any{h.id, after, dict}, func(id int64, b body) { list = append(list, packing{id: id, old: b}) })
	return list, err
}

// pack makes the new form.
func (b *packing) pack(ctx context.Context, db *DB, encoder *zstd.Encoder, codec string) {
	var src []byte
	if src, b.err = db.unpack(ctx, b.old); b.err != nil {
		return
	}
	b.new = packWith(encoder, codec, src)
	// What has an old dictionary takes the new one in any case, so that the
	// old one is done with.
	b.same = len(b.new.data) >= len(b.old.data) && b.old.codec != codecDict
}

// stored is how many bytes the body takes afterwards.
func (b *packing) stored() int {
	if b.same {
		return len(b.old.data)
	}
	return len(b.new.data)
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
			before, after = before+n*int64(len(b.old.data)), after+n*int64(b.stored())
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
	read := []any{b.id, b.old.codec, len(b.old.data), b.old.dict}
	switch {
	case !b.same:
		return t.changed(`UPDATE bodies SET codec = ?, data = ?, dictionary_id = ?`+asRead, append([]any{b.new.codec, b.new.data, tried}, read...)...)
	default:
		return t.changed(`UPDATE bodies SET codec = 'zstd-best', dictionary_id = ?`+asRead, append([]any{tried}, read...)...)
	}
}
