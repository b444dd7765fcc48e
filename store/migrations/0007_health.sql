-- The health of runs: what their figures are, and where they are worse than
-- usual; and the messages that are to be sent about runs.

-- One row for each item type of each finished run.
CREATE TABLE magpie_item_health (
  run_id  INTEGER NOT NULL REFERENCES runs,
  item_id INTEGER NOT NULL REFERENCES items,
  records INTEGER NOT NULL,                    -- that the run saw, without rejects
  rejects INTEGER NOT NULL,
  PRIMARY KEY (run_id, item_id)
) STRICT, WITHOUT ROWID;

-- One row for each field of those. Rejects count too: a required field that is
-- missing is found nowhere else.
CREATE TABLE magpie_field_health (
  run_id    INTEGER NOT NULL REFERENCES runs,
  item_id   INTEGER NOT NULL REFERENCES items,
  field     TEXT    NOT NULL,
  filled    INTEGER NOT NULL,                  -- records and rejects in which it is neither absent nor empty
  failed    INTEGER NOT NULL,                  -- in which a value of it failed its type or its check
  different INTEGER NOT NULL,                  -- distinct values
  exact     INTEGER NOT NULL,                  -- 0: different is estimated
  PRIMARY KEY (run_id, item_id, field)
) STRICT, WITHOUT ROWID;

-- What the elements of a run's pages look like, by patterns of URLs. Of the 64
-- bits of the outlines (crawl.Outline) ones counts how many pages had each: 64
-- numbers of 4 bytes, little-endian, the lowest bit first.
CREATE TABLE magpie_outlines (
  run_id  INTEGER NOT NULL REFERENCES runs,
  pattern TEXT    NOT NULL,
  pages   INTEGER NOT NULL,
  ones    BLOB    NOT NULL,
  PRIMARY KEY (run_id, pattern)
) STRICT, WITHOUT ROWID;

-- The figures of a run that are worse than usual.
CREATE TABLE magpie_drifts (
  id      INTEGER PRIMARY KEY,
  run_id  INTEGER NOT NULL REFERENCES runs,
  item_id INTEGER REFERENCES items,            -- NULL: it is about the pages
  field   TEXT,                                -- NULL: it is about the item as a whole
  pattern TEXT,                                -- of URLs, where kind is 'template'
  kind    TEXT    NOT NULL,                    -- 'fill', 'failures', 'distinct', 'records', 'rejects', 'pages', 'template'
  usual   REAL    NOT NULL,                    -- shares from 0 to 1, or numbers
  now     REAL    NOT NULL,
  detail  TEXT    NOT NULL                     -- for people
) STRICT;

CREATE INDEX magpie_drifts_by_run ON magpie_drifts (run_id);

CREATE VIEW magpie_health AS -- by magpie: each field in each finished run
SELECT
  jobs.name AS job,
  runs.number AS run,
  datetime(runs.ended_at / 1000, 'unixepoch') AS ended,
  items.name AS item,
  field.field AS field,
  item.records AS records,
  item.rejects AS rejects,
  field.filled AS filled,
  round(1.0 * field.filled / nullif(item.records + item.rejects, 0), 4) AS fill_rate,
  field.failed AS failed,
  field.different AS distinct_values,
  field.exact AS distinct_exact
FROM magpie_field_health AS field
JOIN magpie_item_health AS item USING (run_id, item_id)
JOIN runs ON runs.id = field.run_id
JOIN jobs ON jobs.id = runs.job_id
JOIN items ON items.id = field.item_id;

CREATE VIEW magpie_drift AS -- by magpie: what was worse than usual in each run
SELECT
  jobs.name AS job,
  runs.number AS run,
  datetime(runs.ended_at / 1000, 'unixepoch') AS ended,
  items.name AS item,
  drifts.field AS field,
  drifts.pattern AS pattern,
  drifts.kind AS kind,
  drifts.usual AS usual,
  drifts.now AS now,
  drifts.detail AS detail
FROM magpie_drifts AS drifts
JOIN runs ON runs.id = drifts.run_id
JOIN jobs ON jobs.id = runs.job_id
LEFT JOIN items ON items.id = drifts.item_id;

-- Messages about finished runs that are to be sent, and those that were. What
-- a message says is read from the other tables when it is sent.
CREATE TABLE magpie_outbox (
  id         INTEGER PRIMARY KEY,
  run_id     INTEGER NOT NULL REFERENCES runs,
  hook       TEXT    NOT NULL,                 -- who gets it, as the job file names them
  event      TEXT    NOT NULL,                 -- 'finish', 'drift' or 'changes'
  state      TEXT    NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'sent', 'dropped')),
  created_at INTEGER NOT NULL,
  part       INTEGER NOT NULL DEFAULT 0,       -- of a message in parts: how many were taken
  after      INTEGER NOT NULL DEFAULT 0,       -- the last record in those
  attempts   INTEGER NOT NULL DEFAULT 0,       -- failed tries in a row
  not_before INTEGER NOT NULL DEFAULT 0,       -- when the next try is due
  error      TEXT,                             -- of the last try
  UNIQUE (run_id, hook, event)
) STRICT;

CREATE INDEX magpie_outbox_due ON magpie_outbox (id) WHERE state = 'due';
