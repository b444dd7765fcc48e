package config

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// MaxSource is how long a job file may be, in bytes.
const MaxSource = 8 << 20

// Limits of a job file. They keep time and memory in bounds whatever is read
// as one.
const (
	maxSource = MaxSource
	maxMarks  = 400_000   // what may begin or end a value: the YAML parser takes about 1 KB for each
	maxKeys   = 20_000    // the YAML parser's time grows with the square of their number
	maxNest   = 64        // collections within each other; the YAML parser is recursive
	maxValues = 1_000_000 // with aliases resolved
)

const secondDocument = "a second document begins here: a job file holds one job"

// mistakeAt makes a Mistake without its file.
func mistakeAt(p place, format string, args ...any) *Mistake {
	return &Mistake{Line: p.line, Column: p.column, Message: fmt.Sprintf(format, args...)}
}

// readYAML reads the one document of src. Its mistakes are those of YAML
// itself; after the first that is not a duplicate key the root is nil.
func readYAML(src string) (*node, []*Mistake) {
	if m := checkSource(src); m != nil {
		return nil, []*Mistake{m}
	}
	src = strings.TrimPrefix(src, "\uFEFF")
	body, m := parseYAML(src)
	if m != nil {
		return nil, []*Mistake{m}
	}
	c := &converter{lines: strings.Split(src, "\n"), anchors: map[string]*node{}}
	root := c.convert(body, 0)
	if c.fatal != nil {
		return nil, append(c.mistakes, c.fatal)
	}
	return root, c.mistakes
}

// checkSource refuses what cannot be a job file.
func checkSource(src string) *Mistake {
	switch {
	case len(src) > maxSource:
		return mistakeAt(place{}, "this is no job file: it has more than %d MiB", maxSource>>20)
	case strings.HasPrefix(src, "\xFF\xFE"), strings.HasPrefix(src, "\xFE\xFF"):
		return mistakeAt(place{}, "the file is encoded as UTF-16: save it as UTF-8")
	}
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRuneInString(src[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			return mistakeAt(placeOf(src, i), "byte 0x%02X is not UTF-8: save the file as UTF-8", src[i])
		case r < ' ' && r != '\t' && r != '\n' && r != '\r':
			return mistakeAt(placeOf(src, i), "this is a binary file, not a job file in YAML: it has the control character U+%04X", r)
		}
		i += n
	}
	if n, offset := countMarks(src, maxMarks); n > maxMarks {
		return mistakeAt(placeOf(src, offset), "this is no job file: it has more than %d lines and values", maxMarks)
	}
	return nil
}

// countMarks counts what may begin or end a value in YAML, until there are more
// than most: one of those is at offset then.
func countMarks(src string, most int) (n, offset int) {
	before := byte('\n')
	for i := 0; i < len(src); i++ {
		switch c := src[i]; {
		case strings.IndexByte("\n,[]{}", c) >= 0, strings.IndexByte("\"'&*!?|>-%@`#:", c) >= 0 && strings.IndexByte(" \t\n\r,[]{}:\"'", before) >= 0:
			if n++; n > most {
				return n, i
			}
		}
		before = src[i]
	}
	return n, 0
}

// placeOf is the place of a byte offset.
func placeOf(src string, offset int) place {
	before := src[:offset]
	start := strings.LastIndexByte(before, '\n') + 1
	return place{strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1}
}

// parseYAML returns the one document's content.
func parseYAML(src string) (body ast.Node, mistake *Mistake) {
	// A fault of the YAML library must not take the process down.
	defer func() {
		if r := recover(); r != nil {
			body, mistake = nil, mistakeAt(place{}, "the file cannot be read as YAML")
		}
	}()
	tokens := lexer.Tokenize(src)
	if m := checkTokens(tokens); m != nil {
		return nil, m
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, syntaxMistake(src, err)
	}
	for _, doc := range file.Docs {
		switch {
		case doc.Body == nil || doc.Body.Type() == ast.DirectiveType:
		case body != nil:
			return nil, mistakeAt(tokenPlace(doc.Start), secondDocument)
		default:
			body = doc.Body
		}
	}
	if body == nil {
		return nil, mistakeAt(place{}, `the file holds no job: at least start is needed, such as start: "https://example.com/"`)
	}
	return body, nil
}

// checkTokens refuses what would take the YAML parser too long or too deep.
func checkTokens(tokens token.Tokens) *Mistake {
	var keys, brackets, entries, headers, line int
	for _, t := range tokens {
		if t.Position.Line != line {
			line, entries = t.Position.Line, 0
		}
		switch t.Type {
		case token.MappingValueType:
			keys++
		case token.DocumentHeaderType:
			headers++
		case token.MappingStartType, token.SequenceStartType:
			brackets++
		case token.MappingEndType, token.SequenceEndType:
			brackets--
		case token.SequenceEntryType, token.MappingKeyType, token.AnchorType, token.TagType:
			entries++
		}
		if headers > 1 {
			return mistakeAt(tokenPlace(t), secondDocument)
		}
		if keys > maxKeys {
			return mistakeAt(tokenPlace(t), "this is no job file: it has more than %d keys", maxKeys)
		}
		if brackets > maxNest || entries > maxNest {
			return mistakeAt(tokenPlace(t), "nested more than %d levels deep", maxNest)
		}
	}
	return nil
}

func tokenPlace(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{}
	}
	return place{t.Position.Line, max(t.Position.Column, 1)}
}
