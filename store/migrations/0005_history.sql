-- The end of records, and what is asked of their history.

-- A version whose to_run found that the record is no longer there, and not
-- that it reads differently. One that comes back begins anew: its first
-- version then has no previous_id.
ALTER TABLE records ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
-- How many records a run found to be gone: crawl.Counters.RecordsGone.
ALTER TABLE runs ADD COLUMN records_gone INTEGER NOT NULL DEFAULT 0;
-- The last run that looked for records of the item.
ALTER TABLE items ADD COLUMN run_id INTEGER REFERENCES runs;

CREATE INDEX magpie_records_began  ON records (item_id, from_run);
CREATE INDEX magpie_records_closed ON records (item_id, key)    WHERE to_run IS NOT NULL;
CREATE INDEX magpie_records_gone   ON records (item_id, to_run) WHERE gone = 1;

-- What each run found to be new, different and gone, one row a record. CROSS
-- JOIN has few jobs, runs and items looked at first, so that the changes of a
-- run are found by their index.
CREATE VIEW changes AS
SELECT
  jobs.name   AS job,
  items.name  AS item,
  runs.number AS run,
  strftime('%Y-%m-%dT%H:%M:%SZ', runs.started_at / 1000, 'unixepoch') AS run_started,
  iif(o.id IS NULL, 'added', 'changed') AS change, -- 'added', 'changed' or 'gone'
  r.key  AS key,
  (SELECT url FROM urls WHERE urls.id = r.url_id) AS url, -- the page that showed it last
  o.data AS old,                               -- JSON: the fields before; NULL of an added record
  r.data AS new                                -- JSON: the fields since; NULL of a gone record
FROM jobs
CROSS JOIN runs ON runs.job_id = jobs.id
CROSS JOIN items ON items.job_id = jobs.id
CROSS JOIN records r ON r.item_id = items.id AND r.from_run = runs.id
LEFT JOIN records o ON o.id = r.previous_id
UNION ALL
SELECT
  jobs.name   AS job,
  items.name  AS item,
  runs.number AS run,
  strftime('%Y-%m-%dT%H:%M:%SZ', runs.started_at / 1000, 'unixepoch') AS run_started,
  'gone',
  r.key,
  (SELECT url FROM urls WHERE urls.id = r.url_id),
  r.data,
  NULL
FROM jobs
CROSS JOIN runs ON runs.job_id = jobs.id
CROSS JOIN items ON items.job_id = jobs.id
CROSS JOIN records r ON r.item_id = items.id AND r.to_run = runs.id AND r.gone = 1;

-- The responses of all runs, with names in place of ids.
CREATE VIEW magpie_pages AS
SELECT
  jobs.name   AS job,
  runs.number AS run,
  urls.url    AS url,
  urls.kind   AS kind,
  pages.state,
  pages.reason,
  pages.status,
  strftime('%Y-%m-%dT%H:%M:%fZ', pages.fetched_at / 1000.0, 'unixepoch') AS fetched,
  pages.duration_us / 1000.0 AS duration_ms,
  pages.size,
  pages.content_type,
  pages.encoding,
  pages.location,
  pages.canonical,
  urls.depth,
  pages.id AS page_id
FROM pages
JOIN runs ON runs.id = pages.run_id
JOIN jobs ON jobs.id = runs.job_id
JOIN urls ON urls.id = pages.url_id;

-- The values that failed in all runs, with names in place of ids.
CREATE VIEW magpie_problems AS
SELECT
  jobs.name   AS job,
  runs.number AS run,
  items.name  AS item,
  problems.key,
  problems.field,
  problems.code,
  problems.detail,
  problems.rejected,
  urls.url    AS url,
  problems.position
FROM problems
JOIN runs  ON runs.id = problems.run_id
JOIN jobs  ON jobs.id = runs.job_id
JOIN items ON items.id = problems.item_id
JOIN urls  ON urls.id = problems.url_id;
