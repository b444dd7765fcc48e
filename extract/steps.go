package extract

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// steps are what is done to a text before it is read as a type.
type steps struct {
	regex   *regexp.Regexp
	group   int // of regex, that is taken
	trim    string
	replace []replacement
	split   string
	cost    int                 // of a byte of text
	change  func(string) string // of letters; nil: none
	mapping map[string]string
}

type replacement struct {
	from  string
	regex *regexp.Regexp // nil: from is the text
	to    string
}

// steps compiles those of a field.
func (c *checker) steps(p path, f Field) steps {
	s := steps{trim: f.Trim, split: f.Split, mapping: f.Map}
	if f.Regex != "" {
		re, err := compileRegexp(f.Regex)
		if err != nil {
			c.wrong(p.to("regex"), "%s", err)
		} else {
			s.regex, s.group = re, min(1, re.NumSubexp())
			if named := re.SubexpIndex(ownValue); named > 0 {
				s.group = named
			}
		}
	}
	for i, r := range f.Replace {
		compiled := replacement{from: r.From, to: r.To}
		switch {
		case r.From == "":
			c.wrong(p.to("replace", i), "nothing can't be replaced: name a text or /a regular expression/")
		case len(r.From) > 2 && r.From[0] == '/' && r.From[len(r.From)-1] == '/':
			re, err := compileRegexp(r.From[1 : len(r.From)-1])
			if err != nil {
				c.wrong(p.to("replace", i), "%s", err)
			} else if group := unknownGroup(re, r.To); group != "" {
				c.wrong(p.to("replace", i), "the expression has no group %q: write ${1} for the first, $$ for a dollar", group)
			}
			compiled.regex = re
		}
		s.replace = append(s.replace, compiled)
	}
	s.cost = regexpCost(f.Regex)
	for _, r := range s.replace {
		s.cost++
		if r.regex != nil {
			s.cost += regexpCost(r.regex.String())
		}
	}
	switch {
	case f.Lower && f.Upper:
		c.wrong(p.to("upper"), "a text can't be in small letters and in capitals: leave out lower or upper")
	case f.Lower:
		s.change = strings.ToLower
	case f.Upper:
		s.change = strings.ToUpper
	}
	return s
}

// reference is a group that a replacement names, or a dollar.
var reference = regexp.MustCompile(`\$(?:\$|\{([\pL\d_]+)\}|([\pL\d_]+))`)

// unknownGroup is the first group that a replacement names and an expression
// doesn't have; "" where there is none.
//
// https://pkg.go.dev/regexp#Regexp.Expand
func unknownGroup(re *regexp.Regexp, replacement string) string {
	for _, m := range reference.FindAllStringSubmatch(replacement, -1) {
		name := m[1] + m[2]
		if n, err := strconv.Atoi(name); err == nil && n <= re.NumSubexp() || name == "" || re.SubexpIndex(name) >= 0 {
			continue
		}
		return name
	}
	return ""
}

// any reports whether there are steps that see text.
func (s *steps) any() bool {
	return s.regex != nil || s.trim != "" || s.replace != nil || s.split != "" || s.change != nil || s.mapping != nil
}

// apply calls yield with what the steps make of a text: one, or with split
// several. Where nothing is left, why says so.
func (s *steps) apply(text string, yield func(string) bool) (why absence) {
	if s.regex != nil {
		var ok bool
		if text, why, ok = s.match(text); !ok {
			return why
		}
	}
	text = s.clean(text)
	if text == "" {
		return absence{what: "nothing is left of the text"}
	}
	if s.split == "" {
		yield(s.finish(text))
		return absence{}
	}
	for part := range strings.SplitSeq(text, s.split) {
		if part = s.trimmed(part); part != "" && !yield(s.finish(part)) {
			break
		}
	}
	return absence{what: "split leaves nothing"}
}

// match is what the regex takes of a text.
func (s *steps) match(text string) (string, absence, bool) {
	m := s.regex.FindStringSubmatchIndex(text)
	if m == nil {
		return "", absence{what: "the regex does not match", text: text}, false
	}
	m = m[2*s.group:]
	if m[0] < 0 || m[0] == m[1] {
		return "", absence{what: "the regex matches nothing", text: text}, false
	}
	return text[m[0]:m[1]], absence{}, true
}

// groups is what the named groups of the regex match, as an object; nil where
// it has no others than value, or does not match.
func (s *steps) groups(text string) Object {
	if s.regex == nil || s.regex.SubexpIndex(ownValue) > 0 {
		return nil
	}
	m := s.regex.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	var o Object
	for i, name := range s.regex.SubexpNames() {
		if name != "" && m[i] != "" {
			o = append(o, Member{name, strings.Clone(m[i])})
		}
	}
	return o
}

// clean trims and replaces.
func (s *steps) clean(text string) string {
	text = s.trimmed(text)
	for _, r := range s.replace {
		if r.regex != nil {
			text = r.regex.ReplaceAllString(text, r.to)
		} else {
			text = strings.ReplaceAll(text, r.from, r.to)
		}
	}
	if s.replace != nil {
		text = strings.TrimSpace(text)
	}
	return text
}

// trimmed cuts off the characters of trim and whitespace, in a part of a text
// too.
func (s *steps) trimmed(text string) string {
	if s.trim != "" {
		text = strings.Trim(text, s.trim+asciiWhitespace+"\u00a0")
	}
	if s.split != "" {
		text = strings.TrimSpace(text)
	}
	return text
}

func (s *steps) finish(text string) string {
	if s.change != nil {
		text = s.change(text)
	}
	if to, ok := s.mapping[text]; ok {
		text = to
	}
	return text
}

// one reads an enum: one of its values, in any letters.
func one(values []string, text string) (string, error) {
	for _, v := range values {
		if strings.EqualFold(v, text) {
			return v, nil
		}
	}
	return "", fmt.Errorf("is none of %s", strings.Join(values, ", "))
}
