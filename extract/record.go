package extract

// Record is one extracted item.
type Record struct {
	Item     string    // the item's name
	Key      string    // identity across runs, unique among the item's records of a job
	URL      string    // the page it was found on
	Position int       // from 0: its place among the page's records of this item
	Fields   Object    // the values found, in the spec's order; absent values are left out
	Problems []Problem // what failed, field by field
}

// Problem is a value that could not be had as the spec wants it.
type Problem struct {
	Field  string // path of the field, such as "price" or "reviews[2].stars"
	Code   string // one of the Problem* constants
	Detail string // for people, with the text at fault
}

// Codes of problems.
const (
	ProblemMissing = "missing" // a required value was not found
	ProblemType    = "type"    // the text found does not read as the field's type
	ProblemCheck   = "check"   // the value, or the record, does not fulfil its check
	ProblemSeveral = "several" // there are several values, and one was meant
	ProblemKey     = "key"     // a key field is absent: the record is identified by its page instead
	ProblemLimit   = "limit"   // the page asked for too much work: values are missing; or it has more problems than are told
)

// Result is what one page yields.
type Result struct {
	Records []Record // complete as to their required fields
	Rejects []Record // those that lack a required value
}

// Object is a JSON object that keeps the order of its members.
type Object []Member

// Member is one name and value of an Object. A value is nil, string, bool,
// int64, json.Number, Price, Object or []any of these.
type Member struct {
	Name  string
	Value any
}
