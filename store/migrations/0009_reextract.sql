-- What a run did: 'crawl', or 'reextract' for one that read stored pages with
-- a changed spec. What differs between it and the run before is a change of
-- the job and not of the site.
ALTER TABLE runs ADD COLUMN kind TEXT NOT NULL DEFAULT 'crawl' CHECK (kind IN ('crawl', 'reextract'));
