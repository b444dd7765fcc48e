package extract

// Spec says what to extract: the item types of a job, in the order written.
type Spec struct {
	Items []Item
}

// Item is one type of record.
type Item struct {
	Name     string   // [a-z][a-z0-9_]*, unique within the spec
	Each     string   // CSS, or XPath if it begins with / or ./ or (: one record for each match; "": one record for the page
	Siblings bool     // what follows a match of Each up to the next one belongs to it, as rows do to the heading before them
	When     When     // the pages it applies to
	Key      []string // fields that identify a record across runs; empty: the page's URL, and the position where Each is set
	Index    []string // fields by which a store finds records fast among very many; extraction has no use for it
	Check    string   // expression (see Field.Check) that a record fulfils; one that doesn't is a reject
	Fields   []Field  // in the order written, at least one
}

// When limits an item to some pages.
type When struct {
	URL []string // patterns (see Pattern) of which one must match the page's URL; empty: every page
}

// Field is one value of a record.
//
// Its value comes from one source: CSS, XPath, JSONLD, …; without any from
// the item's node itself. What is found there goes, as far as they are set,
// through Attr, JQ, Regex, Trim, Replace, Split, Lower or Upper, Map, As, Join
// and Check, in this order. A field with Each or Fields is a nested item; a
// field with Any has alternatives of which the first that yields is taken.
type Field struct {
	Name string

	CSS       string // selector, looked up within the item's node; one that begins with ":root" looks from the document. ::text and ::attr(name) at its end are understood
	XPath     string // XPath 1.0, with the item's node as context: nodes, a text, a number or a truth
	JSONLD    string // path into the page's JSON-LD: a type and properties, such as "Product.offers.price"
	Microdata string // likewise into its microdata
	RDFa      string // likewise into its RDFa
	OpenGraph string // property of the Open Graph protocol, such as "title" or "image:width"
	Meta      string // content of the meta elements of this name, property, http-equiv or itemprop
	JSON      string // JSON in scripts: a selector of the script elements, or the name of a variable such as __NEXT_DATA__ or window.__STATE__
	Header    string // field of the response's header
	URLPart   string // part of the page's address: see URLParts
	Article   string // of the page's article: see ArticleParts
	Const     any    // this value, on every page
	Expr      string // expression, computed from the record's other fields: "price.amount * stock"

	Attr string // the value is this attribute of the match; "": its text
	JQ   string // jq program on the JSON that was found, or written in the text; without a source, on the JSON that the nested item is made of
	From From   // where CSS and XPath are looked up (default: within the item's node)
	All  bool   // everything found: the value is a list
	Nth  int    // which of several is meant: 1 or 0 the first, 2 the second, -1 the last
	One  bool   // there must not be several: then it is a problem
	Raw  bool   // the text content as it stands in the source, not the text a reader reads

	Regex   string            // RE2 syntax: what the group called value, else the first one, else the whole expression matches; with JSON an object of the named groups
	Trim    string            // characters that are cut off at both ends, besides whitespace
	Replace []Replacement     // done one after the other
	Split   string            // the text is cut here: the value is a list
	Lower   bool              // in small letters
	Upper   bool              // in capitals
	Map     map[string]string // replaces a value that is a key; others pass unchanged
	As      Type              // what the string becomes (default: Text)
	Values  []string          // the values of an Enum
	Zone    string            // of a DateTime that names none, such as "Europe/Berlin"; default: UTC
	Join    *string           // the texts of a list are put together, with this between them
	Check   string            // expression that the value fulfils: "value > 0"; see the language of github.com/expr-lang/expr

	Required bool // a record without this value is a reject
	Default  any  // taken when nothing was found; nil: the value is absent

	Each     string  // nested item: CSS, or XPath if it begins with / or ./ or (, one object for each match; the value is a list
	Siblings bool    // see Item.Siblings
	Fields   []Field // nested item: its fields; without Each one object for what the source finds, with All one for each of it
	Any      []Field // alternatives without names; Required, Default and Check stand on the outer field
}

// Replacement replaces a text wherever it stands. From may be a regular
// expression between slashes, such as /\s+/; To may name its groups then: $1.
type Replacement struct {
	From, To string
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
	Markdown              // string: the match as CommonMark
	DateTime              // string: RFC 3339
	Duration              // string: ISO 8601, such as "PT1H30M"
	Email                 // string
	Phone                 // string: in international form where the country is known
	JSON                  // any value of JSON
	Enum                  // string: one of Field.Values
	Links                 // []any of Object: the links in the match, with url, text, title and rel
	Images                // []any of Object: the images in the match, with url, alt, title, width and height
)
