package extract

import (
	"errors"
	"fmt"
	"strings"

	"github.com/andybalholm/cascadia"
)

// step is one compound selector and the combinator before it.
type step struct {
	before   combinator
	compound string
}

// notCSS tells what users of other languages write from selectors.
func notCSS(src string) error {
	switch s := strings.TrimSpace(src); {
	case s == "":
		return errors.New("the selector is empty")
	case strings.HasPrefix(s, "/"), strings.HasPrefix(s, "./"), strings.HasPrefix(s, "(/"):
		return fmt.Errorf("%q is XPath: write a CSS selector", s)
	case strings.Contains(s, "::text"):
		return fmt.Errorf("%q: leave ::text out, the text of the match is what is taken", s)
	case strings.Contains(s, "::attr("):
		return fmt.Errorf("%q: write ::attr(name) as attr: name", s)
	}
	return nil
}

// splitList cuts a selector list at its commas.
func splitList(src string) ([]string, error) {
	var list []string
	start := 0
	for i := 0; i < len(src); {
		if src[i] == ',' {
			list = append(list, src[start:i])
			start = i + 1
		}
		next, err := unit(src, i)
		if err != nil {
			return nil, err
		}
		i = next
	}
	return append(list, src[start:]), nil
}

// splitComplex cuts a complex selector at its combinators. Before a leading
// combinator it puts :scope.
func splitComplex(src string) ([]step, error) {
	var steps []step
	before := descendant
	explicit := false // before was written with a sign
	for i := 0; i < len(src); {
		if n := space(src[i:]); n > 0 {
			i += n
			continue
		}
		if k := strings.IndexByte(">+~", src[i]); k >= 0 {
			if explicit {
				return nil, fmt.Errorf("two combinators follow each other before %q", src[i:])
			}
			if len(steps) == 0 {
				steps = append(steps, step{compound: ":scope"})
			}
			before, explicit = child+combinator(k), true
			i++
			continue
		}
		start := i
		for i < len(src) && !isSpace(src[i]) && !strings.ContainsRune(">+~", rune(src[i])) {
			next, err := unit(src, i)
			if err != nil {
				return nil, err
			}
			i = next
		}
		steps = append(steps, step{before, src[start:i]})
		before, explicit = descendant, false
	}
	if len(steps) == 0 {
		return nil, errors.New("a selector is missing beside a comma")
	}
	if explicit {
		return nil, fmt.Errorf("%q ends with a combinator", strings.TrimSpace(src))
	}
	return steps, nil
}

// space returns the length of the whitespace or comment at the start of s.
func space(s string) int {
	if strings.HasPrefix(s, "/*") {
		if end := strings.Index(s[2:], "*/"); end >= 0 {
			return end + 4
		}
		return len(s)
	}
	if s != "" && strings.IndexByte(" \t\r\n\f", s[0]) >= 0 {
		return 1
	}
	return 0
}

// unit returns where what begins at i ends: an escape, a comment, a string, a
// pair of brackets with what is in it, or a byte.
func unit(src string, i int) (end int, err error) {
	switch c := src[i]; c {
	case '\\':
		return escapeEnd(src, i), nil
	case '/':
		if strings.HasPrefix(src[i:], "/*") {
			return i + space(src[i:]), nil
		}
	case '"', '\'':
		for j := i + 1; j < len(src); j++ {
			if src[j] == '\\' {
				j++
			} else if src[j] == c {
				return j + 1, nil
			}
		}
		return 0, fmt.Errorf("the quote in %q is not closed", src[i:])
	case '(', '[':
		closing := byte(')')
		if c == '[' {
			closing = ']'
		}
		for j := i + 1; j < len(src); {
			if src[j] == closing {
				return j + 1, nil
			}
			if j, err = unit(src, j); err != nil {
				return 0, err
			}
		}
		return 0, fmt.Errorf("%q is not closed in %q", string(c), src[i:])
	case ')', ']':
		return 0, fmt.Errorf("unexpected %q in %q", string(c), src)
	}
	return i + 1, nil
}

// compileCompound reads a compound selector. Of the pseudo-classes, those that
// hold selectors or count siblings are ours, so that they see what
// querySelector sees, in bounded time, and those of which cascadia knows older
// rules; the rest is cascadia's.
func compileCompound(src string) (c compound, err error) {
	var basic, text string
	start := skipSpace(src, 0)
	for i := start; i < len(src); {
		name, argument, end := pseudoClass(src, i)
		switch {
		case end == i && src[i] == ':':
			err = fmt.Errorf("%q: a pseudo-element is not in the document", src)
		case end == i && strings.HasPrefix(src[i:], "/*"):
			end, err = unit(src, i)
		case end == i:
			end, err = c.needs.read(src, i, i == start)
		case name == "contains", name == "containsown", name == "matches", name == "matchesown":
			text += src[i:end]
		default:
			var own bool
			if own, err = c.addPseudoClass(name, argument); err != nil {
				err = fmt.Errorf("%s: %w", src[i:end], err)
			} else if !own {
				basic += src[i:end]
			}
		}
		if err != nil {
			return c, err
		}
		i = end
	}
	if basic != "" {
		c.basic, err = parseBasic(basic)
	}
	if text != "" && err == nil {
		c.text, err = parseBasic(text)
	}
	return c, err
}

