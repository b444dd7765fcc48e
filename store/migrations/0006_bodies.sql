-- What is kept of bodies, and how well it is compressed.

-- What gc found out about compressing the bodies of a host with a dictionary
-- of their own: https://www.rfc-editor.org/rfc/rfc8878#section-5
-- The last row of a host is the one that counts.
CREATE TABLE magpie_dictionaries (
  id         INTEGER PRIMARY KEY,
  host_id    INTEGER NOT NULL REFERENCES hosts,
  trained_at INTEGER NOT NULL,
  bodies     INTEGER NOT NULL,                 -- how many bodies the host had then
  size       INTEGER NOT NULL,                 -- bytes of the dictionary; 0: none was worth its room
  hash       BLOB    NOT NULL,                 -- SHA-256 of the dictionary
  data       BLOB    NOT NULL                  -- the dictionary as a zstd frame
) STRICT;

CREATE INDEX magpie_dictionaries_by_host ON magpie_dictionaries (host_id);

-- From here on codec is one of
--   'none'       data is the body
--   'zstd'       a zstd frame, made in a hurry by a crawl
--   'zstd-best'  a zstd frame, made by gc
--   'zstd-dict'  a zstd frame, made by gc with the dictionary dictionary_id
--   'dropped'    nothing: keep or budget of the job did away with the body
-- With 'zstd-best' dictionary_id is the dictionary that was no help, if any.
ALTER TABLE bodies ADD COLUMN dictionary_id INTEGER REFERENCES magpie_dictionaries;

CREATE INDEX magpie_bodies_fresh         ON bodies (id)            WHERE codec = 'zstd';
CREATE INDEX magpie_bodies_by_dictionary ON bodies (dictionary_id) WHERE dictionary_id IS NOT NULL;
CREATE INDEX magpie_pages_by_body        ON pages (body_id);
CREATE INDEX magpie_robots_by_body       ON robots (body_id)       WHERE body_id IS NOT NULL;

-- What a job keeps of bodies, as of the run that was last begun: crawl.Keep.
ALTER TABLE jobs ADD COLUMN keep         TEXT    NOT NULL DEFAULT 'all' CHECK (keep IN ('all', 'last', 'none'));
ALTER TABLE jobs ADD COLUMN budget       INTEGER NOT NULL DEFAULT 0; -- bytes of data in bodies; 0: none
ALTER TABLE jobs ADD COLUMN trimmed_page INTEGER NOT NULL DEFAULT 0; -- keep was applied up to this page
