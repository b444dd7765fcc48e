package demo

import (
	"fmt"
	"net/http"
	"strconv"
)

// perPage is how many products a page of a category lists.
const perPage = 2

// utf8 declares the pages that belong to no category.
var utf8 = declaration{Encoding: "UTF-8", Type: "text/html; charset=utf-8"}

func (s *Site) routes() {
	s.mux.HandleFunc("GET /{$}", s.home)
	s.mux.HandleFunc("GET /robots.txt", s.robots)
	s.mux.HandleFunc("GET /sitemap.xml", s.sitemap)
	s.mux.HandleFunc("GET /guestbook.html", s.guestbook)
	s.mux.HandleFunc("GET /cart", note("Cart", "Nothing in it yet.", true))
	s.mux.HandleFunc("GET /cart/help.html", note("How to order", "Look at it long enough and it is yours.", false))
	s.mux.HandleFunc("GET /private/visit.html", note("Visit us", "Third oak on the left, top branch.", false))
	s.mux.HandleFunc("GET /private/product/{file}", note("Ledger", "What was taken from whom.", true))
	s.mux.HandleFunc("GET /login", note("Log in", "Speak, friend.", false))
	s.mux.HandleFunc("GET /catalogue.pdf", note("Catalogue", "Not a PDF.", true))
	for from, to := range redirects {
		s.mux.Handle("GET "+from, to)
	}
	for i, c := range s.categories {
		s.mux.HandleFunc("GET /"+c.Dir+"/{$}", c.listing)
		for _, p := range c.Products {
			s.mux.HandleFunc("GET "+p.Path, func(w http.ResponseWriter, r *http.Request) { c.product(w, r, p) })
			s.mux.HandleFunc("GET /img/"+p.SKU+".svg", func(w http.ResponseWriter, r *http.Request) { image(w, r, p.Icon, 30*i) })
		}
	}
}

// listingView is what the listing templates show.
type listingView struct {
	*category
	declaration
	Host           string
	Cards          []*entry
	Previous, Next int // pages; 0: there is none
}

// listing serves a page of a category. Its query may have page, show (the
// number of products, for show) and copy.
func (c *category) listing(w http.ResponseWriter, r *http.Request) {
	page, pages := 1, (len(c.Products)+perPage-1)/perPage
	for name, values := range r.URL.Query() {
		switch name {
		case "page":
			page, _ = strconv.Atoi(values[0])
		case "show", "copy", "sort":
		default:
			page = 0
		}
	}
	if page < 1 || page > pages {
		http.NotFound(w, r)
		return
	}
	first := (page - 1) * perPage
	v := listingView{category: c, declaration: c.declaration(page), Host: r.Host, Previous: page - 1, Next: page + 1}
	v.Cards = c.Products[first:min(first+perPage, len(c.Products))]
	if v.Next > pages {
		v.Next = 0
	}
	write(w, r, c.Layout+"_listing.html", v.declaration, c.Gzip, v)
}

// productView is what the product templates show.
type productView struct {
	*category
	declaration
	Product *entry
}

func (c *category) product(w http.ResponseWriter, r *http.Request, p *entry) {
	write(w, r, c.Layout+"_product.html", p.Declaration, c.Gzip, productView{c, p.Declaration, p})
}

func (s *Site) home(w http.ResponseWriter, r *http.Request) {
	write(w, r, "home.html", utf8, false, map[string]any{"Categories": s.categories})
}

func (s *Site) robots(w http.ResponseWriter, r *http.Request) {
	write(w, r, "robots.txt", declaration{Encoding: "UTF-8", Type: "text/plain"}, false, r)
}

func (s *Site) sitemap(w http.ResponseWriter, r *http.Request) {
	write(w, r, "sitemap.xml", declaration{Encoding: "UTF-8", Type: "application/xml"}, false, map[string]any{
		"Categories": s.categories,
		"Host":       r.Host,
	})
}

// guestbook is a page of half a megabyte, with every review many times.
func (s *Site) guestbook(w http.ResponseWriter, r *http.Request) {
	const entries = 2500
	type entry struct{ By, Text, Name, Link string }
	var reviews []entry
	for _, c := range s.categories {
		for _, p := range c.Products {
			for _, r := range p.Reviews {
				reviews = append(reviews, entry{By: r.By, Text: r.Text, Name: p.Name, Link: p.Link()})
			}
		}
	}
	var all []entry
	for i := range entries {
		all = append(all, reviews[i%len(reviews)])
	}
	write(w, r, "guestbook.html", utf8, true, map[string]any{"Entries": all})
}

// note is a page that says one thing. With decoy it has a product that is
// not in the catalogue.
func note(title, text string, decoy bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		write(w, r, "note.html", utf8, false, map[string]any{"Title": title, "Text": text, "Decoy": decoy})
	}
}

func image(w http.ResponseWriter, r *http.Request, icon string, hue int) {
	write(w, r, "image.svg", declaration{Encoding: "UTF-8", Type: "image/svg+xml"}, false, map[string]any{"Icon": icon, "Hue": fmt.Sprint(hue)})
}
