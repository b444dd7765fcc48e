package demo

import (
	"embed"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/goccy/go-yaml"
)

//go:embed catalogue/*.yaml
var catalogueFiles embed.FS

// languages are the categories in the order they are shown; each is a file in
// catalogue/ and a folder of the site.
var languages = []string{"en", "ja", "ru", "zh", "ko", "pl", "de", "el", "tr", "ar", "fr", "vi"}

// category is a file of catalogue/: products in one language.
type category struct {
	Language     string            // BCP 47
	Direction    string            // ltr (default) or rtl
	Name         string            // in that language, like all that follows
	Blurb        string            // one sentence
	Layout       string            // which templates: modern, classic, messy or tables
	Decimal      string            // the decimal separator
	Gzip         bool              // pages are sent gzipped to those who accept it
	Words        map[string]string // labels on the pages
	Declarations []declaration     // how its pages declare their encoding, in turn
	Shipping     [][]string        // table of delivery costs; the first row is its header
	Products     []*entry

	Dir string `yaml:"-"` // folder on the site
}

// entry is a product as the catalogue has it.
type entry struct {
	Slug   string // last part of its path
	Name   string
	Icon   string
	Price  written // means "amount currency"
	Was    *written
	Date   written // means an ISO date
	Stock  int
	Rating int    // 1 to 5
	Weight string // kg, with a decimal point
	Lead   string // HTML
	About  []string
	Tags   []string
	Facts  [][2]string
	// Reviews may be empty.
	Reviews []struct {
		By    string
		Stars int
		Date  written
		Text  string
	}

	SKU         string      `yaml:"-"`
	Path        string      `yaml:"-"` // not escaped
	Declaration declaration `yaml:"-"`
}

// written is a value as the page says it and what it means.
type written struct{ Says, Means string }

// loadCatalogue reads the embedded catalogue, which the tests have seen to be
// readable.
func loadCatalogue() []*category {
	var all []*category
	for _, dir := range languages {
		c, err := readCategory(dir)
		if err != nil {
			panic(err)
		}
		all = append(all, c)
	}
	return all
}

func readCategory(dir string) (*category, error) {
	file := path.Join("catalogue", dir+".yaml")
	text, err := catalogueFiles.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	c := &category{Dir: dir, Direction: "ltr"}
	if err := yaml.UnmarshalWithOptions(text, c, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	for i, p := range c.Products {
		p.SKU = fmt.Sprintf("MP-%s-%02d", strings.ToUpper(dir), i+1)
		p.Path = "/" + dir + "/product/" + p.Slug + ".html"
		p.Declaration = c.declaration(i)
	}
	return c, nil
}

// declaration returns how the category's i-th page declares its encoding.
func (c *category) declaration(i int) declaration {
	return c.Declarations[i%len(c.Declarations)]
}

// Availability is the schema.org name of whether the product can be bought.
func (p *entry) Availability() string {
	if p.Stock == 0 {
		return "OutOfStock"
	}
	return "InStock"
}

// Stars is the rating in a word, as star ratings often stand in class names.
func (p *entry) Stars() string {
	return [...]string{"Zero", "One", "Two", "Three", "Four", "Five"}[p.Rating]
}

// escape returns a path as it stands in a request.
func escape(path string) string {
	return (&url.URL{Path: path}).EscapedPath()
}
