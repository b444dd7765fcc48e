package htmlparse

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Mode is how a document's style sheets were meant; it also changes a rule or
// two of parsing. https://dom.spec.whatwg.org/#concept-document-mode
type Mode uint8

const (
	NoQuirks Mode = iota
	LimitedQuirks
	Quirks
)

// String returns the standard's word: "no-quirks", "limited-quirks" or "quirks".
func (m Mode) String() string {
	switch m {
	case NoQuirks:
		return "no-quirks"
	case LimitedQuirks:
		return "limited-quirks"
	case Quirks:
		return "quirks"
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}

// doctypeMode returns the mode that a doctype puts its document in; publicID
// and systemID are nil where they are missing.
// https://html.spec.whatwg.org/multipage/parsing.html#the-initial-insertion-mode
func doctypeMode(name string, publicID, systemID *string, forceQuirks bool) Mode {
	if forceQuirks || name != "html" {
		return Quirks
	}
	if systemID != nil && asciiLower(*systemID) == "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd" {
		return Quirks
	}
	if publicID == nil {
		return NoQuirks
	}
	public := asciiLower(*publicID)
	begins := func(prefix string) bool { return strings.HasPrefix(public, prefix) }
	switch {
	case slices.Contains(quirksPublicIDs, public), slices.ContainsFunc(quirksPublicIDPrefixes, begins):
		return Quirks
	case slices.ContainsFunc(html401LoosePrefixes, begins):
		if systemID == nil {
			return Quirks
		}
		return LimitedQuirks
	case slices.ContainsFunc(xhtml1LoosePrefixes, begins):
		return LimitedQuirks
	}
	return NoQuirks
}

// nodeMode returns the mode of a document whose doctype node is n.
func nodeMode(n *html.Node) Mode {
	var publicID, systemID *string
	for i := range n.Attr {
		switch n.Attr[i].Key {
		case "public":
			publicID = &n.Attr[i].Val
		case "system":
			systemID = &n.Attr[i].Val
		}
	}
	return doctypeMode(n.Data, publicID, systemID, false)
}

var html401LoosePrefixes = []string{
	"-//w3c//dtd html 4.01 frameset//",
	"-//w3c//dtd html 4.01 transitional//",
}

var xhtml1LoosePrefixes = []string{
	"-//w3c//dtd xhtml 1.0 frameset//",
	"-//w3c//dtd xhtml 1.0 transitional//",
}

var quirksPublicIDs = []string{
	"-//w3o//dtd w3 html strict 3.0//en//",
	"-/w3c/dtd html 4.0 transitional/en",
	"html",
}

var quirksPublicIDPrefixes = []string{
	"+//silmaril//dtd html pro v0r11 19970101//",
	"-//as//dtd html 3.0 aswedit + extensions//",
	"-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
	"-//ietf//dtd html 2.0 level 1//",
	"-//ietf//dtd html 2.0 level 2//",
	"-//ietf//dtd html 2.0 strict level 1//",
	"-//ietf//dtd html 2.0 strict level 2//",
	"-//ietf//dtd html 2.0 strict//",
	"-//ietf//dtd html 2.0//",
	"-//ietf//dtd html 2.1e//",
	"-//ietf//dtd html 3.0//",
	"-//ietf//dtd html 3.2 final//",
	"-//ietf//dtd html 3.2//",
	"-//ietf//dtd html 3//",
	"-//ietf//dtd html level 0//",
	"-//ietf//dtd html level 1//",
	"-//ietf//dtd html level 2//",
	"-//ietf//dtd html level 3//",
	"-//ietf//dtd html strict level 0//",
	"-//ietf//dtd html strict level 1//",
	"-//ietf//dtd html strict level 2//",
	"-//ietf//dtd html strict level 3//",
	"-//ietf//dtd html strict//",
	"-//ietf//dtd html//",
	"-//metrius//dtd metrius presentational//",
	"-//microsoft//dtd internet explorer 2.0 html strict//",
	"-//microsoft//dtd internet explorer 2.0 html//",
	"-//microsoft//dtd internet explorer 2.0 tables//",
	"-//microsoft//dtd internet explorer 3.0 html strict//",
	"-//microsoft//dtd internet explorer 3.0 html//",
	"-//microsoft//dtd internet explorer 3.0 tables//",
	"-//netscape comm. corp.//dtd html//",
	"-//netscape comm. corp.//dtd strict html//",
	"-//o'reilly and associates//dtd html 2.0//",
	"-//o'reilly and associates//dtd html extended 1.0//",
	"-//o'reilly and associates//dtd html extended relaxed 1.0//",
	"-//sq//dtd html 2.0 hotmetal + extensions//",
	"-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
	"-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
	"-//spyglass//dtd html 2.0 extended//",
	"-//sun microsystems corp.//dtd hotjava html//",
	"-//sun microsystems corp.//dtd hotjava strict html//",
	"-//w3c//dtd html 3 1995-03-24//",
	"-//w3c//dtd html 3.2 draft//",
	"-//w3c//dtd html 3.2 final//",
	"-//w3c//dtd html 3.2//",
	"-//w3c//dtd html 3.2s draft//",
	"-//w3c//dtd html 4.0 frameset//",
	"-//w3c//dtd html 4.0 transitional//",
	"-//w3c//dtd html experimental 19960712//",
	"-//w3c//dtd html experimental 970421//",
	"-//w3c//dtd w3 html//",
	"-//w3o//dtd w3 html 3.0//",
	"-//webtechs//dtd mozilla html 2.0//",
	"-//webtechs//dtd mozilla html//",
}
