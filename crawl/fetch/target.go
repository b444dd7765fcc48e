package fetch

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/magpie-crawl/magpie/weburl"
)

// parseTarget makes the net/url form of a canonical URL, of which the path and
// query are sent to the letter. net/url alone would refuse some URLs that
// browsers send ("/100%") and rewrite others ("/a|b").
func parseTarget(canonical string) (*url.URL, error) {
	u, err := weburl.Parse(canonical)
	if err != nil {
		return nil, err
	}
	if u.String() != canonical {
		return nil, fmt.Errorf("%.200q is not canonical, but %.200q is", canonical, u)
	}
	target := &url.URL{Scheme: u.Scheme(), Host: u.Host(), RawPath: u.Path()}
	target.RawQuery, target.ForceQuery = strings.CutPrefix(u.RequestURI()[len(u.Path()):], "?")
	if target.Path, err = url.PathUnescape(u.Path()); err == nil && target.EscapedPath() == u.Path() {
		return target, nil
	}
	// Opaque is written as it stands, but must not start with "//".
	target.Path, target.RawPath = "", ""
	target.Opaque = u.Path()
	if strings.HasPrefix(target.Opaque, "//") {
		target.Opaque = "//" + u.Host() + target.Opaque
	}
	return target, nil
}
