package sitemap

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/magpie-crawl/magpie/weburl"
)

// errFull ends the reading when no more entries are taken.
var errFull = errors.New("full")

// entryNames are the elements that hold one entry, by the root element.
// Prefixes are ignored: many files have them wrong.
var entryNames = map[string]struct {
	format Format
	entry  string
}{
	"urlset":       {URLSet, "url"},
	"sitemapindex": {Index, "sitemap"},
	"rss":          {RSS, "item"},
	"RDF":          {RSS, "item"},
	"feed":         {Atom, "entry"},
}

// xmlReader reads entries off raw tokens: end tags that do not match are no
// fault to it, and no depth costs memory.
type xmlReader struct {
	*parser
	entryName string
	inEntry   bool
	depth     int     // of the current element below the entry
	field     *string // takes the text of the current child of the entry
	entry     found
}

func (p *parser) parseXML(r io.Reader) {
	d := xml.NewDecoder(r)
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // r is UTF-8 already
	x := &xmlReader{parser: p}
	for {
		token, err := d.RawToken()
		if err == nil {
			err = x.token(token)
		} else {
			x.end() // what a broken file has of its last entry
		}
		switch err {
		case nil:
			continue
		case io.EOF, errFull:
		default:
			line, _ := d.InputPos()
			p.warn("broken off at line %d: %v", line, err)
		}
		return
	}
}

func (x *xmlReader) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.Directive:
		if len(t) >= 7 && strings.EqualFold(string(t[:7]), "DOCTYPE") {
			x.sitemap.Format, x.sitemap.Entries, x.bad, x.inEntry = Unknown, nil, 0, false
			return errors.New("refused: it has a document type declaration")
		}
	case xml.StartElement:
		return x.start(t)
	case xml.CharData:
		// Nothing longer than a URL is of use.
		if x.field != nil && len(*x.field) <= weburl.MaxLength {
			*x.field += string(t[:min(len(t), weburl.MaxLength+1)])
		}
	case xml.EndElement:
		x.field = nil
		x.depth--
		if x.inEntry && (t.Name.Local == x.entryName || x.depth < 0) {
			return x.end()
		}
	}
	return nil
}

func (x *xmlReader) start(t xml.StartElement) error {
	name := t.Name.Local
	if x.entryName == "" {
		root, ok := entryNames[name]
		if !ok {
			return errors.New("no sitemap: the root element is " + strconv.Quote(name[:min(len(name), 40)]))
		}
		x.sitemap.Format, x.entryName = root.format, root.entry
		return nil
	}
	if name == x.entryName {
		if err := x.end(); err != nil { // an entry that was not closed
			return err
		}
		x.inEntry = true
		return nil
	}
	if x.inEntry {
		x.depth++
		// Only children count: an image's loc is deeper.
		if x.field = nil; x.depth == 1 {
			x.field = x.fieldFor(name, t.Attr)
		}
	}
	return nil
}

// fieldFor returns where the text of a child of an entry goes, nil if nowhere.
func (x *xmlReader) fieldFor(name string, attrs []xml.Attr) *string {
	switch name {
	case "loc":
		x.entry.loc = ""
		return &x.entry.loc
	case "lastmod", "updated", "pubDate", "date":
		x.entry.lastmod = ""
		return &x.entry.lastmod
	case "published":
		if x.entry.lastmod == "" {
			return &x.entry.lastmod
		}
	case "priority":
		x.entry.priority = ""
		return &x.entry.priority
	case "guid":
		if x.sitemap.Format == RSS && isPermaLink(attrs) {
			x.entry.guid = ""
			return &x.entry.guid
		}
	case "link":
		if x.sitemap.Format == RSS && x.entry.loc == "" {
			return &x.entry.loc
		}
		if x.sitemap.Format == Atom {
			x.atomLink(attrs)
		}
	}
	return nil
}

// isPermaLink tells whether a guid is the address of its page: it is, unless
// it says otherwise (https://www.rssboard.org/rss-specification).
func isPermaLink(attrs []xml.Attr) bool {
	for _, a := range attrs {
		if a.Name.Local == "isPermaLink" {
			return a.Value != "false"
		}
	}
	return true
}

// atomLink takes the link to the page itself (RFC 4287, section 4.2.7.2).
func (x *xmlReader) atomLink(attrs []xml.Attr) {
	var href, rel string
	for _, a := range attrs {
		switch a.Name.Local {
		case "href":
			href = a.Value
		case "rel":
			rel = a.Value
		}
	}
	if (rel == "" || rel == "alternate") && x.entry.loc == "" {
		x.entry.loc = href
	}
}

// end keeps the entry that was read, if one was.
func (x *xmlReader) end() error {
	entry, inEntry := x.entry, x.inEntry
	x.entry, x.inEntry, x.depth, x.field = found{}, false, 0, nil
	if guid := strings.TrimSpace(entry.guid); entry.loc == "" && strings.HasPrefix(guid, "http") { // many a guid is a mere number, whatever it says
		entry.loc = guid
	}
	if inEntry && !x.add(entry) {
		return errFull
	}
	return nil
}

func parsePriority(s string) float64 {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || !(v >= 0 && v <= 1) {
		return DefaultPriority
	}
	return v
}
