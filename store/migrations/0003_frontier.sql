-- The order of the frontier, and what a run learns of traps.

-- rank is the place of a pending URL in its host's queue, lower ones first:
-- crawl.Link.Rank.
ALTER TABLE urls ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
-- away is 1 where redirects over another origin led to the URL.
ALTER TABLE urls ADD COLUMN away INTEGER NOT NULL DEFAULT 0;
DROP INDEX magpie_urls_ready;
CREATE INDEX magpie_urls_ready ON urls (run_id, host_id, rank, depth) WHERE state = 'pending' AND not_before = 0;

-- The address that a page gives itself, where that is another.
ALTER TABLE pages ADD COLUMN canonical TEXT;

-- How many pages in a row said nearly the same, by the shape of their URLs:
-- crawl.Trap.
CREATE TABLE magpie_traps (
  run_id INTEGER NOT NULL REFERENCES runs,
  shape  TEXT    NOT NULL,
  streak INTEGER NOT NULL,
  sums   TEXT    NOT NULL,                     -- JSON: fingerprints in hexadecimal
  PRIMARY KEY (run_id, shape)
) STRICT, WITHOUT ROWID;
