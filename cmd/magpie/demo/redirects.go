package demo

import "net/http"

// redirect is where a path has gone.
type redirect struct {
	code int
	to   string
}

// redirects are the paths that have moved.
var redirects = map[string]redirect{
	"/en/product/glasses.html":   {http.StatusMovedPermanently, "/en/product/opera-glasses.html"},
	"/ja/product/文房四宝/猫.html":    {http.StatusMovedPermanently, "/ja/product/文鎮.html"},
	"/de/artikel.php":            {http.StatusFound, "/de/artikel/2"},
	"/de/artikel/2":              {http.StatusFound, "../product/taschenuhr.html"},
	"/vi/product/cai-muong.html": {http.StatusPermanentRedirect, "/vi/product/muong-bac.html"},
	"/go/ledger":                 {http.StatusFound, "/private/product/ledger.html"}, // robots.txt forbids it
	"/go/friends":                {http.StatusFound, "http://elsewhere.invalid/friends"},
}

func (to redirect) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, escape(to.to), to.code)
}

// linked are the products that pages link to by an address that redirects.
var linked = map[string]string{
	"/en/product/opera-glasses.html": "/en/product/glasses.html",
	"/ja/product/文鎮.html":            "/ja/product/文房四宝/猫.html",
	"/de/product/taschenuhr.html":    "/de/artikel.php",
	"/vi/product/muong-bac.html":     "/vi/product/cai-muong.html",
}

// Link is the path that pages link to, which may redirect to Path.
func (p *entry) Link() string {
	if from, ok := linked[p.Path]; ok {
		return from
	}
	return p.Path
}
