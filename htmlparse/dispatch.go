package htmlparse

// next fills tok with the next token and says whether there is one. What only tags or only doctypes have is left as it
// was in the tokens that are neither. tok.Attr is valid until the next call, unless takeAttributes is called before.
func (z *Tokenizer) next(tok *Token) bool {
	if z.tok != tok { // pointers that are written needlessly cost time while garbage is collected
		z.tok = tok
	}
	tok.hasNUL = false
	z.beginText(z.pos)
	state := z.machine(z.state)
	if state == endOfFile {
		z.state = endOfFile
	}
	if z.onError != nil {
		z.reportInputErrors(z.pos - 1)
	}
	return state == tokenEmitted
}

// machine runs the states from the given one on, until a token is complete or the source is read to its end.
//
// Each state is a method that reads as much as the state can take, from z.pos on, and gives the state to go on in.
// A method that completes a token leaves that state in z.state instead and gives tokenEmitted. Where one state nearly
// always follows another, the method of the one calls that of the other straight, which saves the way through here.
func (z *Tokenizer) machine(state State) State {
	for {
		switch state {
		case DataState:
			state = z.dataState()
		case RCDATAState:
			state = z.rcdataState()
		case RawtextState:
			state = z.rawtextState()
		case ScriptDataState:
			state = z.scriptDataState()
		case PlaintextState:
			state = z.plaintextState()
		case CDATASectionState:
			state = z.cdataSectionState()
		case tagOpenState:
			state = z.tagOpenState()
		case endTagOpenState:
			state = z.endTagOpenState()
		case tagNameState:
			state = z.tagNameState()
		case rcdataLessThanSignState:
			state = z.rcdataLessThanSignState()
		case rcdataEndTagOpenState:
			state = z.rcdataEndTagOpenState()
		case rcdataEndTagNameState:
			state = z.rcdataEndTagNameState()
		case rawtextLessThanSignState:
			state = z.rawtextLessThanSignState()
		case rawtextEndTagOpenState:
			state = z.rawtextEndTagOpenState()
		case rawtextEndTagNameState:
			state = z.rawtextEndTagNameState()
		case scriptDataLessThanSignState:
			state = z.scriptDataLessThanSignState()
		case scriptDataEndTagOpenState:
			state = z.scriptDataEndTagOpenState()
		case scriptDataEndTagNameState:
			state = z.scriptDataEndTagNameState()
		case scriptDataEscapeStartState:
			state = z.scriptDataEscapeStartState()
		case scriptDataEscapeStartDashState:
			state = z.scriptDataEscapeStartDashState()
		case scriptDataEscapedState:
			state = z.scriptDataEscapedState()
		case scriptDataEscapedDashState:
			state = z.scriptDataEscapedDashState()
		case scriptDataEscapedDashDashState:
			state = z.scriptDataEscapedDashDashState()
		case scriptDataEscapedLessThanSignState:
			state = z.scriptDataEscapedLessThanSignState()
		case scriptDataEscapedEndTagOpenState:
			state = z.scriptDataEscapedEndTagOpenState()
		case scriptDataEscapedEndTagNameState:
			state = z.scriptDataEscapedEndTagNameState()
		case scriptDataDoubleEscapeStartState:
			state = z.scriptDataDoubleEscapeStartState()
		case scriptDataDoubleEscapedState:
			state = z.scriptDataDoubleEscapedState()
		case scriptDataDoubleEscapedDashState:
			state = z.scriptDataDoubleEscapedDashState()
		case scriptDataDoubleEscapedDashDashState:
			state = z.scriptDataDoubleEscapedDashDashState()
		case scriptDataDoubleEscapedLessThanSignState:
			state = z.scriptDataDoubleEscapedLessThanSignState()
		case scriptDataDoubleEscapeEndState:
			state = z.scriptDataDoubleEscapeEndState()
		case beforeAttributeNameState:
			state = z.beforeAttributeNameState()
		case attributeNameState:
			state = z.attributeNameState()
		case afterAttributeNameState:
			state = z.afterAttributeNameState()
		case beforeAttributeValueState:
			state = z.beforeAttributeValueState()
		case attributeValueDoubleQuotedState:
			state = z.attributeValueDoubleQuotedState()
		case attributeValueSingleQuotedState:
			state = z.attributeValueSingleQuotedState()
		case attributeValueUnquotedState:
			state = z.attributeValueUnquotedState()
		case afterAttributeValueQuotedState:
			state = z.afterAttributeValueQuotedState()
		case selfClosingStartTagState:
			state = z.selfClosingStartTagState()
		case bogusCommentState:
			state = z.bogusCommentState()
		case markupDeclarationOpenState:
			state = z.markupDeclarationOpenState()
		case commentStartState:
			state = z.commentStartState()
		case commentStartDashState:
			state = z.commentStartDashState()
		case commentState:
			state = z.commentState()
		case commentLessThanSignState:
			state = z.commentLessThanSignState()
		case commentLessThanSignBangState:
			state = z.commentLessThanSignBangState()
		case commentLessThanSignBangDashState:
			state = z.commentLessThanSignBangDashState()
		case commentLessThanSignBangDashDashState:
			state = z.commentLessThanSignBangDashDashState()
		case commentEndDashState:
			state = z.commentEndDashState()
		case commentEndState:
			state = z.commentEndState()
		case commentEndBangState:
			state = z.commentEndBangState()
		case doctypeState:
			state = z.doctypeState()
		case beforeDoctypeNameState:
			state = z.beforeDoctypeNameState()
		case doctypeNameState:
			state = z.doctypeNameState()
		case afterDoctypeNameState:
			state = z.afterDoctypeNameState()
		case afterDoctypePublicKeywordState:
			state = z.afterDoctypePublicKeywordState()
		case beforeDoctypePublicIdentifierState:
			state = z.beforeDoctypePublicIdentifierState()
		case doctypePublicIdentifierDoubleQuotedState:
			state = z.doctypePublicIdentifierDoubleQuotedState()
		case doctypePublicIdentifierSingleQuotedState:
			state = z.doctypePublicIdentifierSingleQuotedState()
		case afterDoctypePublicIdentifierState:
			state = z.afterDoctypePublicIdentifierState()
		case betweenDoctypePublicAndSystemIdentifiersState:
			state = z.betweenDoctypePublicAndSystemIdentifiersState()
		case afterDoctypeSystemKeywordState:
			state = z.afterDoctypeSystemKeywordState()
		case beforeDoctypeSystemIdentifierState:
			state = z.beforeDoctypeSystemIdentifierState()
		case doctypeSystemIdentifierDoubleQuotedState:
			state = z.doctypeSystemIdentifierDoubleQuotedState()
		case doctypeSystemIdentifierSingleQuotedState:
			state = z.doctypeSystemIdentifierSingleQuotedState()
		case afterDoctypeSystemIdentifierState:
			state = z.afterDoctypeSystemIdentifierState()
		case bogusDoctypeState:
			state = z.bogusDoctypeState()
		case cdataSectionBracketState:
			state = z.cdataSectionBracketState()
		case cdataSectionEndState:
			state = z.cdataSectionEndState()
		case processingInstructionOpenState:
			state = z.processingInstructionOpenState()
		case processingInstructionTargetState:
			state = z.processingInstructionTargetState()
		case afterProcessingInstructionTargetState:
			state = z.afterProcessingInstructionTargetState()
		case processingInstructionDataState:
			state = z.processingInstructionDataState()
		case processingInstructionQuestionableState:
			state = z.processingInstructionQuestionableState()
		case characterReferenceState:
			state = z.characterReferenceState()
		case namedCharacterReferenceState:
			state = z.namedCharacterReferenceState()
		case ambiguousAmpersandState:
			state = z.ambiguousAmpersandState()
		case numericCharacterReferenceState:
			state = z.numericCharacterReferenceState()
		case hexadecimalCharacterReferenceStartState:
			state = z.hexadecimalCharacterReferenceStartState()
		case decimalCharacterReferenceStartState:
			state = z.decimalCharacterReferenceStartState()
		case hexadecimalCharacterReferenceState:
			state = z.hexadecimalCharacterReferenceState()
		case decimalCharacterReferenceState:
			state = z.decimalCharacterReferenceState()
		case numericCharacterReferenceEndState:
			state = z.numericCharacterReferenceEndState()
		default: // tokenEmitted or endOfFile
			return state
		}
	}
}
