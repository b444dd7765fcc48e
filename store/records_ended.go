package store

// endRecords ends the records whose absence a run has confirmed, once it has
// visited all that it will, and returns how many. Absent is what was not seen
// anywhere in the run, and whose page
//
//   - is gone, or
//   - was read whole in this run, or moved for good.
//
// A page that failed, or was left alone because it was not due, says nothing.
// Nor does one that shows the record as a reject, or records whose keys could
// not be had; nor a run that did not look for records of the item at all.
func (t *tx) endRecords(jobID, runID int64) (int64, error) {
	return t.changed(`UPDATE records SET to_run = ?1, gone = 1, last_run_before = NULL WHERE id IN (
		SELECT r.id FROM items i
		CROSS JOIN records r ON r.item_id = i.id AND r.to_run IS NULL
		CROSS JOIN urls u ON u.id = r.url_id
		LEFT JOIN pages p ON p.url_id = u.id AND p.run_id = ?1
		WHERE i.job_id = ?2 AND i.run_id = ?1 AND r.last_run < ?1 -- it is later where a re-extraction came between
		AND (EXISTS (SELECT 1 FROM magpie_revisits v WHERE v.url_id = u.id AND v.gone_run IS NOT NULL)
			OR p.state = 'done' AND NOT p.truncated AND (p.location IS NULL OR p.status IN (301, 308)))
		AND NOT EXISTS (SELECT 1 FROM rejects x WHERE x.run_id = ?1 AND x.url_id = u.id AND x.item_id = i.id AND x.key = r.key)
		AND NOT EXISTS (SELECT 1 FROM problems x WHERE x.run_id = ?1 AND x.url_id = u.id AND x.item_id = i.id AND x.code = 'key'))`,
		runID, jobID)
}

// reviveRecords takes back what endRecords did: the run goes on. A record that
// is there again since, by a re-extraction, stays ended: it has a version.
func (t *tx) reviveRecords(jobID, runID int64) error {
	err := t.exec(`UPDATE records SET to_run = NULL, gone = 0
		WHERE gone = 1 AND to_run = ?1 AND item_id IN (SELECT id FROM items WHERE job_id = ?2)
		AND NOT EXISTS (SELECT 1 FROM records c WHERE c.item_id = records.item_id AND c.key = records.key AND c.to_run IS NULL)`, runID, jobID)
	if err != nil {
		return err
	}
	return t.exec(`UPDATE runs SET records_gone = (SELECT count(*) FROM records WHERE gone = 1 AND to_run = ?1
		AND item_id IN (SELECT id FROM items WHERE job_id = ?2)) WHERE id = ?1`, runID, jobID)
}

// takeBack has a record be there again that a re-extraction ended while the run
// was interrupted: the run sees it after that, and two of its versions would
// hold in the runs between.
func (c *commit) takeBack(itemID int64, key string) error {
	var id, ended int64
	found, err := c.tx.row(`SELECT id, to_run FROM records r INDEXED BY magpie_records_closed
		WHERE item_id = ?1 AND key = ?2 AND to_run IS NOT NULL AND to_run > ?3 AND gone = 1
		AND NOT EXISTS (SELECT 1 FROM records c WHERE c.item_id = r.item_id AND c.key = r.key AND c.to_run IS NULL)
		ORDER BY to_run DESC LIMIT 1`, []any{itemID, key, c.run.info.ID}, &id, &ended)
	if err != nil || !found {
		return err
	}
	if err := c.tx.exec(`UPDATE records SET to_run = NULL, gone = 0 WHERE id = ?`, id); err != nil {
		return err
	}
	return c.tx.exec(`UPDATE runs SET records_gone = records_gone - 1 WHERE id = ?`, ended)
}

// useItem notes that a run looks for records of an item.
func (t *tx) useItem(jobID, runID int64, item string) error {
	return t.exec(`UPDATE items SET run_id = ?1 WHERE job_id = ?2 AND name = ?3 AND run_id IS NOT ?1`, runID, jobID, item)
}
