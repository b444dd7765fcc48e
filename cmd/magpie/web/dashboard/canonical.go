package dashboard

import "github.com/magpie-crawl/magpie/weburl"

// canonical is an address as crawls keep it; one that is none stays as it is.
func canonical(address string) string {
	if u, err := weburl.Parse(address); err == nil {
		return u.String()
	}
	return address
}
