package extract

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// Pattern selects URLs. One that stands between slashes is a regular
// expression (RE2 syntax) found anywhere in the URL: /\/p\/[0-9]+$/. Any
// other is compared with the whole URL, * standing for any characters, none
// too, slashes included: */catalogue/*. Nothing else is special, and case
// counts.
type Pattern struct {
	source string
	regex  *regexp.Regexp // nil: a glob
	parts  []string       // of a glob, cut at *
}

// CompilePattern reads a pattern. It refuses what no URL can match.
func CompilePattern(pattern string) (*Pattern, error) {
	switch {
	case pattern == "":
		return nil, errors.New("the pattern is empty: * stands for every URL")
	case pattern == "/", pattern == "//":
		return nil, fmt.Errorf("the pattern %s is an empty regular expression: * stands for every URL", pattern)
	case pattern[0] == '/' && pattern[len(pattern)-1] == '/':
		re, err := compileRegexp(pattern[1 : len(pattern)-1])
		if err != nil {
			return nil, err
		}
		return &Pattern{source: pattern, regex: re}, nil
	}
	p := &Pattern{source: pattern, parts: strings.Split(pattern, "*")}
	if !beginsURL(p.parts[0]) {
		return nil, fmt.Errorf("the pattern %s stands for whole URLs, and none begins with %q: write *%s", pattern, p.parts[0], pattern)
	}
	return p, nil
}

// beginsURL reports whether a URL can begin with s.
func beginsURL(s string) bool {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok {
		for _, known := range []string{"http", "https", "file"} {
			if strings.HasPrefix(known, strings.ToLower(s)) {
				return true
			}
		}
		return false
	}
	for i, c := range strings.ToLower(scheme) {
		if (c < 'a' || c > 'z') && (i == 0 || (c < '0' || c > '9') && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return scheme != "" && (rest == "" || rest[0] == '/')
}

// Match reports whether the pattern selects a URL. It takes time linear in
// the URL's length for each part of the pattern.
func (p *Pattern) Match(url string) bool {
	if p.regex != nil {
		return p.regex.MatchString(url)
	}
	first, last := p.parts[0], p.parts[len(p.parts)-1]
	if len(p.parts) == 1 {
		return url == first
	}
	if len(url) < len(first)+len(last) || !strings.HasPrefix(url, first) || !strings.HasSuffix(url, last) {
		return false
	}
	url = url[len(first) : len(url)-len(last)]
	for _, part := range p.parts[1 : len(p.parts)-1] {
		i := strings.Index(url, part)
		if i < 0 {
			return false
		}
		url = url[i+len(part):]
	}
	return true
}

// String returns the pattern as it was written.
func (p *Pattern) String() string { return p.source }

// regexpCost is how many steps a regular expression takes for each byte of a
// text at most.
func regexpCost(src string) int {
	re, err := syntax.Parse(src, syntax.Perl)
	if src == "" || err != nil {
		return 0
	}
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 0
	}
	return 1 + len(program.Inst)/instructionsPerStep
}

// compileRegexp says clearly what is wrong with a regular expression.
func compileRegexp(src string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(src)
	if err == nil {
		return re, nil
	}
	msg := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	if strings.Contains(msg, "(?") {
		msg += " (lookaround and backreferences don't exist in RE2 syntax)"
	}
	return nil, fmt.Errorf("the regular expression %q is wrong: %s", src, msg)
}
