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
