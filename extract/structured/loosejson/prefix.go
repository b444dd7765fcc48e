package loosejson

// Prefix reads the value that s begins with and returns where it ends. What
// follows counts for nothing: a statement of a script, as a rule. A value that
// is cut off is an error here.
func Prefix(s string) (v any, end int, err error) {
	r := &reader{src: s}
	if err := r.space(); err != nil {
		return nil, 0, err
	}
	if v, err = r.value(); err != nil {
		return nil, 0, err
	}
	for _, repair := range r.repairs {
		if repair.What == repairCut {
			return nil, 0, &SyntaxError{repair.Line, "is cut off"}
		}
	}
	return v, r.pos, nil
}
