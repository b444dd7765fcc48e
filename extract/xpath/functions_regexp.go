package xpath

import (
	"fmt"
	"regexp"
	"strings"
)

const (
	maxPatterns = 100  // that one evaluation puts together
	maxPattern  = 2000 // bytes of a pattern
)

// compiledRegexp is a pattern, or what is wrong with it.
type compiledRegexp struct {
	re  *regexp.Regexp
	err error
}

// test is a call of re:test whose pattern is in the expression.
type test struct {
	s  expr
	re *regexp.Regexp
}

func (*test) kind() Kind { return Boolean }

func (t *test) eval(ev *evaluation, f focus) Value {
	return booleanValue(ev.matches(t.re, ev.string(t.s, f)))
}

func (ev *evaluation) matches(re *regexp.Regexp, s string) bool {
	if ev.left -= 1 + 4*len(s); ev.left < 0 {
		return false
	}
	return re.MatchString(s)
}

// compileTest compiles the pattern of a call of re:test if it is known.
func compileTest(t token, fn *function, args []expr) (expr, error) {
	pattern, ok := args[1].(constant)
	flags := constant{stringValue("")}
	if len(args) > 2 && ok {
		flags, ok = args[2].(constant)
	}
	if !ok {
		return &call{fn, args}, nil
	}
	var ev evaluation
	re, err := compilePattern(ev.stringOf(pattern.value), ev.stringOf(flags.value))
	if err != nil {
		return nil, mistake(t.at, "%v", err)
	}
	return &test{args[0], re}, nil
}

// compilePattern knows the flags g, which means nothing to a test, i, m and s.
func compilePattern(pattern, flags string) (*regexp.Regexp, error) {
	if len(pattern)+len(flags) > maxPattern {
		return nil, fmt.Errorf("the pattern of re:test is longer than %d bytes", maxPattern)
	}
	on := ""
	for _, f := range flags {
		switch f {
		case 'i', 'm', 's':
			on += string(f)
		case 'g':
		default:
			return nil, fmt.Errorf("re:test has no flag %q; write i, m or s", f)
		}
	}
	if on != "" {
		pattern = "(?" + on + ")" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("the pattern of re:test: %w; write one of https://pkg.go.dev/regexp/syntax", err)
	}
	return re, nil
}

// regexpTest is re:test with a pattern that the page has a part in.
func regexpTest(ev *evaluation, f focus, args []expr) Value {
	s, pattern := two(ev, f, args)
	flags := ""
	if len(args) > 2 {
		flags = ev.string(args[2], f)
	}
	key := flags + "/" + pattern
	c := ev.patterns[key]
	if c == nil && ev.left >= 0 && ev.err == nil {
		c = ev.compileNew(pattern, flags, key)
	}
	switch {
	case c == nil:
		return booleanValue(false)
	case c.err != nil:
		ev.err = c.err
		return booleanValue(false)
	}
	return booleanValue(ev.matches(c.re, s))
}

func (ev *evaluation) compileNew(pattern, flags, key string) *compiledRegexp {
	c := &compiledRegexp{}
	switch {
	case len(ev.patterns) == maxPatterns:
		c.err = fmt.Errorf("re:test has more than %d patterns", maxPatterns)
	default:
		ev.left -= 100 * min(len(key), maxPattern)
		c.re, c.err = compilePattern(strings.Clone(pattern), flags) // errors have the pattern
	}
	if ev.patterns == nil {
		ev.patterns = map[string]*compiledRegexp{}
	}
	ev.patterns[key] = c
	return c
}
