package htmlparse

// State is a state of the tokenizer.
// See https://html.spec.whatwg.org/multipage/parsing.html#tokenization
type State uint8

// The states that a caller may start in.
const (
	DataState State = iota
	RCDATAState
	RawtextState
	ScriptDataState
	PlaintextState
	CDATASectionState
)

// The states that only the tokenizer itself switches to, in the standard's order.
const (
	tagOpenState State = CDATASectionState + 1 + iota
	endTagOpenState
	tagNameState
	rcdataLessThanSignState
	rcdataEndTagOpenState
	rcdataEndTagNameState
	rawtextLessThanSignState
	rawtextEndTagOpenState
	rawtextEndTagNameState
	scriptDataLessThanSignState
	scriptDataEndTagOpenState
	scriptDataEndTagNameState
	scriptDataEscapeStartState
	scriptDataEscapeStartDashState
	scriptDataEscapedState
	scriptDataEscapedDashState
	scriptDataEscapedDashDashState
	scriptDataEscapedLessThanSignState
	scriptDataEscapedEndTagOpenState
	scriptDataEscapedEndTagNameState
	scriptDataDoubleEscapeStartState
	scriptDataDoubleEscapedState
	scriptDataDoubleEscapedDashState
	scriptDataDoubleEscapedDashDashState
	scriptDataDoubleEscapedLessThanSignState
	scriptDataDoubleEscapeEndState
	beforeAttributeNameState
	attributeNameState
	afterAttributeNameState
	beforeAttributeValueState
	attributeValueDoubleQuotedState
	attributeValueSingleQuotedState
	attributeValueUnquotedState
	afterAttributeValueQuotedState
	selfClosingStartTagState
	bogusCommentState
	markupDeclarationOpenState
	commentStartState
	commentStartDashState
	commentState
	commentLessThanSignState
	commentLessThanSignBangState
	commentLessThanSignBangDashState
	commentLessThanSignBangDashDashState
	commentEndDashState
	commentEndState
	commentEndBangState
	doctypeState
	beforeDoctypeNameState
	doctypeNameState
	afterDoctypeNameState
	afterDoctypePublicKeywordState
	beforeDoctypePublicIdentifierState
	doctypePublicIdentifierDoubleQuotedState
	doctypePublicIdentifierSingleQuotedState
	afterDoctypePublicIdentifierState
	betweenDoctypePublicAndSystemIdentifiersState
	afterDoctypeSystemKeywordState
	beforeDoctypeSystemIdentifierState
	doctypeSystemIdentifierDoubleQuotedState
	doctypeSystemIdentifierSingleQuotedState
	afterDoctypeSystemIdentifierState
	bogusDoctypeState
	cdataSectionBracketState
	cdataSectionEndState
	processingInstructionOpenState
	processingInstructionTargetState
	afterProcessingInstructionTargetState
	processingInstructionDataState
	processingInstructionQuestionableState
	characterReferenceState
	namedCharacterReferenceState
	ambiguousAmpersandState
	numericCharacterReferenceState
	hexadecimalCharacterReferenceStartState
	decimalCharacterReferenceStartState
	hexadecimalCharacterReferenceState
	decimalCharacterReferenceState
	numericCharacterReferenceEndState
)

// Two values that a state's method returns to end the dispatch, see Tokenizer.next.
const (
	tokenEmitted State = 254 // a token is complete; Tokenizer.state says where to go on
	endOfFile    State = 255 // the source is read to its end
)
