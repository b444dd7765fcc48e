-- The first schema.
--
-- Times are Unix milliseconds, UTC: datetime(fetched_at / 1000, 'unixepoch')
-- shows one. Columns said to be JSON hold JSON text.

-- A job is what a job file describes, known by its name. One process at a
-- time works on it: the holder. epoch goes up with each new hold, and every
-- write of a crawl checks it, so that one that lost its hold writes nothing.
CREATE TABLE jobs (
  id             INTEGER PRIMARY KEY,
  name           TEXT    NOT NULL UNIQUE,
  epoch          INTEGER NOT NULL DEFAULT 0,
  holder_pid     INTEGER,                      -- NULL: nobody holds the job
  holder_host    TEXT,                         -- host name, for people
  holder_machine TEXT,                         -- within which holder_pid means one process
  held_since     INTEGER,
  heartbeat      INTEGER                       -- the holder's last sign of life
) STRICT;

-- A run is one crawl of a job from its start URLs to its end, by one process
-- or, after interruptions, by several. The counters are those of
-- crawl.Counters, as of the last committed page.
CREATE TABLE runs (
  id          INTEGER PRIMARY KEY,
  job_id      INTEGER NOT NULL REFERENCES jobs,
  number      INTEGER NOT NULL,                -- from 1 within the job
  state       TEXT    NOT NULL CHECK (state IN ('running', 'finished', 'abandoned')),
  reason      TEXT,                            -- the limit that ended it; NULL: its frontier was empty
  source      TEXT    NOT NULL,                -- the job file it was last started with
  started_at  INTEGER NOT NULL,
  ended_at    INTEGER,
  pages       INTEGER NOT NULL DEFAULT 0,
  redirects   INTEGER NOT NULL DEFAULT 0,
  sitemaps    INTEGER NOT NULL DEFAULT 0,
  failed      INTEGER NOT NULL DEFAULT 0,
  retries     INTEGER NOT NULL DEFAULT 0,
  bytes       INTEGER NOT NULL DEFAULT 0,
  new         INTEGER NOT NULL DEFAULT 0,
  changed     INTEGER NOT NULL DEFAULT 0,
  unchanged   INTEGER NOT NULL DEFAULT 0,
  rejects     INTEGER NOT NULL DEFAULT 0,
  problems    INTEGER NOT NULL DEFAULT 0,
  skipped     TEXT    NOT NULL DEFAULT '{}',   -- JSON: reason → URLs never fetched
  failures    TEXT    NOT NULL DEFAULT '{}',   -- JSON: reason → URLs given up
  UNIQUE (job_id, number)
) STRICT;

CREATE UNIQUE INDEX magpie_runs_unfinished ON runs (job_id) WHERE state = 'running';

