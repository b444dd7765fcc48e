package htmlparse

// generateImpliedEndTags closes elements whose end tags may be left out.
//
// https://html.spec.whatwg.org/multipage/parsing.html#generate-implied-end-tags
func (b *treeBuilder) generateImpliedEndTags() {
	for b.open.current().is(impliedEnd) {
		b.pop()
	}
}

// generateImpliedEndTagsExcept does so until it meets an element with this tag.
func (b *treeBuilder) generateImpliedEndTagsExcept(t tag) {
	for e := b.open.current(); e.is(impliedEnd) && e.tag != t; e = b.open.current() {
		b.pop()
	}
}

// generateAllImpliedEndTagsThoroughly closes the parts of tables too, before the end of a template.
//
// https://html.spec.whatwg.org/multipage/parsing.html#generate-all-implied-end-tags-thoroughly
func (b *treeBuilder) generateAllImpliedEndTagsThoroughly() {
	for b.open.current().is(impliedEndThoroughly) {
		b.pop()
	}
}

// close closes the element with this tag, which must be open, and all elements below it. Elements that are open by
// mistake are an error.
func (b *treeBuilder) close(t tag, code string) {
	b.generateImpliedEndTagsExcept(t)
	if b.open.current().tag != t {
		b.parseError(code)
	}
	b.popUntil(t)
}

// closePElement closes the p element in button scope.
//
// https://html.spec.whatwg.org/multipage/parsing.html#close-a-p-element
func (b *treeBuilder) closePElement() {
	b.close(tagP, CodeEndTagTooEarly)
}

// closePInButtonScope closes a p element if one is in button scope.
func (b *treeBuilder) closePInButtonScope() {
	if b.open.inButtonScope(tagP) {
		b.closePElement()
	}
}
