package htmlparse

import (
	"errors"
	"fmt"
)

// Options of a parse. A nil *Options stands for the zero value.
type Options struct {
	// Charset is the user's override: the label of the encoding to read the
	// page in. Only a byte order mark is stronger. Default: none.
	Charset string

	// ContentType is the value of the Content-Type header that came with the
	// page. Its charset parameter is what the transport layer says.
	// Default: none.
	ContentType string

	// Locale is a BCP 47 language tag, such as "ru" or "zh-TW". It picks the
	// default encoding of pages that don't tell theirs. Default: none.
	Locale string

	// DefaultCharset is the label of the encoding of pages that don't tell
	// theirs. Default: the one that Locale suggests, else windows-1252.
	DefaultCharset string

	// Scripting is the scripting flag: with it the contents of noscript are
	// text, as in a browser that runs scripts. Default: false, they are
	// elements. https://html.spec.whatwg.org/multipage/parsing.html#scripting-flag
	Scripting bool

	// ClassicSelect parses select elements by the insertion modes that the
	// standard had until 2025, which drop most tags in them. Default: false,
	// today's rules.
	ClassicSelect bool

	// ProcessingInstructions makes <?target data> a node of type
	// ProcessingInstructionNode, as the standard says since June 2026.
	// Default: false, it is a comment.
	ProcessingInstructions bool

	// Positions keeps where each node stands in the source, for
	// Document.Position. Default: false.
	Positions bool

	// MaxDepth is how many elements may be open at once. Deeper ones are in
	// the tree, but hold nothing: what would be in them comes behind them.
	// Those that the structure of document, tables and templates hangs on may
	// go eight times as deep. At least 16. Default: 512.
	MaxDepth int

	// MaxNodes is how many nodes the tree may have, together with the
	// attributes of formatting elements that the parser makes again. When
	// there are more, parsing stops. Default: the length of the decoded text
	// in bytes and 10,000.
	MaxNodes int

	// OnError is called for each parse error. It may come before errors that
	// stand further up in the source. Default: none, errors are not looked for.
	OnError func(ParseError)

	// OnScript is called, with Scripting, when a script element has ended and
	// is to run: see Script. It may change the tree, and write into the input.
	// A script element written by a script waits as the standard says.
	// Default: none.
	OnScript func(*Script)
}

// ErrUnknownEncoding is wrapped by the errors for labels in Options, and in
// calls of Decode, that name no encoding. An unknown label in a page or in
// its Content-Type is no error: the next source is asked.
var ErrUnknownEncoding = errors.New("unknown encoding label")

// check finds the mistakes that the caller made, as opposed to the page.
func (o *Options) check() error {
	if o == nil {
		return nil
	}
	for _, f := range []struct{ field, label string }{
		{"Charset", o.Charset},
		{"DefaultCharset", o.DefaultCharset},
	} {
		if f.label == "" {
			continue
		}
		if _, ok := EncodingName(f.label); !ok {
			return fmt.Errorf("htmlparse: Options.%s %q: %w", f.field, f.label, ErrUnknownEncoding)
		}
	}
	return nil
}
