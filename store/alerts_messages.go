package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"
)

// AlertMessageState is what became of a message.
type AlertMessageState string

// States of a message.
const (
	AlertDue     AlertMessageState = "due"     // it is to be sent
	AlertSent    AlertMessageState = "sent"    // its channel took it
	AlertDropped AlertMessageState = "dropped" // it could not be sent for so long that it is given up
)

// AlertMessage is a message to a channel.
type AlertMessage struct {
	ID      int64
	Channel string
	Name    string // of the channel, for people
	State   AlertMessageState
	Created time.Time
	Due     time.Time // when it is sent, or tried again
	Tries   int       // that failed
	Error   string    // of the last of them
	Ended   time.Time // when it was sent or dropped; zero: neither
	Events  int
	Jobs    []string // whose events it has, the first 20
}

const alertMessageColumns = `m.id, channel, name, state, created_at, not_before, attempts, coalesce(error, ''), ended_at,
	(SELECT count(*) FROM magpie_alert_events WHERE message_id = m.id),
	(SELECT json_group_array(job) FROM (SELECT DISTINCT job FROM magpie_alert_events WHERE message_id = m.id ORDER BY job LIMIT 20))
	FROM magpie_alert_messages m`

func scanAlertMessage(rows *sql.Rows) (m AlertMessage, err error) {
	var created, due, ended int64
	var jobs []byte
	if err := rows.Scan(&m.ID, &m.Channel, &m.Name, &m.State, &created, &due, &m.Tries, &m.Error, &ended, &m.Events, &jobs); err != nil {
		return m, err
	}
	m.Created, m.Due, m.Ended = fromMillis(created), fromMillis(due), fromMillisOrZero(ended)
	return m, json.Unmarshal(jobs, &m.Jobs)
}

// DueAlertMessages lists the messages that are to be sent, by the time at which
// they are, up to 1,000.
func (db *DB) DueAlertMessages(ctx context.Context) ([]AlertMessage, error) {
	return collect(ctx, db, `SELECT `+alertMessageColumns+` WHERE state = 'due' ORDER BY not_before, id LIMIT 1000`, nil, scanAlertMessage)
}

// FirstAlertMessages lists the message of each channel that is to be sent
// first, by the time at which it is: however many wait for a channel, the
// others have theirs.
func (db *DB) FirstAlertMessages(ctx context.Context) ([]AlertMessage, error) {
	return collect(ctx, db, `SELECT `+alertMessageColumns+` JOIN (
			SELECT id, row_number() OVER (PARTITION BY channel ORDER BY not_before, id) AS place FROM magpie_alert_messages WHERE state = 'due'
		) USING (id) WHERE place = 1 ORDER BY not_before, id`, nil, scanAlertMessage)
}

// AlertMessages lists messages in a state, or with "" in any, about a job, or
// with "" about any, the last ones first, up to limit. Those that were sent are
// kept for some time.
func (db *DB) AlertMessages(ctx context.Context, state AlertMessageState, job string, limit int) ([]AlertMessage, error) {
	return collect(ctx, db, `SELECT `+alertMessageColumns+` WHERE (?1 = '' OR state = ?1)
		AND (?2 = '' OR EXISTS (SELECT 1 FROM magpie_alert_events WHERE message_id = m.id AND job = ?2)) ORDER BY id DESC LIMIT ?3`, []any{string(state), job, limit}, scanAlertMessage)
}

// MessagesWaiting counts the messages that are to be sent: to channels, and to
// the webhooks of jobs.
func (db *DB) MessagesWaiting(ctx context.Context) (n int64, err error) {
	err = db.read.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM magpie_alert_messages WHERE state = 'due') + (SELECT count(*) FROM magpie_outbox WHERE state = 'due')`).Scan(&n)
	return n, db.fileError("read", err)
}

// SealAlertMessage returns the events of a message in their order, up to
// limit, how many there are beyond, and when it was sealed: from its first
// sealing on no event is added to it, so that each try sends the same.
func (db *DB) SealAlertMessage(ctx context.Context, id int64, now time.Time, limit int) (events []json.RawMessage, more int, sealed time.Time, err error) {
	var at int64
	err = db.writeAlerts(ctx, func(t *tx) error {
		if err := t.exec(`UPDATE magpie_alert_messages SET sealed = ? WHERE id = ? AND sealed = 0`, millis(now), id); err != nil {
			return err
		}
		_, err := t.row(`SELECT sealed, max(0, (SELECT count(*) FROM magpie_alert_events WHERE message_id = ?1) - ?2) FROM magpie_alert_messages WHERE id = ?1`, []any{id, limit}, &at, &more)
		return err
	})
	if err != nil {
		return nil, 0, time.Time{}, err
	}
	events, err = collect(ctx, db, `SELECT data FROM magpie_alert_events WHERE message_id = ? ORDER BY id LIMIT ?`, []any{id, limit},
		func(rows *sql.Rows) (data json.RawMessage, err error) { return data, rows.Scan((*[]byte)(&data)) })
	return events, more, fromMillis(at), err
}

// AlertMessageSent notes that a message was taken.
func (db *DB) AlertMessageSent(ctx context.Context, id int64, now time.Time) error {
	return db.writeAlerts(ctx, func(t *tx) error {
		return t.exec(`UPDATE magpie_alert_messages SET state = 'sent', ended_at = ?, error = NULL WHERE id = ?`, millis(now), id)
	})
}

// AlertMessageFailed notes that a message could not be sent, and when to try
// again; a zero due is never.
func (db *DB) AlertMessageFailed(ctx context.Context, id int64, why string, now, due time.Time) error {
	return db.writeAlerts(ctx, func(t *tx) error {
		if due.IsZero() {
			return t.exec(`UPDATE magpie_alert_messages SET attempts = attempts + 1, error = ?, state = 'dropped', ended_at = ? WHERE id = ?`, why, millis(now), id)
		}
		return t.exec(`UPDATE magpie_alert_messages SET attempts = attempts + 1, error = ?, not_before = ? WHERE id = ?`, why, millis(due), id)
	})
}

// ForgetAlertMessages deletes messages that were sent or dropped before a time.
func (db *DB) ForgetAlertMessages(ctx context.Context, before time.Time) error {
	return db.writeAlerts(ctx, func(t *tx) error {
		return t.exec(`DELETE FROM magpie_alert_messages WHERE state != 'due' AND ended_at < ?`, millis(before))
	})
}
