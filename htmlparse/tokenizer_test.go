package htmlparse

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/net/html"
)

// ignoreInternal compares tokens by what users see.
var ignoreInternal = cmpopts.IgnoreUnexported(Token{})

func allTokens(z *Tokenizer) []Token {
	var all []Token
	for tok, ok := z.Next(); ok; tok, ok = z.Next() {
		all = append(all, tok)
	}
	return all
}

func TestNext(t *testing.T) {
	text := func(s string) *string { return &s }
	tests := []struct {
		name, src string
		want      []Token
	}{
		{"empty", "", nil},
		{"page", `<!DOCTYPE html PUBLIC "p" 's'><A HREF=x&amp;y Checked>a &lt; b</A ><!--c-->`, []Token{
			{Type: DoctypeToken, Name: "html", PublicID: text("p"), SystemID: text("s")},
			{Type: StartTagToken, Name: "a", Attr: []html.Attribute{{Key: "href", Val: "x&y"}, {Key: "checked"}}},
			{Type: CharacterToken, Data: "a < b"},
			{Type: EndTagToken, Name: "a"},
			{Type: CommentToken, Data: "c"},
		}},
		{"end tag with attributes", `</p a=b/>`, []Token{
			{Type: EndTagToken, Name: "p", Attr: []html.Attribute{{Key: "a", Val: "b/"}}},
		}},
		{"self-closing", `<br/>`, []Token{{Type: StartTagToken, Name: "br", SelfClosing: true}}},
		{"newlines", "a\r\nb\rc\n<p title='\r\n\r'\r\nid=1>", []Token{
			{Type: CharacterToken, Data: "a\nb\nc\n"},
			{Type: StartTagToken, Name: "p", Attr: []html.Attribute{{Key: "title", Val: "\n\n"}, {Key: "id", Val: "1"}}},
		}},
		{"no token for an empty end tag", "a</>b", []Token{{Type: CharacterToken, Data: "ab"}}},
		{"tag cut off", "a<b c=d", []Token{{Type: CharacterToken, Data: "a"}}},
		{"generalized UTF-8 stays", "\xED\xA0\x80", []Token{{Type: CharacterToken, Data: "\xED\xA0\x80"}}},
		{"bytes that are not UTF-8 stay", "\xff<\xfe \xC3", []Token{{Type: CharacterToken, Data: "\xff<\xfe \xC3"}}},
		{"processing instruction is a comment", "<?php a>b?>", []Token{
			{Type: CommentToken, Data: "?php a"},
			{Type: CharacterToken, Data: "b?>"},
		}},
		{"doctype alone", "<!doctype>", []Token{{Type: DoctypeToken, ForceQuirks: true}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, allTokens(NewTokenizer(test.src, nil)), ignoreInternal); diff != "" {
				t.Errorf("%q (-want +got):\n%s", test.src, diff)
			}
		})
	}
}

func TestNextAfterEnd(t *testing.T) {
	for state, name := range map[State]string{DataState: "data", RCDATAState: "RCDATA", ScriptDataState: "script", CDATASectionState: "CDATA"} {
		t.Run(name, func(t *testing.T) {
			errors := 0
			z := NewTokenizer("a", &TokenizerOptions{State: state, OnError: func(ParseError) { errors++ }})
			allTokens(z)
			before := errors
			for range 3 {
				if tok, ok := z.Next(); ok || !cmp.Equal(tok, Token{}, ignoreInternal) {
					t.Errorf("Next after the end = %v, %v", tok, ok)
				}
			}
			if errors != before {
				t.Errorf("%d errors after the end", errors-before)
			}
		})
	}
}

// A token must not change when later ones are made.
func TestTokensAreKept(t *testing.T) {
	var src strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&src, "<P%d A=&amp;%d b=%d></p x=%d>&lt;%d<!--%d\x00-->", i, i, i, i, i, i)
	}
	z := NewTokenizer(src.String(), nil)
	var kept, copies []Token
	for tok, ok := z.Next(); ok; tok, ok = z.Next() {
		kept = append(kept, tok)
		tok.Name, tok.Data = strings.Clone(tok.Name), strings.Clone(tok.Data)
		tok.Attr = slices.Clone(tok.Attr)
		for i, a := range tok.Attr {
			tok.Attr[i] = html.Attribute{Key: strings.Clone(a.Key), Val: strings.Clone(a.Val)}
		}
		copies = append(copies, tok)
	}
	if diff := cmp.Diff(copies, kept, ignoreInternal); diff != "" {
		t.Errorf("tokens changed (-when given +at the end):\n%s", diff)
	}
}

