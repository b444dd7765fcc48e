package article

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"github.com/magpie-crawl/magpie/htmlparse"
)

// Article is what a page is about. What the page doesn't tell is empty.
type Article struct {
	Title    string `json:"title,omitempty"`
	Byline   string `json:"byline,omitempty"` // the authors, as the page writes them
	Date     string `json:"date,omitempty"`   // of publication: RFC 3339, or 2006-01-02 where the page tells no time or zone
	Modified string `json:"modified,omitempty"`
	Language string `json:"language,omitempty"` // a BCP 47 tag
	SiteName string `json:"siteName,omitempty"`
	Excerpt  string `json:"excerpt,omitempty"` // the page's description, else the first paragraph
	Image    string `json:"image,omitempty"`   // URL of the picture that stands for the article
	URL      string `json:"url,omitempty"`     // the canonical one, https://html.spec.whatwg.org/multipage/links.html#link-type-canonical

	// Text is the article as text: a line for each block, an empty line
	// around paragraphs.
	Text string `json:"text"`

	// Node is the article as HTML, a tree of its own with neither scripts nor
	// classes. Links are absolute when the page's URL is known.
	Node *html.Node `json:"-"`
}

// Reader reads articles. The zero value is ready.
type Reader struct {
	// Second gives a second opinion on a page of which the first reader found
	// little. It gets a copy of the page's tree, which it may change, and the
	// page's URL or nil, and returns the content it finds or nil. Default:
	// go-readability with other settings.
	Second func(root *html.Node, page *url.URL) *html.Node
}

// Read finds the article of a page whose tree is below root, a document or an
// element. The address is the page's; it may be empty. It returns false when
// the page has no article, or is too large or too deep to be read. The tree
// isn't changed.
func Read(root *html.Node, address string) (*Article, bool) {
	return (&Reader{}).Read(root, address)
}

// Read is what the function Read does, with the settings of r.
func (r *Reader) Read(root *html.Node, address string) (*Article, bool) {
	page, err := url.Parse(address)
	if err != nil || !page.IsAbs() {
		page = nil
	}
	tree, ok := copyPage(root)
	if !ok {
		return nil, false
	}
	m := readMetadata(root, page)
	all := tree.text
	tree.cut(&unreadable)
	first, ok := readFirst(tree.root, page)
	if !ok {
		return nil, false
	}
	content := first.Node
	if size := textSize(content); size < littleText && size*littleShare < all {
		content = r.longer(content, size, root, page)
	}
	if content == nil {
		return nil, false
	}
	a := &Article{Node: htmlparse.Clone(content)}
	clean(a.Node)
	if a.Text = textOf(a.Node); a.Text == "" {
		return nil, false
	}
	a.describe(&first, m)
	return a, true
}

// An answer is in doubt when it has less than littleText characters, and the
// page littleShare times as many.
const (
	littleText  = 1000
	littleShare = 4
)

// longer asks the second reader, and prefers its answer when it is half as long again.
func (r *Reader) longer(content *html.Node, size int, root *html.Node, page *url.URL) *html.Node {
	tree, ok := copyPage(root)
	if !ok {
		return content
	}
	second := r.Second
	if second == nil {
		tree.cut(&doubtful)
		second = readAgain
	}
	if other := try(func() *html.Node { return second(tree.root, page) }); other != nil && 2*textSize(other) > 3*size {
		return other
	}
	return content
}

// try calls a reader. Readers are made for pages, and a page is made by a
// stranger: a panic in there is no answer.
func try(read func() *html.Node) (n *html.Node) {
	defer func() {
		if recover() != nil {
			n = nil
		}
	}()
	return read()
}

// describe sets what is told about the article. All strings are copies.
func (a *Article) describe(first *answer, m *metadata) {
	a.Byline = oneLine(pick(first.Byline, m.author))
	if m.author != "" && strings.Contains(a.Byline, m.author) {
		a.Byline = m.author // without the date and the like that a line in the page has
	}
	a.SiteName = oneLine(pick(first.SiteName, m.site))
	a.Title = strings.Clone(bareTitle(oneLine(first.Title), a.SiteName, m.headings))
	a.Excerpt = oneLine(pick(first.Excerpt, m.description))
	a.Language = oneLine(pick(first.Language, m.language))
	a.Image = oneLine(pick(first.Image, m.image))
	a.URL = strings.Clone(m.canonical)
	a.Date, a.Modified = m.published, m.modified
}

// oneLine copies a text with its whitespace collapsed.
func oneLine(s string) string { return strings.Clone(strings.Join(strings.Fields(s), " ")) }

func pick(first, second string) string {
	if strings.TrimSpace(first) != "" {
		return first
	}
	return second
}
