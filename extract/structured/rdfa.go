package structured

import (
	"cmp"
	"slices"

	"golang.org/x/net/html"
)

// RDFa returns the things below root that RDFa Lite describes, with about,
// content, datatype and datetime besides, in document order. URLs are
// resolved against base.
//
// Things described within others are nested in them; those with one ID that
// are not are one item. What is said of the document itself counts only where
// html, head or body tells its type: most of it is Open Graph. Names in the
// vocabulary of an item's first type are short, others are full IRIs.
//
// https://www.w3.org/TR/rdfa-lite/
func RDFa(root *html.Node, base string) []Item {
	items, _ := newPage(root, base).rdfaItems()
	return items
}

func (p *page) rdfaItems() ([]Item, []Problem) {
	if !p.rdfa {
		return nil, nil
	}
	r := rdfa{page: p, budget: newBudget(p.size), names: rdfaNames{prefixes: map[string][]string{}}}
	if base := p.urls.base; base != nil {
		r.document.id = base.Href(false)
	}
	r.subject = &r.document
	walk(p.root, r.enter, r.leave)
	return r.items(), r.budget.problems("rdfa")
}

// subject is a thing that properties are said of.
type subject struct {
	id    string
	link  *html.Node // whose address is the id, until that is needed
	types []string
	vocab string // of the first type
	item  *Item  // nil until it's known to be worth one
	place int    // of the item in the document
	cost  int    // to write the item
	depth int    // how many items it is nested in
}

// rdfaFrame is what an element changes for those below it.
type rdfaFrame struct {
	node       *html.Node
	undo       func()   // takes out the names it declared
	outer      *subject // of the element's own properties
	subject    *subject // of its children's
	properties []string // of outer, that subject is the value of
}

// rdfa reads items.
type rdfa struct {
	page     *page
	budget   budget
	names    rdfaNames
	document subject
	subject  *subject // of what comes next
	frames   []rdfaFrame
	top      []*subject // nested in none
	within   []*subject // nested in the document
	places   int
}

// enter reads an element.
//
// https://www.w3.org/TR/rdfa-core/#s_sequence
func (r *rdfa) enter(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return n.Type == html.DocumentNode
	}
	if !r.budget.spend(1) {
		return false
	}
	if !speaksRDFa(n) {
		return true
	}
	f := rdfaFrame{node: n, outer: r.subject, subject: r.subject}
	f.undo = r.names.declare(n, r.page.urls, &r.budget)
	property, hasProperty := attr(n, "property")
	switch {
	case hasProperty && !hasAttr(n, "content") && !hasAttr(n, "datatype"):
		r.chain(n, &f, property)
	default:
		r.turn(n, &f)
		if hasProperty {
			r.literal(n, f.subject, property)
		}
	}
	if f.subject.depth > maxNesting {
		r.budget.tooDeep = true
		if f.undo != nil {
			f.undo()
		}
		return false
	}
	if f.undo != nil || f.subject != f.outer {
		r.frames = append(r.frames, f)
		r.subject = f.subject
	}
	return true
}

// chain reads an element with property whose value may be what it describes.
func (r *rdfa) chain(n *html.Node, f *rdfaFrame, property string) {
	of := f.outer
	if about, ok := attr(n, "about"); ok {
		of = r.subjectOf(r.resource(about))
	}
	typeof, typed := attr(n, "typeof")
	if !typed {
		f.subject = of
		r.value(n, of, property)
		return
	}
	if of != f.outer {
		r.typed(of, typeof)
		f.subject = of
		r.value(n, of, property)
		return
	}
	id, _ := r.object(n)
	f.subject = &subject{id: id, depth: of.depth + 1}
	r.typed(f.subject, typeof)
	f.properties = short(r.names.iris(property, &r.budget), of.vocab)
	if len(f.properties) == 0 {
		r.top = append(r.top, f.subject)
	}
}

