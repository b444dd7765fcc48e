package store

import (
	"context"
	"database/sql"
)

// Tallies count what is in the database for those who watch it.
type Tallies struct {
	Runs     []Tally // by state
	Skipped  []Tally // due times by the first words of the reason, those before a colon
	Messages int64   // to webhooks of jobs, that are to be sent

	Alerts        []Tally // open problems by kind
	AlertsDue     int64   // messages about jobs that are to be sent
	AlertsDropped int64   // messages about jobs that were given up, see ForgetAlertMessages
}

// Tally is how often there is something of a job.
type Tally struct {
	Job   string
	What  string
	Count int64
}

// Tallies counts runs, due times, problems and messages. It looks at each run.
func (db *DB) Tallies(ctx context.Context) (*Tallies, error) {
	scan := func(rows *sql.Rows) (t Tally, err error) { return t, rows.Scan(&t.Job, &t.What, &t.Count) }
	var t Tallies
	var err error
	if t.Runs, err = collect(ctx, db, `SELECT j.name, r.state, count(*) FROM runs r JOIN jobs j ON j.id = r.job_id GROUP BY r.job_id, r.state ORDER BY 1, 2`, nil, scan); err != nil {
		return nil, err
	}
	t.Skipped, err = collect(ctx, db, `SELECT job, iif(instr(reason, ':') > 0, substr(reason, 1, instr(reason, ':') - 1), reason), sum(count) FROM magpie_due
		WHERE outcome = 'skipped' GROUP BY 1, 2 ORDER BY 1, 2`, nil, scan)
	if err != nil {
		return nil, err
	}
	if t.Alerts, err = collect(ctx, db, `SELECT job, kind, 1 FROM magpie_alerts ORDER BY 1, 2`, nil, scan); err != nil {
		return nil, err
	}
	err = db.read.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM magpie_outbox WHERE state = 'due'),
		(SELECT count(*) FROM magpie_alert_messages WHERE state = 'due'), (SELECT count(*) FROM magpie_alert_messages WHERE state = 'dropped')`).
		Scan(&t.Messages, &t.AlertsDue, &t.AlertsDropped)
	return &t, db.fileError("read", err)
}
