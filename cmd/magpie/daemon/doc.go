// Package daemon runs the jobs of a folder by their schedules.
//
// Each job file in the folder is a job, known by its name; the file is read
// again when it changes. A due time is written down before its run begins, and
// linked to the run by the crawl's first transaction (crawl.Job.Due): however
// the process ends, each due time has run once or is listed as skipped with
// the reason, in store.DueRun.
//
// # Due times
//
// The daemon looks at the clock twice a second. For each job the database has
// the last due time that was decided about, considered; what is due after it,
// and not after now, is decided next:
//
//   - Of several, the last is run, for all of them; the others are skipped as
//     missed. With missed: skip the last is skipped too if its time was more
//     than a minute ago (missedAfter), because the daemon or the machine did
//     not run, or the clock was put forward.
//   - While a run of the job goes on, or waits for its turn: with overlap: skip
//     the due time is skipped; with queue one waits, and further ones are
//     skipped; with cancel the run is stopped and marked as abandoned, and a new
//     one begins. What waits and has not begun is not cancelled for another.
//   - While the job is paused, its due times are skipped.
//
// Due times skipped in a row for the same reason share one row with their
// number, so that a month of missed seconds is a row, not millions. Between the
// first and the last of a row nothing else was due. Of each job the last
// thousand rows are kept, for 400 days (forget.go).
//
// A clock that is set back shows times again that were decided about: nothing
// runs again until it has passed them, and the log says so. If they are more
// than a day ahead (clockAhead), the clock was wrong before: the schedule is
// followed from now on, and a row says so.
//
// Within the day nobody can tell whether the clock is right now or was right
// before: a run that is early or a few hours late is caught up by the next one,
// and can be begun by hand, while runs at times that were decided would be
// twice what the schedule says, each time that a clock wavers. So a job stands
// still for as long as the clock was ahead, which is a day at most; its next
// due time is shown as it is.
//
// A schedule that is new or changed counts from when the daemon takes it up;
// one that was changed while no daemon ran, from when one last did. A file that
// was taken away and comes back counts from when it is back. What came due
// before a file is read again, or a job is paused, is decided first, by the
// schedule as it was.
//
// # Runs
//
// Options.Concurrency runs go on at a time. Those that somebody asked for begin
// first, then by the time they were due at. A due time resumes the job's
// unfinished run if there is one, as magpie crawl does.
//
// A process that ends leaves rows that are not settled: the next begins what
// waited, unless the job has missed: skip and no daemon was there for more than
// missedAfter, resumes what was interrupted, and does what is to follow a crawl that
// was finished (exports, messages). What somebody stopped with Stop is settled
// and stays as it is until the next due time or Start.
//
// # Settings
//
// serve.yaml is watched as job files are (settings.go): with mistakes it is
// refused and the settings stay as they were. What they change is up to
// Options.TakeUp.
//
// One daemon at a time works on a database: store.DaemonHold.
package daemon
