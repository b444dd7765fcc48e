package store

import (
	"context"
	"database/sql"

	"github.com/magpie-crawl/magpie/store/internal/sqltext"
)

// Sizes tell what takes the room in a database.
type Sizes struct {
	File         int64 // bytes, without the write-ahead log
	Free         int64 // of these, free for what comes
	Bodies       BodySizes
	Dictionaries BodySizes   // that bodies are compressed with
	Hosts        []HostSizes // those that take the most first, at most as many as were asked for
	AllHosts     int
	Tables       []TableSize // in the order of the schema
}

// BodySizes are those of some bodies.
type BodySizes struct {
	Count   int64
	Raw     int64 // bytes of the bodies that are kept, unpacked
	Stored  int64 // bytes that they take
	Dropped int64 // bodies of which only size and hash are kept
	Fresh   int64 // of Count: not compressed by GC yet
}

// Ratio is how many times smaller than themselves the bodies are stored; 0
// where there are none.
func (s BodySizes) Ratio() float64 {
	if s.Stored == 0 {
		return 0
	}
	return float64(s.Raw) / float64(s.Stored)
}

// HostSizes are those of a host's bodies. One that several hosts have counts
// for one of them.
type HostSizes struct {
	Host string
	BodySizes
	Dictionary bool // some are compressed with a dictionary of the host's
}

// TableSize is how much a table holds.
type TableSize struct {
	Name string
	Rows int64
	Data int64 // bytes of the column that takes the most
}

// sizedTables are the tables that grow with crawls, and what in them takes the
// most room.
var sizedTables = []struct{ name, column string }{
	{"urls", "url"}, {"pages", "headers"}, {"bodies", "data"}, {"records", "data"}, {"rejects", "data"}, {"problems", "detail"},
	{"robots", "origin"}, {"magpie_revisits", "content"}, {"magpie_dictionaries", "data"},
}

// bodySums add up bodies b to BodySizes.
const bodySums = `coalesce(sum(b.codec != 'dropped'), 0), coalesce(sum(iif(b.codec = 'dropped', 0, b.size)), 0),
	coalesce(sum(octet_length(b.data)), 0), coalesce(sum(b.codec = 'dropped'), 0), coalesce(sum(b.codec = 'zstd'), 0)`

func (s *BodySizes) dest() []any { return []any{&s.Count, &s.Raw, &s.Stored, &s.Dropped, &s.Fresh} }

// Sizes measures the database, and of its hosts lists at most the given
// number. It looks at each row of the tables.
func (db *DB) Sizes(ctx context.Context, hosts int) (*Sizes, error) {
	s := &Sizes{}
	var err error
	if s.File, s.Free, err = db.fileSize(ctx); err != nil {
		return nil, db.fileError("read", err)
	}
	if err := db.read.QueryRowContext(ctx, `SELECT `+bodySums+` FROM bodies b`).Scan(s.Bodies.dest()...); err != nil {
		return nil, db.fileError("read", err)
	}
	d := &s.Dictionaries
	err = db.read.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(size), 0), coalesce(sum(octet_length(data)), 0) FROM magpie_dictionaries WHERE size > 0`).
		Scan(&d.Count, &d.Raw, &d.Stored)
	if err != nil {
		return nil, db.fileError("read", err)
	}
	s.Hosts, err = collect(ctx, db, `WITH o AS (SELECT p.body_id AS id, min(u.host_id) AS host FROM pages p JOIN urls u ON u.id = p.url_id GROUP BY p.body_id)
		SELECT h.name, `+bodySums+`, max(b.codec = 'zstd-dict') FROM o JOIN bodies b ON b.id = o.id JOIN hosts h ON h.id = o.host
		GROUP BY o.host ORDER BY 4 DESC, 1`, nil, func(rows *sql.Rows) (h HostSizes, err error) {
		return h, rows.Scan(append(append([]any{&h.Host}, h.dest()...), &h.Dictionary)...)
	})
	if err != nil {
		return nil, err
	}
	s.AllHosts = len(s.Hosts)
	s.Hosts = s.Hosts[:min(len(s.Hosts), hosts)]
	for _, t := range sizedTables {
		size := TableSize{Name: t.name}
		err := db.read.QueryRowContext(ctx, `SELECT count(*), coalesce(sum(octet_length(`+sqltext.QuoteName(t.column)+`)), 0) FROM `+sqltext.QuoteName(t.name)).
			Scan(&size.Rows, &size.Data)
		if err != nil {
			return nil, db.fileError("read", err)
		}
		s.Tables = append(s.Tables, size)
	}
	return s, nil
}
