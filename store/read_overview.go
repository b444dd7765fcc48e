package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"
)

// OverviewOptions say how much an Overview tells.
type OverviewOptions struct {
	Runs int       // of each job, how many of its last runs JobOverview.Recent has (default 20, at most 200)
	Now  time.Time // when it is, to tell whether a job's holder is at work; zero: time.Now
}

// JobOverview is a job at a glance.
type JobOverview struct {
	Name      string
	Runs      int
	Last      *RunFigures  // its last run; nil: it has none
	Succeeded *RunFigures  // the last crawl that came to its end or a limit, whose Ended tells how fresh the data is; nil: none did
	Recent    []RunFigures // its last runs, oldest first
	Drifts    int          // figures of Last that were worse than usual
	Holder    *Holder      // who works on it; nil: nobody
	Records   int64        // current ones, of all items, as the counters of its runs say
	Items     []ItemCount  // what Succeeded saw, by item in the order of the job file
	Messages  int          // about its runs, that are to be sent
}

// RunFigures are the figures of a run that sparklines and lists show.
type RunFigures struct {
	Number  int
	Kind    RunKind
	State   RunState
	Started time.Time
	Ended   time.Time // zero unless finished or abandoned
	Pages   int64
	Failed  int64 // URLs given up
	New     int64 // records
	Changed int64
	Records int64 // that it saw: new, changed and unchanged
	Gone    int64 // records whose absence it confirmed
}

// ItemCount says how many records of an item a run saw.
type ItemCount struct {
	Name    string
	Records int64
	Rejects int64
}

// figureColumns are what scanFigures reads of runs r, as one text: a value of
// its own for each of so many runs would take longer to hand over than to read.
// All of them are in the index magpie_runs_figures.
const figureColumns = `r.number || ' ' || r.kind || ' ' || r.state || ' ' || r.started_at || ' ' || coalesce(r.ended_at, 0) || ' ' || r.pages || ' ' || r.failed
	|| ' ' || r.new || ' ' || r.changed || ' ' || r.unchanged || ' ' || r.records_gone`

func parseFigures(text string) (f RunFigures, err error) {
	parts := strings.Split(text, " ")
	if len(parts) != 11 {
		return f, errors.New("the figures of a run are " + strconv.Quote(text))
	}
	number := func(i int) int64 {
		n, e := strconv.ParseInt(parts[i], 10, 64)
		err = errors.Join(err, e)
		return n
	}
	f = RunFigures{Number: int(number(0)), Kind: RunKind(parts[1]), State: RunState(parts[2]), Started: fromMillis(number(3)),
		Pages: number(5), Failed: number(6), New: number(7), Changed: number(8), Gone: number(10)}
	f.Records = f.New + f.Changed + number(9)
	if ended := number(4); ended > 0 {
		f.Ended = fromMillis(ended)
	}
	return f, err
}

// Overview tells of every job in the database, in the order of their names, in
// a handful of queries that read indexes alone.
func (db *DB) Overview(ctx context.Context, o OverviewOptions) ([]JobOverview, error) {
	if o.Runs <= 0 {
		o.Runs = 20
	}
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	var jobs []JobOverview
	err := db.reading(ctx, func(t *sql.Tx) (err error) {
		places := map[int64]int{} // of jobs in jobs, by their ids
		if jobs, err = db.overviewJobs(ctx, t, o, places); err != nil {
			return err
		}
		if err := overviewItems(ctx, t, jobs, places); err != nil {
			return err
		}
		return overviewMessages(ctx, t, jobs, places)
	})
	return jobs, err
}

