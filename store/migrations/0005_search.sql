-- What an index for searching has to look at again. It follows new records by
-- their ids; this lists the others that came to say something else: those that
-- were given other data, are current again, or whose id may be given again.
-- None of it happens in a run whose pages do not contradict each other.
CREATE TABLE magpie_search_again (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  record_id INTEGER NOT NULL
) STRICT;

CREATE TRIGGER magpie_search_rewritten AFTER UPDATE OF hash ON records BEGIN
  INSERT INTO magpie_search_again (record_id) VALUES (NEW.id);
END;

CREATE TRIGGER magpie_search_reopened AFTER UPDATE OF to_run ON records WHEN NEW.to_run IS NULL BEGIN
  INSERT INTO magpie_search_again (record_id) VALUES (NEW.id);
END;

CREATE TRIGGER magpie_search_deleted AFTER DELETE ON records WHEN OLD.id > (SELECT coalesce(max(id), 0) FROM records) BEGIN
  INSERT INTO magpie_search_again (record_id) VALUES (OLD.id);
END;
