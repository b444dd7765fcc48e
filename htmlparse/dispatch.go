package htmlparse

// next fills tok with the next token and says whether there is one.
// tok.Attr is valid until the next call, unless takeAttributes is called before.
//
// Each state is a method that reads as much as the state can take, from z.pos on, and gives the state to go on in.
// A method that completes a token leaves that state in z.state instead and gives tokenEmitted.
func (z *Tokenizer) next(tok *Token) bool {
	*tok = Token{}
	z.tok = tok
	z.textStart = z.pos
	z.begin(z.pos)
	state := z.state
	for state < tokenEmitted {
		state = z.step(state)
	}
	if state == endOfFile {
		z.state = endOfFile
	}
	if z.onError != nil {
		z.reportInputErrors(z.pos - 1)
	}
	return state == tokenEmitted
}

// step runs one state.
func (z *Tokenizer) step(state State) State {
	switch state {
	case DataState:
		return z.dataState()
	case RCDATAState:
		return z.rcdataState()
	case RawtextState:
		return z.rawtextState()
	case ScriptDataState:
		return z.scriptDataState()
	case PlaintextState:
		return z.plaintextState()
	case CDATASectionState:
		return z.cdataSectionState()
	case tagOpenState:
		return z.tagOpenState()
	case endTagOpenState:
		return z.endTagOpenState()
	case tagNameState:
		return z.tagNameState()
	case rcdataLessThanSignState:
		return z.rcdataLessThanSignState()
	case rcdataEndTagOpenState:
		return z.rcdataEndTagOpenState()
	case rcdataEndTagNameState:
		return z.rcdataEndTagNameState()
	case rawtextLessThanSignState:
		return z.rawtextLessThanSignState()
	case rawtextEndTagOpenState:
		return z.rawtextEndTagOpenState()
	case rawtextEndTagNameState:
		return z.rawtextEndTagNameState()
	case scriptDataLessThanSignState:
		return z.scriptDataLessThanSignState()
	case scriptDataEndTagOpenState:
		return z.scriptDataEndTagOpenState()
	case scriptDataEndTagNameState:
		return z.scriptDataEndTagNameState()
	case scriptDataEscapeStartState:
		return z.scriptDataEscapeStartState()
	case scriptDataEscapeStartDashState:
		return z.scriptDataEscapeStartDashState()
	case scriptDataEscapedState:
		return z.scriptDataEscapedState()
	case scriptDataEscapedDashState:
		return z.scriptDataEscapedDashState()
	case scriptDataEscapedDashDashState:
		return z.scriptDataEscapedDashDashState()
	case scriptDataEscapedLessThanSignState:
		return z.scriptDataEscapedLessThanSignState()
	case scriptDataEscapedEndTagOpenState:
		return z.scriptDataEscapedEndTagOpenState()
	case scriptDataEscapedEndTagNameState:
		return z.scriptDataEscapedEndTagNameState()
	case scriptDataDoubleEscapeStartState:
		return z.scriptDataDoubleEscapeStartState()
	case scriptDataDoubleEscapedState:
		return z.scriptDataDoubleEscapedState()
	case scriptDataDoubleEscapedDashState:
		return z.scriptDataDoubleEscapedDashState()
	case scriptDataDoubleEscapedDashDashState:
		return z.scriptDataDoubleEscapedDashDashState()
	case scriptDataDoubleEscapedLessThanSignState:
		return z.scriptDataDoubleEscapedLessThanSignState()
	case scriptDataDoubleEscapeEndState:
		return z.scriptDataDoubleEscapeEndState()
	case beforeAttributeNameState:
		return z.beforeAttributeNameState()
	case attributeNameState:
		return z.attributeNameState()
	case afterAttributeNameState:
		return z.afterAttributeNameState()
	case beforeAttributeValueState:
		return z.beforeAttributeValueState()
	case attributeValueDoubleQuotedState:
		return z.attributeValueDoubleQuotedState()
	case attributeValueSingleQuotedState:
		return z.attributeValueSingleQuotedState()
	case attributeValueUnquotedState:
		return z.attributeValueUnquotedState()
	case afterAttributeValueQuotedState:
		return z.afterAttributeValueQuotedState()
	case selfClosingStartTagState:
		return z.selfClosingStartTagState()
	case bogusCommentState:
		return z.bogusCommentState()
	case markupDeclarationOpenState:
		return z.markupDeclarationOpenState()
	case commentStartState:
		return z.commentStartState()
	case commentStartDashState:
		return z.commentStartDashState()
	case commentState:
		return z.commentState()
	case commentLessThanSignState:
		return z.commentLessThanSignState()
	case commentLessThanSignBangState:
		return z.commentLessThanSignBangState()
	case commentLessThanSignBangDashState:
		return z.commentLessThanSignBangDashState()
	case commentLessThanSignBangDashDashState:
		return z.commentLessThanSignBangDashDashState()
	case commentEndDashState:
		return z.commentEndDashState()
	case commentEndState:
		return z.commentEndState()
	case commentEndBangState:
		return z.commentEndBangState()
	case doctypeState:
		return z.doctypeState()
	case beforeDoctypeNameState:
		return z.beforeDoctypeNameState()
	case doctypeNameState:
		return z.doctypeNameState()
	case afterDoctypeNameState:
		return z.afterDoctypeNameState()
	case afterDoctypePublicKeywordState:
		return z.afterDoctypePublicKeywordState()
	case beforeDoctypePublicIdentifierState:
		return z.beforeDoctypePublicIdentifierState()
	case doctypePublicIdentifierDoubleQuotedState:
		return z.doctypePublicIdentifierDoubleQuotedState()
	case doctypePublicIdentifierSingleQuotedState:
		return z.doctypePublicIdentifierSingleQuotedState()
	case afterDoctypePublicIdentifierState:
		return z.afterDoctypePublicIdentifierState()
	case betweenDoctypePublicAndSystemIdentifiersState:
		return z.betweenDoctypePublicAndSystemIdentifiersState()
	case afterDoctypeSystemKeywordState:
		return z.afterDoctypeSystemKeywordState()
	case beforeDoctypeSystemIdentifierState:
		return z.beforeDoctypeSystemIdentifierState()
	case doctypeSystemIdentifierDoubleQuotedState:
		return z.doctypeSystemIdentifierDoubleQuotedState()
	case doctypeSystemIdentifierSingleQuotedState:
		return z.doctypeSystemIdentifierSingleQuotedState()
	case afterDoctypeSystemIdentifierState:
		return z.afterDoctypeSystemIdentifierState()
	case bogusDoctypeState:
		return z.bogusDoctypeState()
	case cdataSectionBracketState:
		return z.cdataSectionBracketState()
	case cdataSectionEndState:
		return z.cdataSectionEndState()
	case processingInstructionOpenState:
		return z.processingInstructionOpenState()
	case processingInstructionTargetState:
		return z.processingInstructionTargetState()
	case afterProcessingInstructionTargetState:
		return z.afterProcessingInstructionTargetState()
	case processingInstructionDataState:
		return z.processingInstructionDataState()
	case processingInstructionQuestionableState:
		return z.processingInstructionQuestionableState()
	case characterReferenceState:
		return z.characterReferenceState()
	case namedCharacterReferenceState:
		return z.namedCharacterReferenceState()
	case ambiguousAmpersandState:
		return z.ambiguousAmpersandState()
	case numericCharacterReferenceState:
		return z.numericCharacterReferenceState()
	case hexadecimalCharacterReferenceStartState:
		return z.hexadecimalCharacterReferenceStartState()
	case decimalCharacterReferenceStartState:
		return z.decimalCharacterReferenceStartState()
	case hexadecimalCharacterReferenceState:
		return z.hexadecimalCharacterReferenceState()
	case decimalCharacterReferenceState:
		return z.decimalCharacterReferenceState()
	case numericCharacterReferenceEndState:
		return z.numericCharacterReferenceEndState()
	}
	return endOfFile
}
