package htmlparse

// CodeNonVoidHTMLElementStartTagWithTrailingSolidus is the one code that the standard has for tree construction.
const CodeNonVoidHTMLElementStartTagWithTrailingSolidus = "non-void-html-element-start-tag-with-trailing-solidus"

// The codes of errors in tree construction. The standard says where there is one, but does not name it. The names are those
// that the html5lib suite gives its cases, as far as it does.
const (
	CodeAdoptionAgencyNotCurrent                      = "adoption-agency-not-current"
	CodeAdoptionAgencyNotInScope                      = "adoption-agency-not-in-scope"
	CodeAdoptionAgencyNotOpen                         = "adoption-agency-not-open"
	CodeEOFInFrameset                                 = "eof-in-frameset"
	CodeEOFInTemplate                                 = "eof-in-template"
	CodeEndTagTooEarly                                = "end-tag-too-early"
	CodeEndTagTooEarlyIgnored                         = "end-tag-too-early-ignored"
	CodeExpectedClosingTagButGotEOF                   = "expected-closing-tag-but-got-eof"
	CodeExpectedDoctypeButGotChars                    = "expected-doctype-but-got-chars"
	CodeExpectedDoctypeButGotEOF                      = "expected-doctype-but-got-eof"
	CodeExpectedDoctypeButGotEndTag                   = "expected-doctype-but-got-end-tag"
	CodeExpectedDoctypeButGotStartTag                 = "expected-doctype-but-got-start-tag"
	CodeExpectedEOFButGotChar                         = "expected-eof-but-got-char"
	CodeExpectedNamedClosingTagButGotEOF              = "expected-named-closing-tag-but-got-eof"
	CodeExpectedOneEndTagButGotAnother                = "expected-one-end-tag-but-got-another"
	CodeFosterParentingCharacter                      = "foster-parenting-character"
	CodeInvalidCodepoint                              = "invalid-codepoint"
	CodeNonHTMLRoot                                   = "non-html-root"
	CodeTwoHeadsAreNotBetterThanOne                   = "two-heads-are-not-better-than-one"
	CodeUnexpectedCellEndTag                          = "unexpected-cell-end-tag"
	CodeUnexpectedCellInTableBody                     = "unexpected-cell-in-table-body"
	CodeUnexpectedCharAfterFrameset                   = "unexpected-char-after-frameset"
	CodeUnexpectedChar                                = "unexpected-char"
	CodeUnexpectedEOF                                 = "unexpected-eof"
	CodeUnexpectedCharInFrameset                      = "unexpected-char-in-frameset"
	CodeUnexpectedDoctype                             = "unexpected-doctype"
	CodeUnexpectedEndTag                              = "unexpected-end-tag"
	CodeUnexpectedEndTagAfterFrameset                 = "unexpected-end-tag-after-frameset"
	CodeUnexpectedEndTagBeforeHTML                    = "unexpected-end-tag-before-html"
	CodeUnexpectedEndTagImpliesTableVoodoo            = "unexpected-end-tag-implies-table-voodoo"
	CodeUnexpectedEndTagInFrameset                    = "unexpected-end-tag-in-frameset"
	CodeUnexpectedEndTagInSelect                      = "unexpected-end-tag-in-select"
	CodeUnexpectedEndTagInTableBody                   = "unexpected-end-tag-in-table-body"
	CodeUnexpectedEndTagInTableRow                    = "unexpected-end-tag-in-table-row"
	CodeUnexpectedEndTagTreatedAs                     = "unexpected-end-tag-treated-as"
	CodeUnexpectedFormInTable                         = "unexpected-form-in-table"
	CodeUnexpectedHTMLElementInForeignContent         = "unexpected-html-element-in-foreign-content"
	CodeUnexpectedHiddenInputInTable                  = "unexpected-hidden-input-in-table"
	CodeUnexpectedInputInSelect                       = "unexpected-input-in-select"
	CodeUnexpectedSelectInSelect                      = "unexpected-select-in-select"
	CodeUnexpectedStartTag                            = "unexpected-start-tag"
	CodeUnexpectedStartTagAfterFrameset               = "unexpected-start-tag-after-frameset"
	CodeUnexpectedStartTagIgnored                     = "unexpected-start-tag-ignored"
	CodeUnexpectedStartTagImpliesEndTag               = "unexpected-start-tag-implies-end-tag"
	CodeUnexpectedStartTagImpliesTableVoodoo          = "unexpected-start-tag-implies-table-voodoo"
	CodeUnexpectedStartTagInFrameset                  = "unexpected-start-tag-in-frameset"
	CodeUnexpectedStartTagInSelect                    = "unexpected-start-tag-in-select"
	CodeUnexpectedStartTagOutOfMyHead                 = "unexpected-start-tag-out-of-my-head"
	CodeUnexpectedStartTagTreatedAs                   = "unexpected-start-tag-treated-as"
	CodeUnexpectedTableElementEndTagInSelectInTable   = "unexpected-table-element-end-tag-in-select-in-table"
	CodeUnexpectedTableElementStartTagInSelectInTable = "unexpected-table-element-start-tag-in-select-in-table"
	CodeUnknownDoctype                                = "unknown-doctype"
)

// The codes of the limits against hostile input, which the standard leaves to the parser.
const (
	CodeDepthLimit = "depth-limit" // elements are nested deeper than Options.MaxDepth
	CodeNodeLimit  = "node-limit"  // the tree has more nodes than Options.MaxNodes: the rest of the page is not in it
)

// unexpectedCode gives the code for a token that has no place where it stands.
func unexpectedCode(t *Token) string {
	switch t.Type {
	case StartTagToken:
		return CodeUnexpectedStartTag
	case EndTagToken:
		return CodeUnexpectedEndTag
	case endOfFileToken:
		return CodeUnexpectedEOF
	}
	return CodeUnexpectedChar
}
