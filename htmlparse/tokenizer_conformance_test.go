package htmlparse

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// tokenizerFile is a file of the html5lib tokenizer suite.
type tokenizerFile struct {
	Tests             []tokenizerCase
	XMLViolationTests []tokenizerCase `json:"xmlViolationTests"`
}

type tokenizerCase struct {
	Description   string
	Input         string
	Output        []json.RawMessage
	InitialStates []string
	LastStartTag  string
	Errors        []suiteError
	DoubleEscaped bool
}

type suiteError struct {
	Code string
	Line int
	Col  int
}

// suiteToken is a token in the terms of the suite.
type suiteToken struct {
	Kind        string
	Name, Data  string
	Attr        map[string]string
	SelfClosing bool
	PublicID    *string
	SystemID    *string
	Correctness bool
}

// suiteStates are the suite's names of the states to start in.
var suiteStates = map[string]State{
	"Data state":          DataState,
	"PLAINTEXT state":     PlaintextState,
	"RCDATA state":        RCDATAState,
	"RAWTEXT state":       RawtextState,
	"Script data state":   ScriptDataState,
	"CDATA section state": CDATASectionState,
}

// The cases run as they are, and with each kind of newline instead of theirs, which must not change anything.

// suiteRuns is how many runs the suite has: its cases times their initial states.
const suiteRuns = 7036

func TestTokenizerConformance(t *testing.T) {
	runs := 0
	for _, file := range suiteFiles(t, "tokenizer", ".test") {
		f := readTokenizerFile(t, file)
		for i, c := range slices.Concat(f.Tests, f.XMLViolationTests) {
			for _, state := range c.states() {
				runs++
				name := fmt.Sprintf("%s/%d %s/%s", filepath.Base(file), i, c.Description, state)
				t.Run(name, func(t *testing.T) { c.run(t, state, f.XMLViolationTests != nil) })
			}
		}
	}
	if runs < suiteRuns {
		t.Errorf("%d runs, the suite has %d", runs, suiteRuns)
	}
}

func readTokenizerFile(t testing.TB, path string) tokenizerFile {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var f tokenizerFile
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return f
}

func (c tokenizerCase) states() []string {
	if c.InitialStates == nil {
		return []string{"Data state"}
	}
	return c.InitialStates
}

// source is the case's input. Lone surrogates, which UTF-8 does not have, are in generalized UTF-8.
func (c tokenizerCase) source(t testing.TB) string {
	if c.DoubleEscaped {
		return unescape(t, c.Input)
	}
	return c.Input
}

func (c tokenizerCase) run(t *testing.T, stateName string, xml bool) {
	state, ok := suiteStates[stateName]
	if !ok {
		t.Fatalf("unknown state %q", stateName)
	}
	src := c.source(t)
	opts := TokenizerOptions{State: state, LastStartTag: c.LastStartTag}
	normalized := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(src)
	for _, src := range []string{
		src, normalized, strings.ReplaceAll(normalized, "\n", "\r\n"), strings.ReplaceAll(normalized, "\n", "\r"),
	} {
		got, errors := c.tokenize(t, src, opts)
		if xml {
			for i := range got {
				got[i] = coerced(got[i])
			}
			errors = c.Errors // these cases list none
		}
		if diff := cmp.Diff(c.tokens(t), got); diff != "" {
			t.Errorf("%q: tokens (-want +got):\n%s", src, diff)
		}
		if diff := cmp.Diff(c.Errors, errors, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q: errors (-want +got):\n%s", src, diff)
		}
	}
}

// tokenize gives the tokens, which must be the same with and without an error listener, and the errors.
func (c tokenizerCase) tokenize(t *testing.T, src string, opts TokenizerOptions) (tokens []suiteToken, errors []suiteError) {
	silent := suiteTokens(NewTokenizer(src, &opts))
	opts.OnError = func(e ParseError) { errors = append(errors, inSuiteTerms(src, e)) }
	tokens = suiteTokens(NewTokenizer(src, &opts))
	if diff := cmp.Diff(silent, tokens); diff != "" {
		t.Errorf("%q: tokens with an error listener (+) differ from those without (-):\n%s", src, diff)
	}
	return tokens, errors
}

