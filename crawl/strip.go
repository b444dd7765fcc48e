package crawl

import (
	"fmt"
	"path"
	"strings"
)

// DefaultStrip are the query parameters that are taken off links where a job
// does not say which: those that tell where a visitor came from, and session
// identifiers. The page is the same without them.
var DefaultStrip = []string{
	"utm_*", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid", "twclid", "ttclid", "igshid",
	"mc_cid", "mc_eid", "mkt_tok", "_ga", "_gl", "_hsenc", "_hsmi", "vero_id", "oly_anon_id", "oly_enc_id", "wickedid",
	"jsessionid", "phpsessid", "aspsessionid*", "cfid", "cftoken",
}

// stripper knows the parameters that are taken off links.
type stripper struct {
	names    map[string]bool
	patterns []string
}

// newStripper compiles names of parameters; nil stands for DefaultStrip.
func newStripper(list []string) (stripper, error) {
	if list == nil {
		list = DefaultStrip
	}
	s := stripper{names: map[string]bool{}}
	for _, name := range list {
		if strings.Trim(name, "*") == "" || strings.ContainsAny(name, "&=?#[]\\") {
			return s, fmt.Errorf("parameter to strip %q: write a name such as \"utm_*\"", name)
		}
		name = strings.ToLower(name)
		if strings.Contains(name, "*") {
			s.patterns = append(s.patterns, name)
		} else {
			s.names[name] = true
		}
	}
	return s, nil
}

// drops says whether a parameter of this name, in any case, is taken off.
func (s stripper) drops(name string) bool {
	name = strings.ToLower(name)
	if s.names[name] {
		return true
	}
	for _, p := range s.patterns {
		if ok, _ := path.Match(p, name); ok { // newStripper lets no bad pattern pass
			return true
		}
	}
	return false
}