// turn reads an element that sets what those below it speak of.
func (r *rdfa) turn(n *html.Node, f *rdfaFrame) {
	typeof, typed := attr(n, "typeof")
	about, hasAbout := attr(n, "about")
	switch {
	case hasAbout:
		f.subject = r.subjectOf(r.resource(about))
	case hasAttr(n, "resource"):
		id, _ := r.object(n)
		f.subject = r.subjectOf(id)
	case hasAttr(n, "href"), hasAttr(n, "src"):
		f.subject = r.newTop(&subject{link: n})
	case typed && (n.Data == "html" || n.Data == "head" || n.Data == "body"):
		// https://www.w3.org/TR/html-rdfa/#additional-rdfa-processing-rules
		f.subject = &r.document
	case typed:
		f.subject = r.newTop(&subject{})
	}
	if typed {
		r.typed(f.subject, typeof)
	}
}

// subjectOf returns the subject that a resource is: the document or a new one.
func (r *rdfa) subjectOf(id string) *subject {
	if id == r.document.id {
		return &r.document
	}
	return r.newTop(&subject{id: id})
}

func (r *rdfa) newTop(s *subject) *subject {
	r.top = append(r.top, s)
	return s
}

// leave ends an element: what it describes is whole, and can be the value of
// a property.
func (r *rdfa) leave(n *html.Node) {
	if len(r.frames) == 0 || r.frames[len(r.frames)-1].node != n {
		return
	}
	f := r.frames[len(r.frames)-1]
	r.frames = r.frames[:len(r.frames)-1]
	r.subject = f.outer
	if f.undo != nil {
		f.undo()
	}
	if len(f.properties) == 0 {
		return
	}
	if f.outer == &r.document {
		r.within = append(r.within, f.subject)
	}
	r.file(f.outer, f.properties, f.subject.item, f.subject.cost)
}

// typed gives a subject types, and thereby an item.
func (r *rdfa) typed(s *subject, typeof string) {
	s.types = append(s.types, r.names.iris(typeof, &r.budget)...)
	if s.vocab == "" {
		s.vocab = vocabularyOf(s.types)
	}
	r.itemOf(s)
}

// itemOf returns a subject's item.
func (r *rdfa) itemOf(s *subject) *Item {
	if s.item == nil {
		r.places++
		s.place = r.places
		if s.link != nil {
			s.id, _ = r.object(s.link)
		}
		s.item = &Item{ID: s.id, Properties: map[string][]any{}}
		s.cost += itemCost + len(s.id)
		r.budget.spend(s.cost)
	}
	for _, t := range s.types[len(s.item.Type):] {
		s.cost += len(t) + stringCost
	}
	s.item.Type = s.types
	return s.item
}

// file adds a value to a subject's item.
func (r *rdfa) file(s *subject, properties []string, v any, cost int) {
	s.cost += file(r.itemOf(s).Properties, properties, v, cost, &r.budget)
}

// items returns the items that are nested in none.
func (r *rdfa) items() []Item {
	top := r.top
	if len(r.document.types) > 0 {
		top = append(top, &r.document)
	} else {
		top = append(top, r.within...)
	}
	top = slices.DeleteFunc(top, func(s *subject) bool {
		return s.item == nil || len(s.types)+len(s.item.Properties) == 0
	})
	slices.SortStableFunc(top, func(a, b *subject) int { return cmp.Compare(a.place, b.place) })
	var items []Item
	byID := map[string]int{}
	for _, s := range top {
		if i, ok := byID[s.id]; ok && s.id != "" {
			items[i].add(s.item)
			continue
		}
		byID[s.id] = len(items)
		items = append(items, *s.item)
	}
	for i := range items {
		items[i].Type = unique(slices.Values(items[i].Type))
	}
	return items
}

// add takes in what is said elsewhere of the item.
func (item *Item) add(more *Item) {
	item.Type = append(item.Type, more.Type...)
	for name, values := range more.Properties {
		item.Properties[name] = append(item.Properties[name], values...)
	}
}
