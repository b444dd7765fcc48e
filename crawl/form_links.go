package crawl

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// submission is the URL that a form leads to when it is sent as it stands,
// false if it is not sent by GET. An empty action stands for the page itself.
// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#form-submission-algorithm
func submission(form *html.Node) (ref string, ok bool) {
	if method, _ := attribute(form, "method"); method != "" && !strings.EqualFold(method, "get") {
		return "", false // a method that does not exist stands for GET too, but is more likely a mistake for another
	}
	action, _ := attribute(form, "action")
	action, _, _ = strings.Cut(strings.TrimSpace(action), "#")
	action, _, _ = strings.Cut(action, "?")
	return action + "?" + encodeEntries(formEntries(form)), true
}

// formEntry is a name with a value.
type formEntry struct{ name, value string }

// formEntries are the entries of a form that nobody has filled in. Buttons
// are not pressed.
// https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#constructing-the-form-data-set
func formEntries(form *html.Node) (entries []formEntry) {
	for n := range elements(form) {
		name, _ := attribute(n, "name")
		if name == "" || isDisabled(n, form) {
			continue
		}
		switch n.DataAtom {
		case atom.Input:
			if value, ok := inputValue(n); ok {
				entries = append(entries, formEntry{name, value})
			}
		case atom.Textarea:
			entries = append(entries, formEntry{name, text(n)})
		case atom.Select:
			for _, value := range selected(n) {
				entries = append(entries, formEntry{name, value})
			}
		}
	}
	return entries
}

// inputValue is what an input element adds to its form, false if it is nothing.
func inputValue(n *html.Node) (string, bool) {
	value, hasValue := attribute(n, "value")
	kind, _ := attribute(n, "type")
	switch strings.ToLower(kind) {
	case "submit", "button", "reset", "image", "file":
		return "", false
	case "checkbox", "radio":
		if _, checked := attribute(n, "checked"); !checked {
			return "", false
		}
		if !hasValue {
			value = "on"
		}
	}
	return value, true
}

// selected are the values of the selected options. One of a list that takes
// one value is selected in any case.
// https://html.spec.whatwg.org/multipage/form-elements.html#selectedness-setting-algorithm
func selected(n *html.Node) (values []string) {
	_, multiple := attribute(n, "multiple")
	first := true
	for option := range elements(n) {
		if option.DataAtom != atom.Option || isDisabled(option, n) {
			continue
		}
		value, ok := attribute(option, "value")
		if !ok {
			value = strings.Join(strings.Fields(text(option)), " ")
		}
		_, isSelected := attribute(option, "selected")
		switch {
		case isSelected && multiple:
			values = append(values, value)
		case isSelected || first && !multiple:
			values = []string{value}
		}
		first = false
	}
	return values
}

// isDisabled says whether an element, or one around it up to top, is disabled.
func isDisabled(n, top *html.Node) bool {
	for ; n != nil && n != top; n = n.Parent {
		if _, disabled := attribute(n, "disabled"); disabled && slices.Contains(
			[]atom.Atom{atom.Input, atom.Select, atom.Textarea, atom.Option, atom.Optgroup, atom.Fieldset}, n.DataAtom) {
			return true
		}
	}
	return false
}

// encodeEntries: https://url.spec.whatwg.org/#concept-urlencoded-serializer
func encodeEntries(entries []formEntry) string {
	var b strings.Builder
	for i, e := range entries {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(url.QueryEscape(e.name) + "=" + url.QueryEscape(e.value))
	}
	return b.String()
}

// text is the text in an element as it stands in the source.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
