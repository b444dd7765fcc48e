package extract

// Spec says what to extract: the item types of a job, in the order written.
type Spec struct {
	Items []Item
}

// Item is one type of record.
type Item struct {
	Name   string   // [a-z][a-z0-9_]*, unique within the spec
	Each   string   // CSS: one record for each match; "": one record for the page
	When   When     // the pages it applies to
	Key    []string // fields that identify a record across runs; empty: the page's URL, and the position where Each is set
	Fields []Field  // in the order written, at least one
}

// When limits an item to some pages.
type When struct {
	URL []string // patterns (see Pattern) of which one must match the page's URL; empty: every page
}

// Field is one value of a record. CSS, Attr, From, Regex, Map and As tell how
// a value is found and what it becomes, in this order. A field with Each or
// Fields is a nested item; a field with Any has alternatives of which the
// first that yields is taken.
type Field struct {
	Name     string
	CSS      string            // selector, looked up within the item's node; "": that node itself; one that begins with ":root" looks from the document
	Attr     string            // the value is this attribute of the match; "": its text
	From     From              // where CSS is looked up (default: within the item's node)
	All      bool              // every match: the value is a list
	Regex    string            // RE2 syntax: what the first group (without groups, the whole expression) matches
	Map      map[string]string // replaces a value that is a key; others pass unchanged
	As       Type              // what the string becomes (default: Text)
	Required bool              // a record without this value is a reject
	Default  any               // taken when nothing was found; nil: the value is absent
	Each     string            // nested item: CSS, one object for each match; the value is a list
	Fields   []Field           // nested item: its fields; without Each one object for the first match of CSS
	Any      []Field           // alternatives without names; Required and Default stand on the outer field
}

// From is the node a selector is looked up from.
type From uint8

const (
	FromItem     From = iota // within the item's node
	FromDocument             // from the document
)

// Type is what the string found on a page becomes.
type Type uint8

const (
	Text      Type = iota // string: the text a reader reads
	HTML                  // string: the match's inner markup
	Number                // json.Number: a decimal, as exact as it was written
	Integer               // int64
	PriceType             // Price
	Bool                  // bool
	URL                   // string: absolute, resolved against the document's base URL
	Date                  // string: "2006-01-02"
	Pairs                 // Object: names and values of a two-column table or a dl
	Table                 // []any of Object: the rows of a table by their header
)
