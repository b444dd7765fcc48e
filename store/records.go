package store

import (
	"cmp"
	"database/sql"
	"fmt"
)

// ProblemDuplicate is the code of the problem that two pages of a run, or two
// places of a page, claim the same key with different data. It is recorded
// with the one that won and names the other page.
const ProblemDuplicate = "duplicate"

// version is the current version of a record.
type version struct {
	id            int64
	urlID         int64
	position      int
	fromRun       int64
	lastRun       int64
	lastRunBefore sql.NullInt64
	previousID    sql.NullInt64
	same          bool // its data is that of the record at hand
}

// record stores a record with its problems. One whose key was claimed before
// in this run goes to the smaller page URL, then to the smaller position,
// whichever came first: the outcome does not depend on the order of pages.
func (c *commit) record(urlID int64, rec *preparedRecord) error {
	itemID, err := c.itemID(rec.Item)
	if err != nil {
		return err
	}
	if err := c.problems(urlID, itemID, rec, false); err != nil {
		return err
	}
	if c.run.overtaken {
		if err := c.takeBack(itemID, rec.Key); err != nil {
			return err
		}
	}
	if done, err := c.likely(itemID, urlID, rec); err != nil || done {
		return err
	}
	return c.recordKnown(itemID, urlID, rec)
}

// recordKnown stores a record that is not what most are: mostly its key has a
// current version already, which says what is to be done.
func (c *commit) recordKnown(itemID, urlID int64, rec *preparedRecord) error {
	v, found, err := c.current(itemID, rec)
	if err != nil {
		return err
	}
	switch {
	case !found:
		c.counters.New++
		return c.insertVersion(itemID, urlID, rec, nil)
	case v.lastRun == c.run.info.ID, v.fromRun > c.run.info.ID && v.lastRunBefore.Int64 == c.run.info.ID:
		return c.claim(itemID, urlID, rec, v)
	case v.fromRun > c.run.info.ID:
		// A version cannot end before it began: it is brought up to date.
		c.counters.Changed++
		return c.rewrite(urlID, rec, v.id)
	default: // likely has seen to those that are the same
		c.counters.Changed++
		return c.replaceVersion(itemID, urlID, rec, v.id)
	}
}

// seen notes that the run ?1 saw a version; notSeen finds those that it did not
// see. A version that a re-extraction began while the run was interrupted keeps
// its last_run, which is larger: of it, last_run_before says so.
const (
	seen    = `last_run_before = min(last_run, ?1), last_run = max(last_run, ?1)`
	notSeen = `last_run != ?1 AND last_run_before IS NOT ?1`
)

// likely does in one statement what most records come to, without looking
// first: in a job's first run they are new, in later ones they are the same
// as before. It reports false if this record is not that, and has then
// changed nothing.
func (c *commit) likely(itemID, urlID int64, rec *preparedRecord) (bool, error) {
	run := c.run.info.ID
	if c.run.first() {
		n, err := c.tx.changed(`INSERT INTO records (item_id, key, hash, data, url_id, position, from_run, last_run)
			VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7) ON CONFLICT (item_id, key) WHERE to_run IS NULL DO NOTHING`,
			itemID, rec.Key, rec.hash[:], rec.data, urlID, rec.Position, run)
		c.counters.New += n
		return n > 0, err
	}
	// Naming url_id costs its index an update, whatever its value: most records
	// are where they were.
	n, err := c.tx.changed(`UPDATE records SET `+seen+`, position = ?3
		WHERE item_id = ?4 AND key = ?5 AND to_run IS NULL AND hash = ?6 AND url_id = ?2 AND `+notSeen,
		run, urlID, rec.Position, itemID, rec.Key, rec.hash[:])
	if err == nil && n == 0 {
		n, err = c.tx.changed(`UPDATE records SET `+seen+`, url_id = ?2, position = ?3
			WHERE item_id = ?4 AND key = ?5 AND to_run IS NULL AND hash = ?6 AND `+notSeen,
			run, urlID, rec.Position, itemID, rec.Key, rec.hash[:])
	}
	c.counters.Unchanged += n
	return n > 0, err
}

