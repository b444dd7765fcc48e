package xpath

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a token of an expression.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#exprlex
type token struct {
	kind   tokenKind
	text   string // of a literal what is between the quotes, of a name the part behind the prefix
	prefix string
	number float64
	at     int
}

type tokenKind uint8

const (
	endToken tokenKind = iota
	numberToken
	literalToken
	nameToken     // a name test; * is one
	functionToken // a name before (
	axisToken     // a name before ::
	operatorToken // / and // are among them
	punctuationToken
)

// String is how messages call a token.
func (t token) String() string {
	switch {
	case t.kind == endToken:
		return "the end"
	case t.kind == literalToken:
		return strconv.Quote(brief(t.text))
	case t.kind == numberToken:
		return formatNumber(t.number)
	case t.prefix != "":
		return brief(t.prefix + ":" + t.text)
	}
	return brief(t.text)
}

// brief cuts what is too long for a message, or for a name that anything has.
func brief(s string) string {
	const most = 50
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// lexer takes an expression apart.
type lexer struct {
	src string
	at  int
	was token // decides what * and names such as div are
}

// symbols are the tokens without letters; the longer come first.
var symbols = []string{"::", "..", "//", "!=", "<=", ">=", "(", ")", "[", "]", ".", "@", ",", "/", "|", "+", "-", "=", "<", ">", "*"}

// notXPath are the signs of other languages.
var notXPath = []struct{ sign, write string }{
	{"==", "write ="}, {"&&", "write and"}, {"||", "write or"}, {"!", "write != or not(…)"}, {"&", "write and"},
	{"$", "there are no variables; write the value"}, {":", "write an axis before ::, or a name before and after :"},
	{"#", "for an id write [@id = '…']"}, {"{", ""}, {"}", ""}, {"~", ""}, {";", ""}, {"?", ""}, {"\\", ""},
}

func (l *lexer) next() (token, error) {
	l.skipSpace()
	t := token{at: l.at}
	if l.at == len(l.src) {
		l.was = t
		return t, nil
	}
	var err error
	switch c := l.src[l.at]; {
	case c == '"' || c == '\'':
		err = l.literal(&t)
	case isDigit(c) || c == '.' && l.at+1 < len(l.src) && isDigit(l.src[l.at+1]):
		err = l.number(&t)
	case l.nameLength(l.at) > 0:
		l.name(&t)
	default:
		err = l.symbol(&t)
	}
	l.was = t
	return t, err
}

func (l *lexer) skipSpace() {
	for l.at < len(l.src) && strings.IndexByte(space, l.src[l.at]) >= 0 {
		l.at++
	}
}

// behind reports whether s follows, after white space.
func (l *lexer) behind(s string) bool {
	return strings.HasPrefix(strings.TrimLeft(l.src[l.at:min(len(l.src), l.at+1000)], space), s)
}

func (l *lexer) literal(t *token) error {
	text, _, ok := strings.Cut(l.src[l.at+1:], l.src[l.at:l.at+1])
	if !ok {
		return mistake(l.at, "the string isn't closed; write another %c at its end", l.src[l.at])
	}
	t.kind, t.text = literalToken, text
	l.at += len(text) + 2
	return nil
}

func (l *lexer) number(t *token) error {
	n := numberLength(l.src[l.at:])
	t.kind, t.number = numberToken, parseNumber(l.src[l.at:l.at+n])
	l.at += n
	if l.nameLength(l.at) > 0 && !l.operatorFollows() {
		return mistake(l.at, "%s follows a number; write an operator between them, or quotes around a text", brief(l.src[l.at:l.at+l.nameLength(l.at)]))
	}
	return nil
}

// operatorFollows allows 1div 2, which is not forbidden.
func (l *lexer) operatorFollows() bool {
	return isOperatorName(l.src[l.at : l.at+l.nameLength(l.at)])
}

func isOperatorName(name string) bool {
	return name == "and" || name == "or" || name == "div" || name == "mod"
}

// afterOperand reports whether an operator must follow.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#exprlex
func (l *lexer) afterOperand() bool {
	switch l.was.kind {
	case endToken, operatorToken, axisToken, functionToken:
		return false
	case punctuationToken:
		return l.was.text == ")" || l.was.text == "]" || l.was.text == "." || l.was.text == ".."
	}
	return true
}

func (l *lexer) name(t *token) {
	n := l.nameLength(l.at)
	t.text = l.src[l.at : l.at+n]
	l.at += n
	if l.afterOperand() && isOperatorName(t.text) {
		t.kind = operatorToken
		return
	}
	t.kind = nameToken
	if rest := l.src[l.at:]; strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "::") {
		if n := l.nameLength(l.at + 1); n > 0 || strings.HasPrefix(rest, ":*") {
			n = max(n, 1)
			t.prefix, t.text = t.text, rest[1:1+n]
			l.at += 1 + n
		}
	}
	switch {
	case l.behind("::"):
		t.kind = axisToken
	case l.behind("("):
		t.kind = functionToken
	}
}

// nameLength is the length of the name without colon that begins at at.
//
// https://www.w3.org/TR/REC-xml-names/#NT-NCName
func (l *lexer) nameLength(at int) int {
	i := at
	for i < len(l.src) {
		r, size := utf8.DecodeRuneInString(l.src[i:])
		inside := r == '-' || r == '.' || r == '\u00b7' || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
		if r != '_' && !unicode.IsLetter(r) && (i == at || !inside) {
			break
		}
		i += size
	}
	return i - at
}

func (l *lexer) symbol(t *token) error {
	rest := l.src[l.at:]
	if !strings.HasPrefix(rest, "!=") {
		for _, n := range notXPath {
			if !strings.HasPrefix(rest, n.sign) || strings.HasPrefix(rest, "::") {
				continue
			}
			if n.write == "" {
				return mistake(l.at, "%s means nothing in XPath", n.sign)
			}
			return mistake(l.at, "%s means nothing in XPath; %s", n.sign, n.write)
		}
	}
	for _, s := range symbols {
		if strings.HasPrefix(rest, s) {
			t.text = s
			t.kind = l.symbolKind(s)
			l.at += len(s)
			return nil
		}
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return mistake(l.at, "%q means nothing in XPath; write quotes around a text", r)
}

func (l *lexer) symbolKind(s string) tokenKind {
	switch s {
	case "*":
		if !l.afterOperand() {
			return nameToken
		}
		return operatorToken
	case "/", "//", "|", "+", "-", "=", "!=", "<", "<=", ">", ">=":
		return operatorToken
	}
	return punctuationToken
}
