-- Web archives that jobs write, and how much of each is committed: what stands
-- behind size belongs to nothing and is cut off. file is an absolute path.
CREATE TABLE magpie_archives (
  id     INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES jobs,
  file   TEXT    NOT NULL,
  size   INTEGER NOT NULL,
  UNIQUE (job_id, file)
) STRICT;

-- Where a response stands in an archive.
ALTER TABLE pages ADD COLUMN archive_id     INTEGER REFERENCES magpie_archives;
ALTER TABLE pages ADD COLUMN archive_offset INTEGER;
