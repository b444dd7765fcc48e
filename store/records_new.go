package store

import (
	"fmt"
	"strings"
)

// newTogether is how many records one statement stores where they are likely
// to be new: a page with many is committed in two thirds of the time then.
const newTogether = 16

// insertTogether stores new records of the run ?1, the page ?2 and the item
// ?3, each with its key, hash, data and position.
var insertTogether = func() string {
	rows := make([]string, newTogether)
	for i := range rows {
		n := 4 + 4*i
		rows[i] = fmt.Sprintf("(?3, ?%d, ?%d, ?%d, ?2, ?%d, ?1, ?1)", n, n+1, n+2, n+3)
	}
	return `INSERT INTO records (item_id, key, hash, data, url_id, position, from_run, last_run)
		VALUES ` + strings.Join(rows, ", ") + ` ON CONFLICT (item_id, key) WHERE to_run IS NULL DO NOTHING`
}()

// records stores the records of a page: see record.
func (c *commit) records(urlID int64, recs []preparedRecord) error {
	for len(recs) > 0 {
		var n int
		var err error
		if c.run.first() && ofOneItem(recs, newTogether) {
			n, err = newTogether, c.newRecords(urlID, recs[:newTogether])
		} else {
			n, err = 1, c.record(urlID, &recs[0])
		}
		if err != nil {
			return err
		}
		recs = recs[n:]
	}
	return nil
}

// ofOneItem tells whether the first n records are of one item type.
func ofOneItem(recs []preparedRecord, n int) bool {
	if len(recs) < n {
		return false
	}
	for i := range recs[:n] {
		if recs[i].Item != recs[0].Item {
			return false
		}
	}
	return true
}

// newRecords stores newTogether records of an item, as record does each of
// them. Those whose keys are there already the statement leaves alone.
func (c *commit) newRecords(urlID int64, recs []preparedRecord) error {
	run := c.run.info.ID
	itemID, err := c.itemID(recs[0].Item)
	if err != nil {
		return err
	}
	args := make([]any, 0, 3+4*newTogether)
	args = append(args, run, urlID, itemID)
	for i := range recs {
		rec := &recs[i]
		if err := c.problems(urlID, itemID, rec, false); err != nil {
			return err
		}
		args = append(args, rec.Key, rec.hash[:], rec.data, rec.Position)
	}
	stored, err := c.tx.changed(insertTogether, args...)
	c.counters.New += stored
	if err != nil || stored == newTogether {
		return err
	}
	for i := range recs {
		rec := &recs[i]
		var id int64
		here, err := c.tx.row(`SELECT id FROM records WHERE item_id = ? AND key = ? AND to_run IS NULL
			AND from_run = ? AND url_id = ? AND position = ? AND hash = ?`,
			[]any{itemID, rec.Key, run, urlID, rec.Position, rec.hash[:]}, &id)
		if err == nil && !here {
			err = c.recordKnown(itemID, urlID, rec)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
