package htmlparse

import "fmt"

// ParseError is a place where the source breaks the rules of HTML. It is a remark, never a failure.
// See https://html.spec.whatwg.org/multipage/parsing.html#parse-errors
type ParseError struct {
	Code   string // the standard's code, such as "eof-in-tag"
	Offset int    // byte offset in the decoded source
	Line   int    // from 1
	Column int    // from 1, in code points
}

// String returns "line:column: code".
func (e ParseError) String() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Code)
}

// The codes of the standard for errors in the input stream and in tokens.
const (
	CodeAbruptClosingOfEmptyComment                               = "abrupt-closing-of-empty-comment"
	CodeAbruptDoctypePublicIdentifier                             = "abrupt-doctype-public-identifier"
	CodeAbruptDoctypeSystemIdentifier                             = "abrupt-doctype-system-identifier"
	CodeAbsenceOfDigitsInNumericCharacterReference                = "absence-of-digits-in-numeric-character-reference"
	CodeCDATAInHTMLContent                                        = "cdata-in-html-content"
	CodeCharacterReferenceOutsideUnicodeRange                     = "character-reference-outside-unicode-range"
	CodeControlCharacterInInputStream                             = "control-character-in-input-stream"
	CodeControlCharacterReference                                 = "control-character-reference"
	CodeDuplicateAttribute                                        = "duplicate-attribute"
	CodeEndTagWithAttributes                                      = "end-tag-with-attributes"
	CodeEndTagWithTrailingSolidus                                 = "end-tag-with-trailing-solidus"
	CodeDisallowedProcessingInstructionTarget                     = "disallowed-processing-instruction-target"
	CodeEOFBeforeTagName                                          = "eof-before-tag-name"
	CodeEOFInCDATA                                                = "eof-in-cdata"
	CodeEOFInComment                                              = "eof-in-comment"
	CodeEOFInDoctype                                              = "eof-in-doctype"
	CodeEOFInProcessingInstruction                                = "eof-in-processing-instruction"
	CodeEOFInScriptHTMLCommentLikeText                            = "eof-in-script-html-comment-like-text"
	CodeEOFInTag                                                  = "eof-in-tag"
	CodeIncorrectlyClosedComment                                  = "incorrectly-closed-comment"
	CodeIncorrectlyOpenedComment                                  = "incorrectly-opened-comment"
	CodeInvalidCharacterSequenceAfterDoctypeName                  = "invalid-character-sequence-after-doctype-name"
	CodeInvalidFirstCharacterOfProcessingInstructionTarget        = "invalid-first-character-of-processing-instruction-target"
	CodeInvalidFirstCharacterOfTagName                            = "invalid-first-character-of-tag-name"
	CodeInvalidProcessingInstructionTarget                        = "invalid-processing-instruction-target"
	CodeMissingAttributeValue                                     = "missing-attribute-value"
	CodeMissingDoctypeName                                        = "missing-doctype-name"
	CodeMissingDoctypePublicIdentifier                            = "missing-doctype-public-identifier"
	CodeMissingDoctypeSystemIdentifier                            = "missing-doctype-system-identifier"
	CodeMissingEndTagName                                         = "missing-end-tag-name"
	CodeMissingQuoteBeforeDoctypePublicIdentifier                 = "missing-quote-before-doctype-public-identifier"
	CodeMissingQuoteBeforeDoctypeSystemIdentifier                 = "missing-quote-before-doctype-system-identifier"
	CodeMissingSemicolonAfterCharacterReference                   = "missing-semicolon-after-character-reference"
	CodeMissingWhitespaceAfterDoctypePublicKeyword                = "missing-whitespace-after-doctype-public-keyword"
	CodeMissingWhitespaceAfterDoctypeSystemKeyword                = "missing-whitespace-after-doctype-system-keyword"
	CodeMissingWhitespaceBeforeDoctypeName                        = "missing-whitespace-before-doctype-name"
	CodeMissingWhitespaceBetweenAttributes                        = "missing-whitespace-between-attributes"
	CodeMissingWhitespaceBetweenDoctypePublicAndSystemIdentifiers = "missing-whitespace-between-doctype-public-and-system-identifiers"
	CodeNestedComment                                             = "nested-comment"
	CodeNoncharacterCharacterReference                            = "noncharacter-character-reference"
	CodeNoncharacterInInputStream                                 = "noncharacter-in-input-stream"
	CodeNullCharacterReference                                    = "null-character-reference"
	CodeSurrogateCharacterReference                               = "surrogate-character-reference"
	CodeSurrogateInInputStream                                    = "surrogate-in-input-stream"
	CodeUnexpectedCharacterAfterDoctypeSystemIdentifier           = "unexpected-character-after-doctype-system-identifier"
	CodeUnexpectedCharacterInAttributeName                        = "unexpected-character-in-attribute-name"
	CodeUnexpectedCharacterInUnquotedAttributeValue               = "unexpected-character-in-unquoted-attribute-value"
	CodeUnexpectedEqualsSignBeforeAttributeName                   = "unexpected-equals-sign-before-attribute-name"
	CodeUnexpectedNullCharacter                                   = "unexpected-null-character"
	CodeUnexpectedQuestionMarkInsteadOfTagName                    = "unexpected-question-mark-instead-of-tag-name"
	CodeUnexpectedSolidusInTag                                    = "unexpected-solidus-in-tag"
	CodeUnknownNamedCharacterReference                            = "unknown-named-character-reference"
)

// parseError reports an error at an offset of the decoded source to the listener, if there is one.
// The tree builder reports its errors here too, so that all of them come in one order.
func (z *Tokenizer) parseError(code string, offset int) {
	if z.onError != nil {
		z.reportInOrder(code, offset)
	}
}

// reportInOrder reports the errors of the input stream up to an offset, then the error there.
func (z *Tokenizer) reportInOrder(code string, offset int) {
	z.reportInputErrors(offset)
	z.report(code, offset)
}

func (z *Tokenizer) report(code string, offset int) {
	line, column := z.lines.at(z.src, offset)
	z.onError(ParseError{Code: code, Offset: offset, Line: line, Column: column})
}
