package store

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// RecordsQuery asks for a page of an item's current records.
type RecordsQuery struct {
	Job, Item string
	Filters   []FieldFilter // all of which a record has to fulfil
	Sort      string        // a field, or one of KeyField …; "": the first filter that an index answers, else the key, or with filters the order of runs
	Desc      bool          // the largest first
	After     string        // RecordsPage.Next of the page before; "": from the first on
	Before    string        // RecordsPage.Previous of the page behind
	Page      int           // number of the page, from 1; only without After and Before
	Limit     int           // records of a page (default 50, at most 1000)
	Within    time.Duration // how long it may take (default 5s); beyond, it is a *TooSlowError
}

// What records are filtered and sorted by besides the item's fields: names of
// columns that each item's view has.
const (
	KeyField      = "_key"       // always fast
	URLField      = "_url"       // of the page that showed it last; fast with Equal
	FirstRunField = "_first_run" // the run since which it reads so; always fast
	LastRunField  = "_last_run"  // the run that saw it last
)

// FieldFilter is a condition on a field.
type FieldFilter struct {
	Field string
	Op    FilterOp
	Value string // for Empty and Present: of no account
}

// FilterOp is how a field is compared. A price is compared by its amount, a
// datetime by the moment that it is, wherever its zone.
type FilterOp string

// Operators of filters. Only Contains, Empty and Present apply to lists and
// objects.
const (
	Equal    FilterOp = "="
	Less     FilterOp = "<"
	Greater  FilterOp = ">"
	AtMost   FilterOp = "<="
	AtLeast  FilterOp = ">="
	Contains FilterOp = "contains" // the value as JSON has it, without regard to the case of A to Z
	Empty    FilterOp = "empty"    // there is no value, or an empty one
	Present  FilterOp = "present"
)

// FilterOps are all operators.
var FilterOps = []FilterOp{Equal, Less, Greater, AtMost, AtLeast, Contains, Empty, Present}

// QueryFault is a mistake in a RecordsQuery or PagesQuery: what is wrong and
// where.
type QueryFault struct {
	Where string // the field, or "sort", "page", "cursor"
	Why   string
}

func (e *QueryFault) Error() string { return e.Where + ": " + e.Why }

// ErrTooSlow says that a query took longer than it may.
var ErrTooSlow = errors.New("it takes too long")

// TooSlowError is the error of a query of records that took too long. It wraps
// ErrTooSlow.
type TooSlowError struct {
	Item   string
	Fields []string // that it filters or sorts by, that have no index and can have one
}

func (e *TooSlowError) Error() string {
	if len(e.Fields) == 0 {
		return ErrTooSlow.Error() + " to look through all records of " + e.Item + ": ask for fewer"
	}
	fields := strings.Join(e.Fields, ", ")
	return fmt.Sprintf("%s to look through all records of %s for %s: write index: [%s] there in the job file; its next run then makes the index",
		ErrTooSlow, e.Item, fields, fields)
}

func (e *TooSlowError) Unwrap() error { return ErrTooSlow }
