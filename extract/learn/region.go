package learn

import (
	"strings"
)

// region is a part of a page. It costs the places in it some points: see
// regionCost.
type region uint8

const (
	content region = iota
	choice         // options of a form
	aside          // navigation, footers, what is related
	unseen         // hidden
	head
)

// regionCost is what a place in a region has fewer points for.
var regionCost = [...]float64{content: 0, choice: 15, aside: 25, unseen: 20, head: 32}

// regions finds the region of each element, that of the parent where its own
// costs less.
func (ix *index) regions() {
	most := 0
	for i := range ix.elements {
		most = max(most, ix.elements[i].text.size)
	}
	for i := range ix.elements {
		e := &ix.elements[i]
		e.region = ix.ownRegion(e, most)
		if e.parent >= 0 {
			if above := ix.elements[e.parent].region; regionCost[above] > regionCost[e.region] {
				e.region = above
			}
		}
	}
}

// ownRegion returns the region that an element begins. most is the length of
// the page's text: what holds half of it is not beside the content.
func (ix *index) ownRegion(e *element, most int) region {
	switch e.node.Data {
	case "head":
		return head
	case "meta", "link":
		if _, ok := attr(e.node, "itemprop"); ok {
			return content
		}
		return head
	case "select", "datalist":
		return choice
	case "html", "body", "main", "article", "h1":
		return content
	case "noscript":
		return unseen
	}
	if e.text.size*2 > most && most > 200 {
		return content
	}
	switch e.node.Data {
	case "nav", "footer", "aside":
		return aside
	case "input", "img": // never text, but no less a place for that
		return content
	}
	if e.hidden {
		return unseen
	}
	if role, _ := attr(e.node, "role"); role == "navigation" || role == "contentinfo" || role == "complementary" {
		return aside
	}
	id, _ := attr(e.node, "id")
	if namesAside(id) {
		return aside
	}
	for _, class := range classes(e.node) {
		if namesAside(class) {
			return aside
		}
	}
	return content
}

var asideWords = setOf(`nav navbar navigation menu footer related recommended recommendation recommendations breadcrumb
	breadcrumbs sidebar similar upsell crosssell also trending newsletter cookie cookies popup modal`)

// namesAside reports whether an id or class has a word of what stands beside
// the content.
func namesAside(name string) bool {
	if len(name) > 60 {
		return false
	}
	for _, word := range words(name) {
		if asideWords[word] {
			return true
		}
	}
	return false
}

func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