// current finds the current version of rec's record.
func (c *commit) current(itemID int64, rec *preparedRecord) (v version, found bool, err error) {
	found, err = c.tx.row(`SELECT id, hash = ?, url_id, position, from_run, last_run, last_run_before, previous_id
		FROM records WHERE item_id = ? AND key = ? AND to_run IS NULL`, []any{rec.hash[:], itemID, rec.Key},
		&v.id, &v.same, &v.urlID, &v.position, &v.fromRun, &v.lastRun, &v.lastRunBefore, &v.previousID)
	return v, found, err
}

func (c *commit) insertVersion(itemID, urlID int64, rec *preparedRecord, previous any) error {
	return c.tx.exec(`INSERT INTO records (item_id, key, hash, data, url_id, position, from_run, last_run, previous_id)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8)`,
		itemID, rec.Key, rec.hash[:], rec.data, urlID, rec.Position, c.run.info.ID, previous)
}

// replaceVersion closes a version and puts rec in its place.
func (c *commit) replaceVersion(itemID, urlID int64, rec *preparedRecord, id int64) error {
	if err := c.tx.exec(`UPDATE records SET to_run = ?, last_run_before = NULL WHERE id = ?`, c.run.info.ID, id); err != nil {
		return err
	}
	return c.insertVersion(itemID, urlID, rec, id)
}

// claim settles who has a key that was seen in this run already.
func (c *commit) claim(itemID, urlID int64, rec *preparedRecord, v version) error {
	wins, err := c.before(urlID, rec.Position, v.urlID, v.position)
	if err != nil {
		return err
	}
	if v.same {
		if !wins {
			return nil
		}
		if err := c.tx.exec(`UPDATE records SET url_id = ?, position = ? WHERE id = ?`, urlID, rec.Position, v.id); err != nil {
			return err
		}
		return c.moveDuplicate(itemID, urlID, rec)
	}
	if !wins {
		return c.duplicate(itemID, v.urlID, v.position, urlID, rec.Key)
	}
	if err := c.overrule(itemID, urlID, rec, v); err != nil {
		return err
	}
	return c.duplicate(itemID, urlID, rec.Position, v.urlID, rec.Key)
}

// before compares two places where a record was seen.
func (c *commit) before(urlID int64, position int, otherID int64, otherPosition int) (bool, error) {
	if urlID == otherID {
		return position < otherPosition, nil
	}
	order, err := c.compareURLs(urlID, otherID)
	return order < 0, err
}

func (c *commit) compareURLs(a, b int64) (int, error) {
	urlA, err := c.url(a)
	if err != nil {
		return 0, err
	}
	urlB, err := c.url(b)
	return cmp.Compare(urlA, urlB), err
}

func (c *commit) url(id int64) (url string, err error) {
	_, err = c.tx.row(`SELECT url FROM urls WHERE id = ?`, []any{id}, &url)
	return url, err
}

// overrule gives a key to rec that v got in this run, as if v had never been
// seen in it.
func (c *commit) overrule(itemID, urlID int64, rec *preparedRecord, v version) error {
	run := c.run.info.ID
	switch {
	case v.fromRun > run:
		return c.rewrite(urlID, rec, v.id)
	case v.fromRun < run:
		// v was there before and only confirmed: take that back.
		c.counters.Unchanged--
		c.counters.Changed++
		if err := c.tx.exec(`UPDATE records SET last_run = last_run_before WHERE id = ?`, v.id); err != nil {
			return err
		}
		return c.replaceVersion(itemID, urlID, rec, v.id)
	}
	reopened, err := c.reopen(urlID, rec, v)
	if err != nil || reopened {
		return err
	}
	return c.rewrite(urlID, rec, v.id)
}

// rewrite has a version that began in this run, or after it, say what rec does.
func (c *commit) rewrite(urlID int64, rec *preparedRecord, id int64) error {
	return c.tx.exec(`UPDATE records SET hash = ?2, data = ?3, url_id = ?4, position = ?5, last_run_before = iif(last_run > ?1, ?1, last_run_before) WHERE id = ?6`,
		c.run.info.ID, rec.hash[:], rec.data, urlID, rec.Position, id)
}

