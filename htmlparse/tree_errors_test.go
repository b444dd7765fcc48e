package htmlparse

import (
	"testing"
)

// looseTreeCases are cases of the suite that list no errors although each has one: there is no doctype.
var looseTreeCases = map[string]string{
	"<select><button><selectedcontent></button><option>X":                   "no doctype",
	"<select><button><selectedcontent></button><option>x<i>i<b>ib</i>b":     "no doctype",
	"<select><button><selectedcontent></button><option>X<option>Y":          "no doctype",
	"<select><button><selectedcontent></button><option>X<option selected>Y": "no doctype",
	"<font><select><option>a</option></font></select>":                      "no doctype",
}

// TestTreeErrors checks that a case has parse errors if and only if the suite lists some, and that listening changes nothing.
func TestTreeErrors(t *testing.T) {
	eachTreeCase(t, func(t *testing.T, c *treeCase, scripting bool) {
		var errors []ParseError
		opts := &Options{Scripting: scripting, OnError: func(e ParseError) { errors = append(errors, e) }}
		if got := dumpString(c.parse(opts)); got != c.want {
			t.Errorf("with an error listener, input %q\n got:\n%s\nwant:\n%s", c.data, got, c.want)
		}
		agrees := (len(errors) > 0) == (len(c.errors) > 0)
		if reason, loose := looseTreeCases[c.data]; loose {
			if agrees {
				t.Errorf("input %q is listed as loose (%s), but agrees", c.data, reason)
			}
			return
		}
		if !agrees {
			t.Errorf("input %q context %q: errors %v, the suite lists %q", c.data, c.context, errors, c.errors)
		}
	})
}