// A caller who appends to the attributes of a token must not write into those of the next.
func TestAttributesHaveNoSpareCapacity(t *testing.T) {
	z := NewTokenizer("<a b=c><d e=f>", nil)
	first, _ := z.Next()
	second, _ := z.Next()
	_ = append(first.Attr, html.Attribute{Key: "x"})
	if want := []html.Attribute{{Key: "e", Val: "f"}}; !cmp.Equal(want, second.Attr) {
		t.Errorf("attributes of the second tag are %v", second.Attr)
	}
}

// Attributes that nobody takes must not show in later tags.
func TestAttributesReused(t *testing.T) {
	z := NewTokenizer("<a b=c d=e f=g><h i j=k>", nil)
	var tok Token
	z.next(&tok)
	z.next(&tok)
	if diff := cmp.Diff([]html.Attribute{{Key: "i"}, {Key: "j", Val: "k"}}, tok.Attr); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDuplicateAttributes(t *testing.T) {
	for _, n := range []int{1, 2, fewAttributes - 1, fewAttributes, fewAttributes + 1, 5 * fewAttributes} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var src strings.Builder
			var want []html.Attribute
			src.WriteString("<a")
			for round := range 3 {
				for i := range n {
					a := html.Attribute{Key: fmt.Sprintf("k%d", i), Val: fmt.Sprint(round)}
					fmt.Fprintf(&src, " %s=%s", strings.ToUpper(a.Key), a.Val)
					if round == 0 {
						want = append(want, a)
					}
				}
			}
			src.WriteString(">")
			errors := 0
			z := NewTokenizer(src.String(), &TokenizerOptions{OnError: func(e ParseError) {
				if e.Code == CodeDuplicateAttribute {
					errors++
				}
			}})
			tok, _ := z.Next()
			if diff := cmp.Diff(want, tok.Attr); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if errors != 2*n {
				t.Errorf("%d errors, want %d", errors, 2*n)
			}
		})
	}
}

func TestProcessingInstructions(t *testing.T) {
	instruction := func(target, data string) []Token {
		return []Token{{Type: ProcessingInstructionToken, Name: target, Data: data}}
	}
	comment := func(data string) []Token { return []Token{{Type: CommentToken, Data: data}} }
	tests := []struct {
		src  string
		want []Token
		code string
	}{
		{"<?a?>", instruction("a", ""), ""},
		{"<?a>", instruction("a", ""), ""},
		{"<?Target-1_x data here?>", instruction("Target-1_x", "data here"), ""},
		{"<?_a \t\n\f\r b>", instruction("_a", "b"), ""},
		{"<?a b??>", instruction("a", "b?"), ""},
		{"<?a b?c?>", instruction("a", "b?c"), ""},
		{"<?a?b?>", instruction("a", "?b"), ""},
		{"<?a b\r\nc\x00?>", instruction("a", "b\nc\uFFFD"), CodeUnexpectedNullCharacter},
		{"<?xmls?>", instruction("xmls", ""), ""},
		{"<?xml version='1.0'?>", comment("?xml version='1.0'?"), CodeDisallowedProcessingInstructionTarget},
		{"<?XML?>", comment("?XML?"), CodeDisallowedProcessingInstructionTarget},
		{"<?Xml-StyleSheet href=x?>", comment("?Xml-StyleSheet href=x?"), CodeDisallowedProcessingInstructionTarget},
		{"<?1a?>", comment("?1a?"), CodeInvalidFirstCharacterOfProcessingInstructionTarget},
		{"<?-a?>", comment("?-a?"), CodeInvalidFirstCharacterOfProcessingInstructionTarget},
		{"<?>", comment("?"), CodeInvalidFirstCharacterOfProcessingInstructionTarget},
		{"<??>", comment("??"), CodeInvalidFirstCharacterOfProcessingInstructionTarget},
		{"<?a:b?>", comment("?a:b?"), CodeInvalidProcessingInstructionTarget},
		{"<?\u00E4?>", comment("?\u00E4?"), CodeInvalidFirstCharacterOfProcessingInstructionTarget},
		{"<?", nil, CodeEOFInProcessingInstruction},
		{"<?a", nil, CodeEOFInProcessingInstruction},
		{"<?a ", nil, CodeEOFInProcessingInstruction},
		{"<?a b?", nil, CodeEOFInProcessingInstruction},
	}
	for _, test := range tests {
		t.Run(test.src, func(t *testing.T) {
			var codes []string
			z := NewTokenizer(test.src, &TokenizerOptions{OnError: func(e ParseError) { codes = append(codes, e.Code) }})
			z.processingInstructions = true
			if diff := cmp.Diff(test.want, allTokens(z), ignoreInternal); diff != "" {
				t.Errorf("tokens (-want +got):\n%s", diff)
			}
			if got := strings.Join(codes, " "); got != test.code {
				t.Errorf("errors %q, want %q", got, test.code)
			}
		})
	}
}

