-- What the daemon decides: when jobs are due, and what becomes of it.

-- The process that runs the jobs of a folder: one at a time for a database.
-- epoch goes up with each new hold, and every decision checks it.
CREATE TABLE magpie_daemon (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  epoch     INTEGER NOT NULL DEFAULT 0,
  pid       INTEGER,                           -- NULL: none runs
  host      TEXT,                              -- host name, for people
  machine   TEXT,                              -- within which pid means one process
  folder    TEXT,                              -- of the job files
  since     INTEGER,
  heartbeat INTEGER,                           -- its last sign of life
  clock     INTEGER                            -- what its clock showed then: schedules were followed up to it
) STRICT;

-- How each job's schedule stands. A job is known by its name: it need not have
-- run yet.
CREATE TABLE magpie_schedules (
  job        TEXT    PRIMARY KEY,
  schedule   TEXT    NOT NULL,                 -- the one that considered and next are of; '': none
  considered INTEGER,                          -- it is decided what becomes of due times up to this one; NULL: the job was taken away
  next       INTEGER,                          -- the next due time, with jitter; NULL: none
  paused     INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Due times, and starts that somebody asked for, with what became of them.
-- Those that were skipped one after the other for the same reason share a row.
CREATE TABLE magpie_due (
  id      INTEGER PRIMARY KEY,
  job     TEXT    NOT NULL,
  kind    TEXT    NOT NULL CHECK (kind IN ('schedule', 'hand')),
  nominal INTEGER NOT NULL,                    -- what the schedule says; of a row for several, the first
  until   INTEGER NOT NULL,                    -- the last of them
  count   INTEGER NOT NULL DEFAULT 1,          -- how many; 0: none, the row tells of something else
  at      INTEGER NOT NULL,                    -- when it was to start: nominal with jitter
  decided INTEGER NOT NULL,
  outcome TEXT    NOT NULL CHECK (outcome IN ('waiting', 'started', 'skipped')),
  reason  TEXT    NOT NULL DEFAULT '',
  start   TEXT    NOT NULL DEFAULT '' CHECK (start IN ('', 'fresh', 'continue')), -- crawl.Job's Fresh or Continue
  run_id  INTEGER REFERENCES runs,             -- NULL: not begun
  settled INTEGER NOT NULL                     -- 0: there is still something to do about it, after a restart too
) STRICT;

CREATE INDEX magpie_due_by_job ON magpie_due (job, id);
CREATE INDEX magpie_due_by_run ON magpie_due (run_id);
CREATE INDEX magpie_due_open ON magpie_due (id) WHERE settled = 0;