-- A host is the unit of politeness: a name, with the port where it is not
-- the scheme's default.
CREATE TABLE hosts (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- One row for each URL that a job ever met, with what became of it in run_id,
-- the last run that met it. The frontier of a run is its pending URLs.
--
-- hash is the first 16 bytes of SHA-256(job id as 8 bytes, big-endian ‖ url).
-- A unique index on it takes a quarter of the room that one on (job_id, url)
-- would, whatever the length of the URLs.
CREATE TABLE urls (
  id         INTEGER PRIMARY KEY,
  job_id     INTEGER NOT NULL REFERENCES jobs,
  run_id     INTEGER NOT NULL REFERENCES runs,
  host_id    INTEGER NOT NULL REFERENCES hosts,
  hash       BLOB    NOT NULL UNIQUE,
  url        TEXT    NOT NULL,
  kind       TEXT    NOT NULL CHECK (kind IN ('page', 'sitemap')),
  state      TEXT    NOT NULL CHECK (state IN ('pending', 'done', 'failed', 'skipped')),
  reason     TEXT,                             -- why, unless done; of a pending URL: why it is tried again
  detail     TEXT,                             -- reason, for people
  depth      INTEGER NOT NULL,                 -- links from a start URL
  redirects  INTEGER NOT NULL,                 -- hops that led here from the link
  attempts   INTEGER NOT NULL DEFAULT 0,       -- failed tries in this run
  not_before INTEGER NOT NULL DEFAULT 0,       -- of a pending URL: when the next try is due; 0: now
  found_on   INTEGER REFERENCES urls           -- the page whose link led here; NULL: a start URL
) STRICT;

CREATE INDEX magpie_urls_ready   ON urls (run_id, host_id, depth)      WHERE state = 'pending' AND not_before = 0;
CREATE INDEX magpie_urls_waiting ON urls (run_id, host_id, not_before) WHERE state = 'pending' AND not_before > 0;

-- Response bodies after content-coding, each content once.
CREATE TABLE bodies (
  id    INTEGER PRIMARY KEY,
  hash  BLOB    NOT NULL UNIQUE,               -- SHA-256 of the body
  size  INTEGER NOT NULL,                      -- bytes of the body
  codec TEXT    NOT NULL,                      -- how data holds it: 'zstd' or 'none'
  data  BLOB    NOT NULL
) STRICT;

-- The response that settled a URL in a run. Answers that were followed by
-- another try are not kept.
CREATE TABLE pages (
  id                  INTEGER PRIMARY KEY,
  run_id              INTEGER NOT NULL REFERENCES runs,
  url_id              INTEGER NOT NULL REFERENCES urls,
  state               TEXT    NOT NULL,        -- what it left its URL in: 'done', 'failed' or 'skipped'
  reason              TEXT,
  fetched_at          INTEGER NOT NULL,
  duration_us         INTEGER NOT NULL,        -- microseconds from the request to the last byte
  status              INTEGER NOT NULL,
  headers             TEXT    NOT NULL,        -- JSON: name → list of values, as sent
  content_type        TEXT    NOT NULL,
  location            TEXT,                    -- where a redirect points
  truncated           INTEGER NOT NULL,        -- 1: the body was cut at the size limit
  warnings            TEXT,                    -- JSON: list of texts
  encoding            TEXT,                    -- NULL: the body was not parsed
  encoding_confidence INTEGER,                 -- htmlparse.Confidence
  encoding_source     TEXT,
  size                INTEGER NOT NULL,        -- bytes of the body
  body_id             INTEGER NOT NULL REFERENCES bodies,
  UNIQUE (url_id, run_id)
) STRICT;

-- The item types of each job, as of the run that last used them.
CREATE TABLE items (
  id       INTEGER PRIMARY KEY,
  job_id   INTEGER NOT NULL REFERENCES jobs,
  name     TEXT    NOT NULL,
  position INTEGER NOT NULL,                   -- place in the job file, from 0
  fields   TEXT    NOT NULL,                   -- JSON: list of {"name", "types"}, in order
  UNIQUE (job_id, name)
) STRICT;

-- Versions of records. A record is known by its item and key; the version
-- that holds now has no to_run. A version says what the record read like from
-- from_run on, until to_run found something else.
CREATE TABLE records (
  id              INTEGER PRIMARY KEY,
  item_id         INTEGER NOT NULL REFERENCES items,
  key             TEXT    NOT NULL,
  hash            BLOB    NOT NULL,            -- first 16 bytes of SHA-256(data)
  data            TEXT    NOT NULL,            -- JSON: the fields in the spec's order
  url_id          INTEGER NOT NULL REFERENCES urls, -- the page that showed it last
  position        INTEGER NOT NULL,            -- from 0: its place among that page's records of the item
  from_run        INTEGER NOT NULL REFERENCES runs, -- the run that saw it first
  last_run        INTEGER NOT NULL REFERENCES runs, -- the run that saw it last
  last_run_before INTEGER REFERENCES runs,     -- what last_run was before; needed when a duplicate key takes a sighting back
  to_run          INTEGER REFERENCES runs,     -- the run that saw another version
  previous_id     INTEGER REFERENCES records   -- the version before this one
) STRICT;

CREATE UNIQUE INDEX magpie_records_current ON records (item_id, key) WHERE to_run IS NULL;

-- Records set aside because a required value was absent.
CREATE TABLE rejects (
  id       INTEGER PRIMARY KEY,
  run_id   INTEGER NOT NULL REFERENCES runs,
  url_id   INTEGER NOT NULL REFERENCES urls,
  item_id  INTEGER NOT NULL REFERENCES items,
  position INTEGER NOT NULL,
  key      TEXT    NOT NULL,
  data     TEXT    NOT NULL                    -- JSON: the fields that were found
) STRICT;

CREATE INDEX magpie_rejects_by_page ON rejects (run_id, url_id);

-- Values that failed, in records and rejects.
CREATE TABLE problems (
  id           INTEGER PRIMARY KEY,
  run_id       INTEGER NOT NULL REFERENCES runs,
  url_id       INTEGER NOT NULL REFERENCES urls,
  item_id      INTEGER NOT NULL REFERENCES items,
  position     INTEGER NOT NULL,               -- of the record on its page
  key          TEXT    NOT NULL,
  rejected     INTEGER NOT NULL,               -- 1: of a reject
  field        TEXT    NOT NULL,               -- path such as 'reviews[2].stars'; '': the record as a whole
  code         TEXT    NOT NULL,               -- 'missing', 'type', 'key', 'duplicate'
  detail       TEXT    NOT NULL,
  other_url_id INTEGER REFERENCES urls         -- of a duplicate: the other page
) STRICT;

CREATE INDEX magpie_problems_by_page ON problems (run_id, url_id);
CREATE UNIQUE INDEX magpie_problems_duplicate ON problems (run_id, item_id, key) WHERE code = 'duplicate';