func TestCDATAInForeignContent(t *testing.T) {
	tests := []struct {
		src, want string
	}{
		{"a<![CDATA[b]]>c", "abc"},
		{"<![CDATA[]]>", ""},
		{"<![CDATA[]]>c", "c"},
		{"<![CDATA[]]]]>", "]]"},
		{"<![CDATA[<b>&amp;]]\r\n]>]]>", "<b>&amp;]]\n]>"},
		{"<![CDATA[a\x00", "a\x00"},
		{"<![CDATA[a]]", "a]]"},
	}
	for _, test := range tests {
		t.Run(test.src, func(t *testing.T) {
			z := NewTokenizer(test.src, nil)
			z.foreign = func() bool { return true }
			var tok Token
			got, nul := "", false
			for z.next(&tok) {
				if tok.Type != CharacterToken {
					t.Fatalf("token %v", tok)
				}
				got += tok.Data
				nul = nul || tok.hasNUL
			}
			if got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
			if want := strings.Contains(test.want, "\x00"); nul != want {
				t.Errorf("hasNUL is %v, want %v", nul, want)
			}
		})
	}
}

func TestSwitchTo(t *testing.T) {
	tests := []struct {
		src   string
		state State
		want  []string
	}{
		{"<title>a<b>&amp;</title>c", RCDATAState, []string{"a<b>&", "c"}},
		{"<style>a</b>&amp;</STYLE >c", RawtextState, []string{"a</b>&amp;", "c"}},
		{"<script><!--<script></script>--></script>c", ScriptDataState, []string{"<!--<script></script>-->", "c"}},
		{"<script><!--\r\n<script>\r\x00--></script>", ScriptDataState, []string{"<!--\n<script>\n\uFFFD-->"}},
		{"<plaintext></plaintext>", PlaintextState, []string{"</plaintext>"}},
	}
	for _, test := range tests {
		t.Run(test.src, func(t *testing.T) {
			z := NewTokenizer(test.src, nil)
			var tok Token
			var got []string
			for z.next(&tok) {
				switch tok.Type {
				case StartTagToken:
					z.switchTo(test.state)
				case CharacterToken:
					got = append(got, tok.Data)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestInsert(t *testing.T) {
	z := NewTokenizer("<p>a<script></script>d&amp;", nil)
	var got []string
	var tok Token
	for z.next(&tok) {
		if tok.Type == CharacterToken || tok.Type == CommentToken {
			got = append(got, tok.Data)
		} else {
			got = append(got, tok.Name)
		}
		switch {
		case tok.Type == EndTagToken && tok.Name == "script":
			z.insert("b<i>&lt;c")
		case tok.Data == "end":
			z.insert("<!--more-->")
		case tok.Data == "<cd&":
			z.insert("<!--end-->")
		}
	}
	z.insert("after the end")
	for z.next(&tok) {
		got = append(got, tok.Data)
	}
	want := []string{"p", "a", "script", "script", "b", "i", "<cd&", "end", "more", "after the end"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStatesOfTheTokenizerAloneAreNotStarts(t *testing.T) {
	for state := CDATASectionState + 1; state != 0; state++ {
		if got := allTokens(NewTokenizer("a", &TokenizerOptions{State: state})); len(got) != 1 || got[0].Data != "a" {
			t.Errorf("state %d: %v", state, got)
		}
	}
}
