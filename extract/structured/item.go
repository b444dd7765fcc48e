package structured

// Item is something that a page describes in microdata or RDFa.
type Item struct {
	Type []string `json:"type,omitempty"` // absolute URLs
	ID   string   `json:"id,omitempty"`   // a URL

	// Properties are the values by name, in document order: strings and
	// *Item. A name of the vocabulary that the item's first type is of is
	// short, any other is a URL.
	Properties map[string][]any `json:"properties"`
}

// file puts a value under each of the names and returns what that costs. A
// value is written once for each name, nested items with all that is in them,
// so it has a cost for each; those that b doesn't reach are left out.
func file(properties map[string][]any, names []string, v any, cost int, b *budget) int {
	total := 0
	for i, name := range names {
		each := cost + len(name) + stringCost
		if i > 0 && !b.spend(each) {
			break
		}
		properties[name] = append(properties[name], v)
		total += each
	}
	return total
}
