package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
)

// DaemonHeldError says who runs the jobs of the database.
type DaemonHeldError struct {
	Path   string // of the database
	Folder string // of the job files
	Holder
	Unseen bool // it is not a process that this one could see, such as one in another container: it may have ended
}

func (e *DaemonHeldError) Error() string {
	return fmt.Sprintf("the jobs of %s in %s are run by process %d on %s since %s: one daemon at a time works on a database",
		e.Folder, e.Path, e.PID, e.Host, e.Since.Local().Format(time.DateTime))
}

// DaemonHold is the hold of the one daemon that decides about due times. Its
// methods are safe for concurrent use; they return crawl.ErrLost once another
// daemon has taken over.
type DaemonHold struct {
	db       *DB
	epoch    int64
	followed time.Time
}

// HoldDaemon takes hold of the database's schedules for a daemon of the jobs
// in folder. It returns a *DaemonHeldError while another has it. A hold that
// is not renewed for a minute may be taken over: renew it every 20 seconds.
func (db *DB) HoldDaemon(ctx context.Context, folder string) (*DaemonHold, error) {
	if db.writer == nil {
		return nil, db.fileError("run the jobs of", errReadOnly)
	}
	d := &DaemonHold{db: db}
	err := db.writer.transact(ctx, func(t *tx) error { return d.take(t, folder, time.Now()) })
	if err != nil {
		return nil, db.fileError("run the jobs of", err)
	}
	return d, nil
}

func (d *DaemonHold) take(t *tx, folder string, now time.Time) error {
	if err := t.exec(`INSERT INTO magpie_daemon (id) VALUES (1) ON CONFLICT (id) DO NOTHING`); err != nil {
		return err
	}
	var h hold
	var of sql.NullString
	var clock sql.NullInt64
	_, err := t.row(`SELECT epoch, pid, host, machine, since, heartbeat, folder, clock FROM magpie_daemon`, nil,
		&h.epoch, &h.pid, &h.host, &h.machine, &h.since, &h.heartbeat, &of, &clock)
	if err != nil {
		return err
	}
	if h.inForce(d.db.self, now) {
		return &DaemonHeldError{Path: d.db.path, Folder: of.String, Holder: h.holder(), Unseen: h.machine.String != d.db.self.Machine}
	}
	if clock.Valid {
		d.followed = fromMillis(clock.Int64)
	}
	self := d.db.self
	d.epoch = h.epoch + 1
	return t.exec(`UPDATE magpie_daemon SET epoch = ?, pid = ?, host = ?, machine = ?, folder = ?, since = ?, heartbeat = ?`,
		d.epoch, self.PID, self.Host, self.Machine, folder, millis(now), millis(now))
}

// Followed is what the clock showed when a daemon last followed the schedules;
// zero: none ever did.
func (d *DaemonHold) Followed() time.Time { return d.followed }

// Renew keeps the hold. clock is what the daemon's clock shows: the schedules
// were followed until then.
func (d *DaemonHold) Renew(ctx context.Context, clock time.Time) error {
	return d.transact(ctx, func(t *tx) error {
		return t.exec(`UPDATE magpie_daemon SET heartbeat = ?, clock = ?`, millis(time.Now()), millis(clock))
	})
}

// Close lets go of the hold, unless another has it by now.
func (d *DaemonHold) Close() error {
	err := d.transact(context.Background(), func(t *tx) error {
		return t.exec(`UPDATE magpie_daemon SET pid = NULL, host = NULL, machine = NULL, folder = NULL, since = NULL, heartbeat = NULL`)
	})
	if errors.Is(err, crawl.ErrLost) {
		return nil
	}
	return err
}

// transact runs f in a transaction that fails if the hold is lost.
func (d *DaemonHold) transact(ctx context.Context, f func(*tx) error) error {
	return d.db.fileError("follow the schedules in", d.db.writer.transact(ctx, func(t *tx) error {
		var epoch int64
		if _, err := t.row(`SELECT epoch FROM magpie_daemon`, nil, &epoch); err != nil {
			return err
		}
		if epoch != d.epoch {
			return crawl.ErrLost
		}
		return f(t)
	}))
}

// Daemon tells which daemon runs the database's jobs, and of which folder; nil:
// none does.
func (db *DB) Daemon(ctx context.Context) (holder *Holder, folder string, err error) {
	var h hold
	var of sql.NullString
	err = db.read.QueryRowContext(ctx, `SELECT pid, host, machine, since, heartbeat, folder FROM magpie_daemon`).
		Scan(&h.pid, &h.host, &h.machine, &h.since, &h.heartbeat, &of)
	if errors.Is(err, sql.ErrNoRows) || err == nil && !h.inForce(db.self, time.Now()) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", db.fileError("read", err)
	}
	held := h.holder()
	return &held, of.String, nil
}

// holder is who has a hold in force.
func (h *hold) holder() Holder {
	return Holder{PID: int(h.pid.Int64), Host: h.host.String, Since: fromMillis(h.since.Int64), Heartbeat: fromMillis(h.heartbeat.Int64)}
}
