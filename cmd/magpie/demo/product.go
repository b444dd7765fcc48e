package demo

import (
	"html"
	"regexp"
	"strings"
)

// Product is the truth about one product: what a crawl with Job must bring
// back for it. URLs are paths, escaped.
type Product struct {
	SKU         string
	Name        string
	Price       Price
	Was         *Price // nil: never had another price
	Listed      string // "2006-01-02"
	Available   bool
	Stock       int    // pieces; 0 when not available
	Rating      int    // 1 to 5
	Weight      string // kilograms, a decimal number
	Language    string // BCP 47
	Category    string
	Image       string   // path
	Lead        string   // HTML
	Description []string // paragraphs
	Tags        []string
	Facts       [][2]string   // name, value
	Shipping    [][][2]string // rows of column, value
	Reviews     []Review

	Path     string // of its page
	Encoding string // of its page, by its name in the Encoding Standard
	Source   string // what decides the encoding: bom, transport, meta, xml-declaration or detected
}

// Price is an amount of money.
type Price struct {
	Amount   string // a decimal number, with the decimals that the page shows
	Currency string // ISO 4217
}

// Review is what a customer wrote.
type Review struct {
	By    string
	Stars int
	Date  string // "2006-01-02"
	Text  string
}

// Products returns the truth about every product.
func (s *Site) Products() []Product {
	var all []Product
	for _, c := range s.categories {
		for _, p := range c.Products {
			all = append(all, c.truth(p))
		}
	}
	return all
}

func (c *category) truth(p *entry) Product {
	t := Product{
		SKU: p.SKU, Name: p.Name,
		Price: p.Price.price(), Listed: p.Date.Means,
		Available: p.Stock > 0, Stock: p.Stock,
		Rating: p.Rating, Weight: p.Weight,
		Language: c.Language, Category: c.Name,
		Image: "/img/" + p.SKU + ".svg",
		Lead:  p.Lead, Tags: p.Tags, Facts: p.Facts,
		Path:     escape(p.Path),
		Encoding: p.Declaration.Encoding,
		Source:   p.Declaration.Decides,
	}
	if p.Was != nil {
		was := p.Was.price()
		t.Was = &was
	}
	for _, paragraph := range p.About {
		t.Description = append(t.Description, plain(paragraph))
	}
	for _, row := range c.Shipping[1:] {
		var cells [][2]string
		for i, cell := range row {
			cells = append(cells, [2]string{c.Shipping[0][i], cell})
		}
		t.Shipping = append(t.Shipping, cells)
	}
	for _, r := range p.Reviews {
		t.Reviews = append(t.Reviews, Review{By: r.By, Stars: r.Stars, Date: r.Date.Means, Text: r.Text})
	}
	return t
}

func (w written) price() Price {
	amount, currency, _ := strings.Cut(w.Means, " ")
	return Price{Amount: amount, Currency: currency}
}

var tag = regexp.MustCompile(`</?[a-z]+>`)

// plain is the text of the catalogue's HTML, whose tags are inline and have
// no attributes.
func plain(markup string) string {
	return html.UnescapeString(tag.ReplaceAllString(markup, ""))
}