// inSuiteTerms gives an error as the suite does: it counts columns in UTF-16 code units, we in code points.
func inSuiteTerms(src string, e ParseError) suiteError {
	line := src[strings.LastIndexAny(src[:e.Offset], "\r\n")+1 : e.Offset]
	for _, r := range line {
		if r > 0xFFFF {
			e.Column++
		}
	}
	return suiteError{e.Code, e.Line, e.Column}
}

// suiteTokens gives all tokens in the suite's terms, with adjacent characters joined.
func suiteTokens(z *Tokenizer) []suiteToken {
	var all []suiteToken
	for {
		tok, ok := z.Next()
		if !ok {
			return all
		}
		s := suiteToken{Name: tok.Name, Data: tok.Data}
		switch tok.Type {
		case DoctypeToken:
			s.Kind, s.PublicID, s.SystemID, s.Correctness = "DOCTYPE", tok.PublicID, tok.SystemID, !tok.ForceQuirks
		case StartTagToken:
			s.Kind, s.SelfClosing, s.Attr = "StartTag", tok.SelfClosing, map[string]string{}
			for _, a := range tok.Attr {
				s.Attr[a.Key] = a.Val
			}
		case EndTagToken:
			s.Kind = "EndTag"
		case CommentToken:
			s.Kind = "Comment"
		case CharacterToken:
			s.Kind = "Character"
			if n := len(all); n > 0 && all[n-1].Kind == "Character" {
				all[n-1].Data += tok.Data
				continue
			}
		default:
			s.Kind = fmt.Sprintf("token type %d", tok.Type)
		}
		all = append(all, s)
	}
}

// tokens are the tokens that the case expects.
func (c tokenizerCase) tokens(t testing.TB) []suiteToken {
	var all []suiteToken
	for _, raw := range c.Output {
		var v []any
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		text := func(i int) string {
			s, ok := v[i].(string)
			if !ok {
				t.Fatalf("%s: element %d is no string", raw, i)
			}
			if c.DoubleEscaped {
				return unescape(t, s)
			}
			return s
		}
		optional := func(i int) *string {
			if v[i] == nil {
				return nil
			}
			s := text(i)
			return &s
		}
		s := suiteToken{Kind: text(0)}
		switch kind := fmt.Sprint(s.Kind, len(v)); kind {
		case "DOCTYPE5":
			if v[1] != nil {
				s.Name = text(1)
			}
			s.PublicID, s.SystemID, s.Correctness = optional(2), optional(3), v[4].(bool)
		case "StartTag3", "StartTag4":
			s.Name, s.SelfClosing, s.Attr = text(1), len(v) == 4, map[string]string{}
			for _, key := range slices.Sorted(maps.Keys(v[2].(map[string]any))) {
				value := v[2].(map[string]any)[key].(string)
				if c.DoubleEscaped {
					key, value = unescape(t, key), unescape(t, value)
				}
				s.Attr[key] = value
			}
		case "EndTag2":
			s.Name = text(1)
		case "Comment2", "Character2":
			s.Data = text(1)
		default:
			t.Fatalf("unknown token %s", raw)
		}
		all = append(all, s)
	}
	return all
}

// unescape turns each \uHHHH into the code point, and lone surrogates into generalized UTF-8.
func unescape(t testing.TB, s string) string {
	var b []byte
	for {
		before, rest, found := strings.Cut(s, `\u`)
		b = append(b, before...)
		if !found {
			return string(b)
		}
		code, err := strconv.ParseUint(rest[:4], 16, 16)
		if err != nil {
			t.Fatal(err)
		}
		s = rest[4:]
		if 0xD800 <= code && code <= 0xDFFF {
			b = append(b, 0xE0|byte(code>>12), 0x80|byte(code>>6)&0x3F, 0x80|byte(code)&0x3F)
		} else {
			b = utf8.AppendRune(b, rune(code))
		}
	}
}

// coerced is a token after what the suite's XML cases ask for.
// See https://html.spec.whatwg.org/multipage/parsing.html#coercing-an-html-dom-into-an-infoset
func coerced(tok suiteToken) suiteToken {
	tok.Data = strings.Map(func(r rune) rune {
		switch {
		case r == '\f':
			return ' '
		case isNoncharacter(r):
			return utf8.RuneError
		}
		return r
	}, tok.Data)
	if tok.Kind == "Comment" {
		tok.Data = strings.ReplaceAll(tok.Data, "--", "- -")
	}
	return tok
}
