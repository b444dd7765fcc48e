package htmlparse

// changeEncoding decides what a meta element that declares the encoding
// called name means for a parse in the encoding current, of which the
// confidence is tentative. It returns the encoding to go on in, and whether
// what was parsed so far was read wrongly: then the parser has to begin again
// at the first byte.
// https://html.spec.whatwg.org/multipage/parsing.html#changing-the-encoding-while-parsing
func changeEncoding(current Encoding, name string) (next Encoding, restart bool) {
	// The declaration was read as UTF-16, so nothing else can be right.
	if current.Name == "UTF-16BE" || current.Name == "UTF-16LE" {
		current.Confidence = Certain
		return current, false
	}
	next = Encoding{Name: declaredEncoding(name), Confidence: Certain, Source: "meta"}
	return next, next.Name != current.Name
}
