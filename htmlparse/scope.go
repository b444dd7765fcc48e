package htmlparse

// inScope says whether an element with this tag is in scope.
//
// https://html.spec.whatwg.org/multipage/parsing.html#has-an-element-in-scope
func (s *openElements) inScope(t tag) bool {
	return s.within(t, s.current().scope)
}

// inListItemScope says whether an element with this tag is in list item scope.
//
// https://html.spec.whatwg.org/multipage/parsing.html#has-an-element-in-list-item-scope
func (s *openElements) inListItemScope(t tag) bool {
	return s.within(t, max(s.current().scope, s.newest[tagOl], s.newest[tagUl]))
}

// inButtonScope says whether an element with this tag is in button scope.
//
// https://html.spec.whatwg.org/multipage/parsing.html#has-an-element-in-button-scope
func (s *openElements) inButtonScope(t tag) bool {
	return s.within(t, max(s.current().scope, s.newest[tagButton]))
}

// inTableScope says whether an element with this tag is in table scope.
//
// https://html.spec.whatwg.org/multipage/parsing.html#has-an-element-in-table-scope
func (s *openElements) inTableScope(t tag) bool {
	return s.within(t, s.tableContext())
}

// inSelectScope says whether an element with this tag is in select scope, which every element ends but
// optgroup and option. Only the insertion modes of Options.ClassicSelect ask for it.
//
// https://html.spec.whatwg.org/multipage/parsing.html#has-an-element-in-select-scope
func (s *openElements) inSelectScope(t tag) bool {
	depth := len(s.elements)
	for s.at(depth).tag == tagOptgroup || s.at(depth).tag == tagOption {
		if s.at(depth).tag == t {
			return true
		}
		depth--
	}
	return s.at(depth).tag == t
}

// headingInScope says whether an h1 to h6 element is in scope.
func (s *openElements) headingInScope() bool {
	lowest := max(s.newest[tagH1], s.newest[tagH2], s.newest[tagH3], s.newest[tagH4], s.newest[tagH5], s.newest[tagH6])
	return lowest > s.current().scope
}

// within says whether an element with this tag stands at the boundary or below it.
func (s *openElements) within(t tag, boundary int32) bool {
	return s.newest[t] != 0 && s.newest[t] >= boundary
}

// tableContext is the depth of the lowest html, table or template element.
func (s *openElements) tableContext() int32 {
	return max(s.newest[tagHTML], s.newest[tagTable], s.newest[tagTemplate])
}
