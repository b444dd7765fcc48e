// Package sitemap reads the URLs that a sitemap lists: the Sitemaps protocol
// (https://www.sitemaps.org/protocol.html) with its indexes and plain text
// files, and RSS and Atom feeds, which the protocol allows too.
//
// A broken file is never an error: what was read up to the fault is kept, and
// a warning says where that was.
package sitemap

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/magpie-crawl/magpie/weburl"
)

// Limits of the protocol.
const (
	MaxSize = 50 << 20 // bytes, uncompressed
	MaxURLs = 50_000
)

// DefaultPriority is the Priority of an Entry that states none.
const DefaultPriority = 0.5

// Format is how a sitemap is written.
type Format string

// Formats. Unknown is the format of a file that is no sitemap.
const (
	Unknown Format = ""
	URLSet  Format = "urlset"
	Index   Format = "index" // its entries are sitemaps, not pages
	Text    Format = "text"
	RSS     Format = "rss"
	Atom    Format = "atom"
)

// Sitemap is what was read of a file.
type Sitemap struct {
	Format   Format
	Entries  []Entry
	Warnings []string // faults of the file, few and short
}

// Entry is a page, or a sitemap in an Index.
type Entry struct {
	URL      weburl.URL
	LastMod  time.Time // zero: not stated
	Priority float64   // 0 to 1, against other pages of the site
}

// Parse reads a sitemap, gzipped or not. base is the URL that it came from:
// relative URLs, which the protocol does not allow but which occur, are
// resolved against it. The zero base drops them.
//
// At most MaxSize bytes after decompression and MaxURLs entries are read. A
// file with a document type declaration is refused whole: sitemaps have none,
// and entities are a way to attack.
func Parse(body []byte, base weburl.URL) *Sitemap {
	p := &parser{base: base}
	p.parse(bytes.NewReader(body))
	if p.bad > 0 {
		p.warn("%d entries without an http or https URL", p.bad)
	}
	return &p.sitemap
}

type parser struct {
	base    weburl.URL
	sitemap Sitemap
	bad     int // entries without a URL that can be fetched
}

func (p *parser) warn(format string, args ...any) {
	p.sitemap.Warnings = append(p.sitemap.Warnings, fmt.Sprintf(format, args...))
}

// parse undoes compression and character encoding and reads what is below.
func (p *parser) parse(r io.Reader) {
	raw := bufio.NewReader(r)
	if magic, _ := raw.Peek(2); string(magic) == "\x1f\x8b" {
		z, err := gzip.NewReader(raw)
		if err != nil {
			p.warn("gzip: %v", err)
			return
		}
		raw = bufio.NewReader(z)
	}
	limited := &io.LimitedReader{R: raw, N: MaxSize + 1}
	text, hasBOM := decodeBOM(bufio.NewReader(limited))
	head, _ := text.Peek(512)
	declaration := xmlDeclaration.FindSubmatch(head)
	switch {
	case len(head) == 0:
		p.warn("the file is empty")
	case bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")):
		if declaration != nil {
			text.Discard(len(declaration[0]))
		}
		if !hasBOM {
			label := "utf-8"
			if declaration != nil && len(declaration[1]) > 0 {
				label = string(declaration[1])
			}
			text = p.decode(text, label)
		}
		p.parseXML(text)
	default:
		p.parseText(text)
	}
	if limited.N <= 0 {
		p.warn("larger than %d bytes, the rest is not read", MaxSize)
	}
}

// xmlDeclaration finds the declaration at the start of a file and in it the
// name of the character encoding.
var xmlDeclaration = regexp.MustCompile(`^\s*<\?xml\s[^>]*?(?:encoding\s*=\s*["']([^"'>]*)["'][^>]*)?\?>`)

// decodeBOM decodes a file that starts with a byte order mark.
func decodeBOM(r *bufio.Reader) (text *bufio.Reader, hasBOM bool) {
	head, _ := r.Peek(3)
	if bytes.HasPrefix(head, []byte("\ufeff")) || bytes.HasPrefix(head, []byte("\xfe\xff")) || bytes.HasPrefix(head, []byte("\xff\xfe")) {
		return bufio.NewReader(transform.NewReader(r, unicode.BOMOverride(unicode.UTF8.NewDecoder()))), true
	}
	return r, false
}

// decode decodes text that is declared to have the encoding label. Bytes that
// are not in it become U+FFFD.
func (p *parser) decode(r *bufio.Reader, label string) *bufio.Reader {
	e, err := htmlindex.Get(label)
	if err != nil {
		p.warn("unknown encoding %.40q, read as UTF-8", label)
		e = unicode.UTF8
	}
	if strings.HasPrefix(strings.ToLower(label), "utf-16") {
		e = unicode.UTF8 // the declaration could not have been read if it were true
	}
	return bufio.NewReader(e.NewDecoder().Reader(r))
}

// parseText reads a file with one URL a line.
func (p *parser) parseText(r *bufio.Reader) {
	p.sitemap.Format = Text
	p.base = weburl.URL{} // or any words would make URLs
	for {
		line, long, err := r.ReadLine()
		text := strings.TrimSpace(string(line))
		for long && err == nil { // longer than any URL
			text = ""
			_, long, err = r.ReadLine()
		}
		if text != "" && !p.add(found{loc: text}) {
			return
		}
		if err != nil {
			if err != io.EOF {
				p.warn("broken off: %v", err)
			}
			break
		}
	}
	if len(p.sitemap.Entries) == 0 {
		p.sitemap.Format = Unknown
	}
}

// found is an entry as it is written.
type found struct{ loc, guid, lastmod, priority string }

// add keeps an entry; it returns false when there is no room for more.
func (p *parser) add(f found) bool {
	u, err := p.base.Resolve(f.loc)
	if strings.TrimSpace(f.loc) == "" || err != nil {
		p.bad++
		return true
	}
	if len(p.sitemap.Entries) == MaxURLs {
		p.warn("more than %d URLs, the rest is not read", MaxURLs)
		return false
	}
	p.sitemap.Entries = append(p.sitemap.Entries, Entry{URL: u, LastMod: parseTime(f.lastmod), Priority: parsePriority(f.priority)})
	return true
}
