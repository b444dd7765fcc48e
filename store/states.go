package store

import (
	"fmt"

	"github.com/magpie-crawl/magpie/crawl"
)

// How the database writes crawl's enumerations.
var (
	stateNames = [...]string{crawl.Pending: "pending", crawl.Done: "done", crawl.Failed: "failed", crawl.Skipped: "skipped"}
	kindNames  = [...]string{crawl.PageKind: "page", crawl.SitemapKind: "sitemap"}
)

// StateName returns the word that the database and its readers use for s:
// "pending", "done", "failed" or "skipped".
func StateName(s crawl.State) string { return stateNames[s] }

// ParseState returns the state that name says.
func ParseState(name string) (crawl.State, error) {
	for s, n := range stateNames {
		if n == name {
			return crawl.State(s), nil
		}
	}
	return 0, fmt.Errorf("no state is called %q: there are pending, done, failed and skipped", name)
}

func kindOf(name string) crawl.Kind {
	if name == kindNames[crawl.SitemapKind] {
		return crawl.SitemapKind
	}
	return crawl.PageKind
}

// dependsOnPath tells whether a URL skipped for this reason may be fetched
// after all when another way to it is found.
func dependsOnPath(reason crawl.Reason) bool {
	return reason == crawl.ReasonDepth || reason == crawl.ReasonRedirects || reason == crawl.ReasonNofollow
}
