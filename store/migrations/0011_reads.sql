-- What a dashboard reads: each of its views takes as long in a large database
-- as in a small one.

-- The figures of runs, newest last, without the rows that hold the job files.
CREATE INDEX magpie_runs_figures ON runs (job_id, number, kind, state, started_at, ended_at, pages, failed, new, changed, unchanged, records_gone);
-- The URLs of a job in the order in which it met them, and those of a run of
-- which nothing came.
CREATE INDEX magpie_urls_by_job  ON urls (job_id);
CREATE INDEX magpie_urls_not_had ON urls (run_id, state, reason) WHERE state IN ('failed', 'skipped');
-- The current records of a page. There is none of those that a run saw last:
-- it would make storing a record that has not changed a third slower.
CREATE INDEX magpie_records_by_page ON records (url_id) WHERE to_run IS NULL;

-- What a run did over time: one row for each span of runs.timeline_ms in which
-- it did something, at its beginning. The spans get twice as long whenever there
-- are more than a few hundred.
ALTER TABLE runs ADD COLUMN timeline_ms INTEGER NOT NULL DEFAULT 1000;
CREATE TABLE magpie_timelines (
  run_id    INTEGER NOT NULL REFERENCES runs,
  at        INTEGER NOT NULL,
  responses INTEGER NOT NULL,
  failed    INTEGER NOT NULL,                  -- URLs given up
  retries   INTEGER NOT NULL,                  -- failed tries that were put back
  bytes     INTEGER NOT NULL,                  -- of bodies
  PRIMARY KEY (run_id, at)
) STRICT, WITHOUT ROWID;

-- How the hosts of a run answered.
CREATE TABLE magpie_run_hosts (
  run_id      INTEGER NOT NULL REFERENCES runs,
  host_id     INTEGER NOT NULL REFERENCES hosts,
  responses   INTEGER NOT NULL,
  failed      INTEGER NOT NULL,
  retries     INTEGER NOT NULL,
  bytes       INTEGER NOT NULL,
  duration_us INTEGER NOT NULL,                -- of all responses together
  longest_us  INTEGER NOT NULL,
  PRIMARY KEY (run_id, host_id)
) STRICT, WITHOUT ROWID;

-- Which statuses a run met, of all responses.
CREATE TABLE magpie_run_statuses (
  run_id    INTEGER NOT NULL REFERENCES runs,
  status    INTEGER NOT NULL,
  responses INTEGER NOT NULL,
  PRIMARY KEY (run_id, status)
) STRICT, WITHOUT ROWID;

-- Of earlier runs, what the stored responses tell: tries that were put back and
-- failures without a response are not among them. Rows are added one by one, so
-- that it takes no more memory for more pages.
UPDATE runs SET timeline_ms = 1000 * max(1, (coalesce(ended_at, started_at) - started_at + 199999) / 200000);
INSERT INTO magpie_timelines
  SELECT p.run_id, p.fetched_at / r.timeline_ms * r.timeline_ms, 1, p.state = 'failed', 0, p.size
  FROM pages p CROSS JOIN runs r ON r.id = p.run_id WHERE true
  ON CONFLICT DO UPDATE SET responses = responses + 1, failed = failed + excluded.failed, bytes = bytes + excluded.bytes;
INSERT INTO magpie_run_hosts
  SELECT p.run_id, u.host_id, 1, p.state = 'failed', 0, p.size, p.duration_us, p.duration_us
  FROM pages p CROSS JOIN urls u ON u.id = p.url_id WHERE true
  ON CONFLICT DO UPDATE SET responses = responses + 1, failed = failed + excluded.failed, bytes = bytes + excluded.bytes,
    duration_us = duration_us + excluded.duration_us, longest_us = max(longest_us, excluded.longest_us);
INSERT INTO magpie_run_statuses SELECT run_id, status, 1 FROM pages WHERE true
  ON CONFLICT DO UPDATE SET responses = responses + 1;
