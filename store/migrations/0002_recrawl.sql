-- What outlasts a run so that the next knows when to come back, and how.

-- plan says what decides which URLs a run's links lead to, see crawl.Job.
ALTER TABLE runs ADD COLUMN plan         TEXT    NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN not_modified INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN gone         INTEGER NOT NULL DEFAULT 0;

-- A URL that once answered well, as its last visit left it: crawl.Revisit.
CREATE TABLE magpie_revisits (
  url_id        INTEGER PRIMARY KEY REFERENCES urls,
  page_id       INTEGER NOT NULL REFERENCES pages, -- the last good response; its body is what a 304 stands for
  etag          TEXT,
  last_modified TEXT,                          -- the header field as sent
  fetched_at    INTEGER NOT NULL,              -- when it last answered well, 304 included
  changed_at    INTEGER NOT NULL,              -- when its content was last found to differ
  content       BLOB    NOT NULL,              -- fingerprint of the content; empty: not taken
  interval_ms   INTEGER NOT NULL,              -- from fetched_at to the next visit; 0: not known
  missing       INTEGER NOT NULL DEFAULT 0,    -- runs in a row in which it answered 404
  gone_run      INTEGER REFERENCES runs,       -- the run that confirmed its absence; NULL: it is there
  lastmod       INTEGER                        -- what a sitemap said since fetched_at
) STRICT;

-- What is known of a host's patience: crawl.HostState.
CREATE TABLE magpie_politeness (
  host_id        INTEGER PRIMARY KEY REFERENCES hosts,
  run_id         INTEGER NOT NULL REFERENCES runs, -- the run that learned it last; failures are its own
  not_before     INTEGER NOT NULL,             -- no request before; 0: any time
  crawl_delay_ms INTEGER NOT NULL,             -- as its robots.txt asks
  slow_ms        INTEGER NOT NULL,             -- delay learned from 429 and 503
  failures       INTEGER NOT NULL              -- in a row
) STRICT;

-- The robots.txt of each origin, as it was last asked for: crawl.RobotsFile.
CREATE TABLE robots (
  id         INTEGER PRIMARY KEY,
  job_id     INTEGER NOT NULL REFERENCES jobs,
  origin     TEXT    NOT NULL,
  fetched_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,                 -- to be asked for again from then on
  status     INTEGER NOT NULL,                 -- after redirects; 0: no answer
  error      TEXT,                             -- why it could not be had: everything is disallowed
  failures   INTEGER NOT NULL,                 -- in a row
  body_id    INTEGER REFERENCES bodies,        -- NULL: no rules
  UNIQUE (job_id, origin)
) STRICT;
