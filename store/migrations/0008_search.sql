-- What an index for searching has to look at again. It follows new records by
-- their ids; this lists the others that came to say something else: those that
-- were given other data, are current again, or whose id may be given again.
-- None of it happens in a run whose pages do not contradict each other.
CREATE TABLE magpie_search_again (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  record_id INTEGER NOT NULL,
  beyond    INTEGER NOT NULL                   -- 1: of the ids beyond record_id, any may be another record's now
) STRICT;

CREATE TRIGGER magpie_search_rewritten AFTER UPDATE OF hash ON records BEGIN
  INSERT INTO magpie_search_again (record_id, beyond) VALUES (NEW.id, 0);
END;

CREATE TRIGGER magpie_search_reopened AFTER UPDATE OF to_run ON records WHEN NEW.to_run IS NULL BEGIN
  INSERT INTO magpie_search_again (record_id, beyond) VALUES (NEW.id, 0);
END;

CREATE TRIGGER magpie_search_deleted AFTER DELETE ON records WHEN OLD.id > (SELECT coalesce(max(id), 0) FROM records) BEGIN
  INSERT INTO magpie_search_again (record_id, beyond) SELECT coalesce(max(id), 0), 1 FROM records;
END;