// overviewJobs reads the jobs with their runs.
func (db *DB) overviewJobs(ctx context.Context, t *sql.Tx, o OverviewOptions, places map[int64]int) ([]JobOverview, error) {
	const query = `SELECT j.id, j.name, j.holder_pid, j.holder_host, j.holder_machine, j.held_since, j.heartbeat,
		(SELECT count(*) FROM runs INDEXED BY magpie_runs_figures WHERE job_id = j.id),
		(SELECT coalesce(sum(new - records_gone), 0) FROM runs INDEXED BY magpie_runs_figures WHERE job_id = j.id),
		(SELECT count(*) FROM magpie_drifts WHERE run_id = (SELECT id FROM runs INDEXED BY magpie_runs_figures WHERE job_id = j.id ORDER BY number DESC LIMIT 1)),
		coalesce((SELECT ` + figureColumns + ` FROM runs r INDEXED BY magpie_runs_figures
			WHERE r.job_id = j.id AND r.kind = 'crawl' AND r.state = 'finished' ORDER BY r.number DESC LIMIT 1), ''),
		coalesce((SELECT group_concat(x, ',') FROM (SELECT ` + figureColumns + ` AS x FROM runs r INDEXED BY magpie_runs_figures
			WHERE r.job_id = j.id ORDER BY r.number DESC LIMIT ?1)), '')
		FROM jobs j ORDER BY j.name`
	return collectIn(ctx, t, query, []any{min(o.Runs, 200)}, func(rows *sql.Rows) (j JobOverview, err error) {
		var id int64
		var h hold
		var succeeded, recent string
		if err := rows.Scan(&id, &j.Name, &h.pid, &h.host, &h.machine, &h.since, &h.heartbeat, &j.Runs, &j.Records, &j.Drifts, &succeeded, &recent); err != nil {
			return j, err
		}
		places[id] = len(places)
		if h.inForce(db.self, o.Now) {
			j.Holder = &Holder{PID: int(h.pid.Int64), Host: h.host.String, Since: fromMillis(h.since.Int64), Heartbeat: fromMillis(h.heartbeat.Int64)}
		}
		return j, j.fill(succeeded, recent)
	})
}

// fill puts in what the figures of runs say, the last run first.
func (j *JobOverview) fill(succeeded, recent string) error {
	if succeeded != "" {
		f, err := parseFigures(succeeded)
		if err != nil {
			return err
		}
		j.Succeeded = &f
	}
	if recent == "" {
		return nil
	}
	texts := strings.Split(recent, ",")
	j.Recent = make([]RunFigures, len(texts))
	for i, text := range texts {
		f, err := parseFigures(text)
		if err != nil {
			return err
		}
		if f.State == RunRunning && j.Holder == nil {
			f.State = RunInterrupted
		}
		j.Recent[len(texts)-1-i] = f
	}
	j.Last = &j.Recent[len(texts)-1]
	return nil
}

// overviewItems reads what each job's last successful crawl saw. Its figures
// are those of its health, so that no records are counted.
func overviewItems(ctx context.Context, t *sql.Tx, jobs []JobOverview, places map[int64]int) error {
	_, err := collectIn(ctx, t, `SELECT j.id, i.name, h.records, h.rejects
		FROM jobs j CROSS JOIN magpie_item_health h ON h.run_id = (SELECT id FROM runs r INDEXED BY magpie_runs_figures
			WHERE r.job_id = j.id AND r.kind = 'crawl' AND r.state = 'finished' ORDER BY r.number DESC LIMIT 1)
		CROSS JOIN items i ON i.id = h.item_id ORDER BY j.id, i.position, i.id`, nil,
		func(rows *sql.Rows) (struct{}, error) {
			var id int64
			var c ItemCount
			if err := rows.Scan(&id, &c.Name, &c.Records, &c.Rejects); err != nil {
				return struct{}{}, err
			}
			j := &jobs[places[id]]
			j.Items = append(j.Items, c)
			return struct{}{}, nil
		})
	return err
}

func overviewMessages(ctx context.Context, t *sql.Tx, jobs []JobOverview, places map[int64]int) error {
	_, err := collectIn(ctx, t, `SELECT r.job_id, count(*) FROM magpie_outbox o CROSS JOIN runs r ON r.id = o.run_id WHERE o.state = 'due' GROUP BY r.job_id`, nil,
		func(rows *sql.Rows) (struct{}, error) {
			var id int64
			var n int
			if err := rows.Scan(&id, &n); err != nil {
				return struct{}{}, err
			}
			jobs[places[id]].Messages = n
			return struct{}{}, nil
		})
	return err
}
