package store

import (
	"database/sql"
	"strings"
	"testing"
)

// What is done piece by piece takes as long for a piece of a large job as of a
// small one: it begins where the piece before ended, and sorts nothing.
func TestPlansOfPieces(t *testing.T) {
	db := openTest(t, filledDatabase(t))
	for name, c := range map[string]struct {
		query string
		args  []any
		first string
	}{
		"bodies that are not kept":     {unwantedBodies, []any{1, 0, 500}, "SEARCH p USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"},
		"bodies beyond the budget":     {supersededBodies, []any{1, 0, 500}, "SEARCH p USING INTEGER PRIMARY KEY (rowid>?)"},
		"pages that a run has not met": {notMet, []any{0, 1, 1, 500}, "SEARCH v USING INTEGER PRIMARY KEY (rowid>?)"},
	} {
		t.Run(name, func(t *testing.T) {
			plan := planIn(t, db, c.query, c.args...)
			if !strings.HasPrefix(plan, c.first+"\n") || strings.Contains(plan, "SCAN") || strings.Contains(plan, "B-TREE FOR ORDER BY") {
				t.Errorf("the plan is\n%s", plan)
			}
		})
	}
}

// planIn is planOf for a database.
func planIn(t *testing.T, db *DB, query string, args ...any) (plan string) {
	t.Helper()
	err := db.reading(t.Context(), func(tx *sql.Tx) error {
		plan = planOf(t, tx, query, args)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}
