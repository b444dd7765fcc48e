package store

import (
	"database/sql"
	"fmt"
	"time"

	"github.com/magpie-crawl/magpie/crawl"
	"github.com/magpie-crawl/magpie/store/internal/process"
)

// staleAfter is the age of a heartbeat from which a hold counts as given up.
const staleAfter = 60 * time.Second

// HeldError says who holds a job. It wraps crawl.ErrHeld.
type HeldError struct {
	Job       string
	PID       int
	Host      string
	Since     time.Time
	Heartbeat time.Time // the holder's last sign of life
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("job %q is being crawled by process %d on %s since %s",
		e.Job, e.PID, e.Host, e.Since.Local().Format(time.DateTime))
}

func (e *HeldError) Unwrap() error { return crawl.ErrHeld }

// hold is the part of a job's row that says who works on it.
type hold struct {
	epoch     int64
	pid       sql.NullInt64 // NULL: nobody
	host      sql.NullString
	machine   sql.NullString
	since     sql.NullInt64
	heartbeat sql.NullInt64
}

// inForce tells whether the holder must be taken to be at work. One on this
// machine is asked for; any other is believed for staleAfter since its last
// sign of life. A heartbeat from the future is as good a sign that a clock
// was set as an old one.
func (h *hold) inForce(self process.ID, now time.Time) bool {
	if !h.pid.Valid {
		return false
	}
	if self.Gone(process.ID{PID: int(h.pid.Int64), Machine: h.machine.String}) {
		return false
	}
	return now.Sub(fromMillis(h.heartbeat.Int64)).Abs() <= staleAfter
}

// takeHold makes self the holder of the job, or returns a *HeldError.
func (t *tx) takeHold(jobID int64, jobName string, self process.ID, now time.Time) (epoch int64, err error) {
	var h hold
	_, err = t.row(`SELECT epoch, holder_pid, holder_host, holder_machine, held_since, heartbeat FROM jobs WHERE id = ?`,
		[]any{jobID}, &h.epoch, &h.pid, &h.host, &h.machine, &h.since, &h.heartbeat)
	if err != nil {
		return 0, err
	}
	if h.inForce(self, now) {
		return 0, &HeldError{Job: jobName, PID: int(h.pid.Int64), Host: h.host.String,
			Since: fromMillis(h.since.Int64), Heartbeat: fromMillis(h.heartbeat.Int64)}
	}
	err = t.exec(`UPDATE jobs SET epoch = ?, holder_pid = ?, holder_host = ?, holder_machine = ?, held_since = ?, heartbeat = ? WHERE id = ?`,
		h.epoch+1, self.PID, self.Host, self.Machine, millis(now), millis(now), jobID)
	return h.epoch + 1, err
}

// keepHold checks that the hold with this epoch is still the job's and
// renews it. It returns crawl.ErrLost if it is not.
func (t *tx) keepHold(jobID, epoch int64, now time.Time) error {
	n, err := t.changed(`UPDATE jobs SET heartbeat = ? WHERE id = ? AND epoch = ?`, millis(now), jobID, epoch)
	if err == nil && n == 0 {
		err = crawl.ErrLost
	}
	return err
}

// dropHold lets go of the job, unless another holds it by now.
func (t *tx) dropHold(jobID, epoch int64) error {
	return t.exec(`UPDATE jobs SET holder_pid = NULL, holder_host = NULL, holder_machine = NULL, held_since = NULL, heartbeat = NULL
		WHERE id = ? AND epoch = ?`, jobID, epoch)
}

// millis is t as the database keeps it.
func millis(t time.Time) int64 { return t.UnixMilli() }

func fromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
