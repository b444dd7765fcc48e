package extract

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// attributeSelector is what a selector says of one attribute: [name],
// [name=value] and so on.
//
// https://drafts.csswg.org/selectors-4/#attribute-selectors
type attributeSelector struct {
	name      string // in small letters
	anySpace  bool   // of any namespace: *|href
	operation string // "": the attribute is there; !=: there is none with the value; #=: value is a regular expression
	value     string
	regex     *regexp.Regexp
	letters   byte // i: their case doesn't count in the value; s: it does; 0: as HTML has it for the name
}

// caseless are the attributes of HTML elements whose values are compared
// without regard to the case of letters.
//
// https://html.spec.whatwg.org/multipage/semantics-other.html#case-sensitivity-of-selectors
var caseless = setOf(`accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir
 direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref noresize noshade nowrap
 readonly rel rev rules scope scrolling selected shape target text type valign valuetype vlink`)

// readAttributeSelector reads the one that begins at i, and where it ends.
func readAttributeSelector(src string, i int) (a attributeSelector, end int, err error) {
	if end, err = unit(src, i); err != nil {
		return a, 0, err
	}
	inner := src[:end-1]
	at := skipSpace(inner, i+1)
	if rest := inner[at:]; strings.HasPrefix(rest, "*|") {
		a.anySpace, at = true, at+2
	} else if strings.HasPrefix(rest, "|") && !strings.HasPrefix(rest, "|=") {
		at++
	}
	if a.name, at, err = readIdentifier(inner, at); err != nil {
		return a, 0, err
	}
	a.name = lowerASCII(a.name)
	if at = skipSpace(inner, at); at == len(inner) {
		return a, end, nil
	}
	if at, err = a.readOperation(inner, at); err != nil {
		return a, 0, err
	}
	if at, err = a.readValue(inner, skipSpace(inner, at)); err != nil {
		return a, 0, err
	}
	if at = skipSpace(inner, at); at < len(inner) && strings.IndexByte("isIS", inner[at]) >= 0 {
		a.letters = lowerByte(inner[at])
		at = skipSpace(inner, at+1)
	}
	if at < len(inner) {
		return a, 0, fmt.Errorf("unexpected %q in %q", inner[at:], src[i:end])
	}
	return a, end, nil
}

// skipSpace returns where whitespace and comments that begin at i end.
func skipSpace(s string, i int) int {
	for i < len(s) && space(s[i:]) > 0 {
		i += space(s[i:])
	}
	return i
}

func (a *attributeSelector) readOperation(s string, i int) (end int, err error) {
	if s[i] == '=' {
		a.operation = "="
		return i + 1, nil
	}
	if strings.IndexByte("~|^$*!#", s[i]) < 0 || !strings.HasPrefix(s[i+1:], "=") {
		return 0, fmt.Errorf("unexpected %q behind the name of an attribute", s[i:])
	}
	a.operation = s[i : i+2]
	return i + 2, nil
}

func (a *attributeSelector) readValue(s string, i int) (end int, err error) {
	switch {
	case a.operation == "#=":
		a.regex, err = compileRegexp(s[i:])
		return len(s), err
	case i < len(s) && (s[i] == '"' || s[i] == '\''):
		a.value, end, err = readString(s, i)
	default:
		if a.value, end, err = readIdentifier(s, i); err != nil && i < len(s) {
			err = fmt.Errorf("the value %s must stand in quotes", s[i:])
		}
	}
	return end, err
}

// matches reports whether n has the attribute, with the value.
func (a *attributeSelector) matches(n *html.Node) bool {
	fold := a.letters == 'i' || a.letters == 0 && n.Namespace == "" && caseless[a.name]
	for i := range n.Attr {
		if at := &n.Attr[i]; a.named(n, at) && a.holds(at.Val, fold) {
			return a.operation != "!="
		}
	}
	return a.operation == "!="
}

// named reports whether an attribute of n is of the name. Names of foreign
// attributes are found in small letters too, as in Chromium.
func (a *attributeSelector) named(n *html.Node, at *html.Attribute) bool {
	return (at.Namespace == "" || a.anySpace) && (at.Key == a.name || n.Namespace != "" && equalLetters(at.Key, a.name))
}

// holds compares a value.
func (a *attributeSelector) holds(value string, fold bool) bool {
	want := a.value
	if fold && a.operation != "" && a.operation != "#=" {
		value, want = lowerASCII(value), lowerASCII(want)
	}
	switch a.operation {
	case "":
		return true
	case "=", "!=":
		return value == want
	case "~=":
		return hasWord(value, want, false)
	case "|=":
		return value == want || strings.HasPrefix(value, want+"-")
	case "#=":
		return a.regex.MatchString(value)
	}
	if want == "" { // https://drafts.csswg.org/selectors-4/#attribute-substrings
		return false
	}
	switch a.operation {
	case "^=":
		return strings.HasPrefix(value, want)
	case "$=":
		return strings.HasSuffix(value, want)
	}
	return strings.Contains(value, want)
}
