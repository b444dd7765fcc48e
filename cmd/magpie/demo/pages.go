package demo

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
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

// listing serves a page of a category, or with sort=price all of it sorted.
// Further keys of the query are show, which says how many products the page
// shows, and copy, which says nothing.
func (c *category) listing(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	for name := range query {
		if !slices.Contains([]string{"page", "show", "copy", "sort"}, name) {
			http.NotFound(w, r)
			return
		}
	}
	if query.Get("sort") == "price" {
		cards := slices.SortedFunc(slices.Values(c.Products), byPrice)
		c.list(w, r, listingView{declaration: c.declaration(0), Cards: cards})
		return
	}
	page := 1
	if query.Has("page") {
		page, _ = strconv.Atoi(query.Get("page")) // 0 when it is no number
	}
	pages := slices.Collect(slices.Chunk(c.Products, perPage))
	if page < 1 || page > len(pages) {
		http.NotFound(w, r)
		return
	}
	v := listingView{declaration: c.declaration(page), Cards: pages[page-1], Previous: page - 1}
	if page < len(pages) {
		v.Next = page + 1
	}
	c.list(w, r, v)
}

func (c *category) list(w http.ResponseWriter, r *http.Request, v listingView) {
	v.category, v.Host = c, r.Host
	write(w, r, c.Layout+"_listing.html", v.declaration, c.Gzip, v)
}

// byPrice compares amounts, whatever their currency.
func byPrice(a, b *entry) int {
	amount := func(p *entry) float64 {
		f, _ := strconv.ParseFloat(p.Price.price().Amount, 64) // the tests see that it is a number
		return f
	}
	return cmp.Compare(amount(a), amount(b))
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

// guestbook is a page of some 400 KB, with every review many times.
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
