package htmlparse

import "golang.org/x/net/html"

// attributeList holds the attributes of the current tag, behind those of earlier tags that the caller took.
type attributeList struct {
	memory *treeMemory // nil: new memory
	slab   []html.Attribute
	start  int                 // index in slab of the current tag's first attribute
	end    int                 // index behind its last one; what follows is zero
	names  map[string]struct{} // the current tag's names once there are more than fewAttributes
}

const (
	fewAttributes = 16  // up to here, comparing names one by one beats hashing them
	firstSlab     = 16  // size of the first slab; each one is twice as large as the one before,
	largestSlab   = 128 // up to here, so that an attribute that is kept does not keep many others
)

// attrRange is where an attribute stands in the decoded source, as byte offsets.
// The value's range is without its quotes, and empty when there is no value.
type attrRange struct {
	nameStart, nameEnd   int
	valueStart, valueEnd int
}

// reset starts the list of a new tag.
func (l *attributeList) reset() {
	if l.end > l.start {
		clear(l.slab[l.start:l.end])
		l.end = l.start
	}
	l.names = nil
}

func (l *attributeList) empty() bool { return l.start == l.end }

// list is the current tag's list, without spare capacity; nil if it is empty.
func (l *attributeList) list() []html.Attribute {
	if l.empty() {
		return nil
	}
	return l.slab[l.start:l.end:l.end]
}

// take keeps the current tag's list from being overwritten by the next one.
func (l *attributeList) take() { l.start = l.end }

// add adds an attribute unless the tag has one of that name already, and says whether it did.
func (l *attributeList) add(name string) bool {
	if l.has(name) {
		return false
	}
	if l.end == len(l.slab) {
		l.grow()
	}
	l.slab[l.end].Key = name // the rest is zero
	l.end++
	if l.names != nil {
		l.names[name] = struct{}{}
	}
	return true
}

func (l *attributeList) has(name string) bool {
	current := l.slab[l.start:l.end]
	if len(current) > fewAttributes {
		return l.hashed(name)
	}
	for i := range current {
		if current[i].Key == name {
			return true
		}
	}
	return false
}

func (l *attributeList) hashed(name string) bool {
	if l.names == nil {
		l.names = make(map[string]struct{}, 4*fewAttributes)
		for _, a := range l.slab[l.start:l.end] {
			l.names[a.Key] = struct{}{}
		}
	}
	_, ok := l.names[name]
	return ok
}

// grow moves the current tag's list to a new slab.
func (l *attributeList) grow() {
	current := l.slab[l.start:l.end]
	l.slab = l.memory.attributeSlab(max(firstSlab, 2*len(current), min(2*len(l.slab), largestSlab)))
	l.start, l.end = 0, copy(l.slab, current)
}

// setValue sets the value of the attribute that was added last.
func (l *attributeList) setValue(value string) { l.slab[l.end-1].Val = value }
