package guard

import (
	"net/http"
	"strings"

	"github.com/magpie-crawl/magpie/cmd/magpie/web/problem"
)

// checkSite refuses what a page of another site asks for: changes always, and
// reading but for a person who follows a link to a page of the dashboard.
//
// https://www.w3.org/TR/fetch-metadata/
func (g *Guard) checkSite(r *http.Request) *problem.Problem {
	const advice = "open the dashboard itself, or use a program that is no browser"
	if err := g.cross.Check(r); err != nil {
		return problem.New(http.StatusForbidden, advice, "a page of another site asks for a change (Origin %q, Sec-Fetch-Site %q)",
			r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site"))
	}
	if site := r.Header.Get("Sec-Fetch-Site"); fromElsewhere(site) && !followsLink(r) {
		return problem.New(http.StatusForbidden, advice, "a page of another site asks for what is here (Sec-Fetch-Site %q)", site)
	}
	return nil
}

// fromElsewhere tells whether a value of Sec-Fetch-Site is of another origin's
// page. Programs and old browsers send none; "none" is a person with an
// address or a bookmark.
func fromElsewhere(site string) bool { return site != "" && site != "same-origin" && site != "none" }

// followsLink tells whether a browser goes to a page of the dashboard, in a
// window of its own.
func followsLink(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document" && isPage(r)
}

// isPage tells the dashboard's pages from what programs ask for.
func isPage(r *http.Request) bool {
	path := r.URL.Path
	return !problem.ForPrograms(r) && path != "/metrics" && !strings.HasPrefix(path, "/static/") && !strings.HasSuffix(path, "/events")
}