// pseudoClass reads the pseudo-class at i; without one, end is i.
func pseudoClass(src string, i int) (name, argument string, end int) {
	if src[i] != ':' || strings.HasPrefix(src[i:], "::") {
		return "", "", i
	}
	end = i + 1
	for end < len(src) && isNameByte(src[end]) {
		end++
	}
	name = strings.ToLower(src[i+1 : end])
	if end < len(src) && src[end] == '(' {
		closed, err := unit(src, end)
		if err != nil {
			return "", "", i
		}
		return name, src[end+1 : closed-1], closed
	}
	return name, "", end
}

// addPseudoClass takes the pseudo-classes that are ours.
func (c *compound) addPseudoClass(name, argument string) (own bool, err error) {
	switch name {
	case "scope":
		c.scope = true
	case "has":
		inner, err := compileHas(argument)
		c.has = append(c.has, inner)
		return true, err
	case "is", "where":
		list, err := compoundList(argument)
		c.is = append(c.is, list)
		return true, err
	case "not":
		list, err := compoundList(argument)
		c.not = append(c.not, list)
		return true, err
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		p, err := compileNth(argument, strings.HasSuffix(name, "type"))
		p.last = strings.Contains(name, "last")
		c.nth = append(c.nth, p)
		return true, err
	case "first-of-type", "last-of-type":
		c.nth = append(c.nth, &nth{b: 1, last: name == "last-of-type", ofType: true})
	case "only-of-type":
		c.nth = append(c.nth, &nth{b: 1, ofType: true}, &nth{b: 1, last: true, ofType: true})
	case "lang":
		s, err := languages(argument)
		c.states = append(c.states, s)
		return true, err
	default:
		s, own := states[name]
		if own {
			c.states = append(c.states, s)
		}
		return own, nil
	}
	return true, nil
}

// compileHas reads the relative selectors of :has(…).
//
// https://drafts.csswg.org/selectors-4/#relational
func compileHas(src string) (*selector, error) {
	list, err := splitList(src)
	if err != nil {
		return nil, err
	}
	s := &selector{relative: true}
	for _, complex := range list {
		steps, err := splitComplex(complex)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(steps[0].compound, ":scope") {
			steps = append([]step{{compound: ":scope"}}, steps...)
		}
		if err := s.add(steps); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// compoundList reads what :is(…) and :not(…) hold.
func compoundList(src string) ([]compound, error) {
	list, err := splitList(src)
	if err != nil {
		return nil, err
	}
	compounds := make([]compound, len(list))
	for i, complex := range list {
		steps, err := splitComplex(complex)
		if err == nil && len(steps) == 1 {
			compounds[i], err = compileCompound(steps[0].compound)
		} else if err == nil && strings.Contains(complex, ":scope") || err == nil && steps[0].compound == ":scope" {
			err = errors.New(":scope and a combinator can't stand together here")
		} else if err == nil {
			inner := &selector{}
			err = inner.add(steps)
			compounds[i] = compound{complex: inner}
		}
		if err != nil {
			return nil, err
		}
	}
	return compounds, nil
}

// parseBasic has cascadia read pseudo-classes and says clearly what it finds
// wrong.
func parseBasic(src string) (cascadia.Sel, error) {
	sel, err := cascadia.Parse(src)
	if err == nil {
		return sel, nil
	}
	msg := err.Error()
	if name, ok := strings.CutPrefix(msg, "unknown pseudoclass or pseudoelement "); ok {
		return nil, fmt.Errorf("%s is no pseudo-class that is known here", name)
	}
	if strings.Contains(msg, "pseudo-element") || strings.Contains(msg, "pseudoelement") {
		return nil, fmt.Errorf("%q: a pseudo-element is not in the document", src)
	}
	if _, left, ok := strings.Cut(msg, `": `); ok && strings.HasSuffix(left, "bytes left over") {
		var n int
		fmt.Sscanf(left, "%d", &n)
		return nil, fmt.Errorf("unexpected %q in %q", src[len(src)-min(n, len(src)):], src)
	}
	msg = strings.ReplaceAll(msg, "EOF", "its end")
	return nil, fmt.Errorf("%q: %s", src, msg)
}

func isNameByte(c byte) bool {
	return c == '-' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}