// reopen puts the version before v in v's place if rec says the same as it:
// the record has then not changed.
func (c *commit) reopen(urlID int64, rec *preparedRecord, v version) (bool, error) {
	if !v.previousID.Valid {
		return false, nil
	}
	same := false
	if _, err := c.tx.row(`SELECT hash = ? FROM records WHERE id = ?`, []any{rec.hash[:], v.previousID}, &same); err != nil || !same {
		return false, err
	}
	c.counters.Changed--
	c.counters.Unchanged++
	if err := c.tx.exec(`DELETE FROM records WHERE id = ?`, v.id); err != nil {
		return false, err
	}
	return true, c.tx.exec(`UPDATE records SET to_run = NULL, last_run_before = last_run, last_run = ?, url_id = ?, position = ?
		WHERE id = ?`, c.run.info.ID, urlID, rec.Position, v.previousID)
}

// duplicate records that a key of the record on the page urlID is also
// claimed, with other data, by the page otherID. Of several others the one
// with the smallest URL is named.
func (c *commit) duplicate(itemID, urlID int64, position int, otherID int64, key string) error {
	run := c.run.info.ID
	var id, holder, named int64
	found, err := c.tx.row(`SELECT id, url_id, other_url_id FROM problems WHERE run_id = ? AND item_id = ? AND key = ? AND code = 'duplicate'`,
		[]any{run, itemID, key}, &id, &holder, &named)
	if err != nil {
		return err
	}
	if found && holder == urlID {
		order, err := c.compareURLs(named, otherID)
		if err != nil {
			return err
		}
		if order < 0 {
			otherID = named
		}
	}
	other, err := c.url(otherID)
	if err != nil {
		return err
	}
	detail := fmt.Sprintf("the same key with other data on %s", other)
	if found {
		return c.tx.exec(`UPDATE problems SET url_id = ?, position = ?, detail = ?, other_url_id = ? WHERE id = ?`,
			urlID, position, detail, otherID, id)
	}
	c.counters.Problems++
	return c.tx.exec(`INSERT INTO problems (run_id, url_id, item_id, position, key, rejected, field, code, detail, other_url_id)
		VALUES (?, ?, ?, ?, ?, 0, '', 'duplicate', ?, ?)`, run, urlID, itemID, position, key, detail, otherID)
}

// moveDuplicate moves the duplicate problem of a key, if there is one, to the
// place that the record is now taken from.
func (c *commit) moveDuplicate(itemID, urlID int64, rec *preparedRecord) error {
	return c.tx.exec(`UPDATE problems SET url_id = ?, position = ? WHERE run_id = ? AND item_id = ? AND key = ? AND code = 'duplicate'`,
		urlID, rec.Position, c.run.info.ID, itemID, rec.Key)
}

// reject stores a record that was set aside.
func (c *commit) reject(urlID int64, rec *preparedRecord) error {
	itemID, err := c.itemID(rec.Item)
	if err != nil {
		return err
	}
	c.counters.Rejects++
	err = c.tx.exec(`INSERT INTO rejects (run_id, url_id, item_id, position, key, data) VALUES (?, ?, ?, ?, ?, ?)`,
		c.run.info.ID, urlID, itemID, rec.Position, rec.Key, rec.data)
	if err != nil {
		return err
	}
	return c.problems(urlID, itemID, rec, true)
}

// problems stores what failed in a record or reject.
func (c *commit) problems(urlID, itemID int64, rec *preparedRecord, rejected bool) error {
	for _, p := range rec.Problems {
		c.counters.Problems++
		err := c.tx.exec(`INSERT INTO problems (run_id, url_id, item_id, position, key, rejected, field, code, detail)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			c.run.info.ID, urlID, itemID, rec.Position, rec.Key, rejected, p.Field, p.Code, p.Detail)
		if err != nil {
			return err
		}
	}
	return nil
}

// itemID returns the id of the job's item type. One that the job did not
// declare is recorded without fields, and has no view.
func (c *commit) itemID(name string) (int64, error) {
	if id, ok := c.run.items[name]; ok {
		return id, nil
	}
	var id int64
	found, err := c.tx.row(`SELECT id FROM items WHERE job_id = ? AND name = ?`, []any{c.run.jobID, name}, &id)
	if err == nil && !found {
		id, err = c.tx.insert(`INSERT INTO items (job_id, name, position, fields)
			VALUES (?1, ?2, (SELECT count(*) FROM items WHERE job_id = ?1), '[]')`, c.run.jobID, name)
	}
	if err == nil {
		err = c.tx.useItem(c.run.jobID, c.run.info.ID, name)
	}
	if err == nil {
		c.run.items[name] = id
	}
	return id, err
}
