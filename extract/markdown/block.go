package markdown

type blockKind uint8

const (
	paragraph blockKind = iota
	heading
	code  // text is the code
	table // text is the lines of the table
	rule
	quote
	list
	item
)

// block is a piece of the document. Paragraphs, headings, code, rules and
// tables have text, the others children.
type block struct {
	kind     blockKind
	ordered  bool   // list: numbered
	spaced   bool   // paragraph: was a p element, which keeps lists loose
	stray    bool   // list: of li elements that are in no list
	term     bool   // paragraph: a term of a dl
	number   int    // heading: level; ordered list: first number
	text     string // without prefixes
	language string // of code
	children []block
}
