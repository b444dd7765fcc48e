package extract

import (
	"fmt"
	"strings"

	"golang.org/x/net/html"
)

// state is a pseudo-class that asks what an element is or has.
type state func(*work, *html.Node) bool

// states are the pseudo-classes without an argument that are ours; cascadia
// knows the others.
var states = map[string]state{
	"empty":    func(_ *work, n *html.Node) bool { return isEmpty(n) },
	"link":     func(_ *work, n *html.Node) bool { return isLink(n) },
	"any-link": func(_ *work, n *html.Node) bool { return isLink(n) },
	"enabled":  func(_ *work, n *html.Node) bool { return canBeDisabled(n) && !disabled.Match(n) },
}

// isEmpty reports whether there are neither elements nor text in n; comments
// don't count, and a template's contents are no children.
//
// https://drafts.csswg.org/selectors-4/#the-empty-pseudo
func isEmpty(n *html.Node) bool {
	for c := n.FirstChild; c != nil && !isTemplate(n); c = c.NextSibling {
		if c.Type == html.ElementNode || c.Type == html.TextNode && c.Data != "" {
			return false
		}
	}
	return true
}

// https://html.spec.whatwg.org/multipage/semantics-other.html#selector-link
func isLink(n *html.Node) bool {
	if n.Data != "a" && (n.Data != "area" || n.Namespace != "") {
		return false
	}
	if n.Namespace == "svg" && hasAttr(n, "xlink:href") {
		return true
	}
	return n.Namespace != "math" && hasAttr(n, "href")
}

var disabled, _ = parseBasic(":disabled")

// https://html.spec.whatwg.org/multipage/semantics-other.html#selector-enabled
func canBeDisabled(n *html.Node) bool {
	switch n.Data {
	case "button", "input", "select", "textarea", "optgroup", "option", "fieldset":
		return n.Namespace == ""
	}
	return false
}

// languages makes the state of elements in one of some languages.
//
// https://drafts.csswg.org/selectors-4/#the-lang-pseudo
func languages(argument string) (state, error) {
	var ranges []string
	for i := skipSpace(argument, 0); ; {
		read := readIdentifier
		if i < len(argument) && (argument[i] == '"' || argument[i] == '\'') {
			read = readString
		}
		name, end, err := read(argument, i)
		if err != nil {
			return nil, err
		}
		ranges = append(ranges, name)
		if i = skipSpace(argument, end); i == len(argument) {
			break
		}
		if argument[i] != ',' {
			return nil, fmt.Errorf("unexpected %q in %q", argument[i:], argument)
		}
		i = skipSpace(argument, i+1)
	}
	return func(w *work, n *html.Node) bool {
		tag := w.declaredLanguage(n)
		for _, r := range ranges {
			if inRange(tag, r) {
				return true
			}
		}
		return false
	}, nil
}

// inRange reports whether a language tag is in a range such as de or *-CH.
//
// https://www.rfc-editor.org/rfc/rfc4647#section-3.3.2
func inRange(tag, languages string) bool {
	if tag == "" || languages == "" {
		return tag == languages
	}
	tags, wanted := strings.Split(tag, "-"), strings.Split(languages, "-")
	if wanted[0] != "*" && !equalLetters(tags[0], wanted[0]) {
		return false
	}
	tags = tags[1:]
	for _, want := range wanted[1:] {
		if want == "*" {
			continue
		}
		for len(tags) > 0 && !equalLetters(tags[0], want) {
			if len(tags[0]) == 1 { // an extension begins
				return false
			}
			tags = tags[1:]
		}
		if len(tags) == 0 {
			return false
		}
		tags = tags[1:]
	}
	return true
}
