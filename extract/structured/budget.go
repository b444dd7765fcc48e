package structured

// maxNesting is how deep items may be nested in items.
const maxNesting = 100

// A format may cost budgetFloor, and budgetRate for each byte and node of the
// page: far more than honest pages need.
const (
	budgetFloor = 200_000
	budgetRate  = 8
)

// What it costs to write values apart from their text: quotes, colons, names
// that all items have.
const (
	stringCost = 6
	itemCost   = 24
)

// budget bounds the nodes looked at and the bytes kept.
type budget struct {
	left    int
	spent   bool // something was left out because it cost too much
	tooDeep bool // … or because it was nested too deep
}

func newBudget(size int) budget { return budget{left: budgetFloor + budgetRate*size} }

// spend takes n from the budget and reports whether there was as much.
func (b *budget) spend(n int) bool {
	if b.left < n {
		b.left, b.spent = 0, true
		return false
	}
	b.left -= n
	return true
}

// problems tells what was left out.
func (b *budget) problems(syntax string) []Problem {
	var list []Problem
	if b.spent {
		list = append(list, Problem{Syntax: syntax, Detail: "asks for more work than a page of its size may; values are missing"})
	}
	if b.tooDeep {
		list = append(list, Problem{Syntax: syntax, Detail: "nests items too deep; the deepest are missing"})
	}
	return list
}
