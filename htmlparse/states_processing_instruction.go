package htmlparse

// These states came to the standard in 2026. Without Tokenizer.processingInstructions the tag open state
// makes a bogus comment of all that begins with <?, as the standard did before.

// https://html.spec.whatwg.org/multipage/parsing.html#processing-instruction-open-state
func (z *Tokenizer) processingInstructionOpenState() State {
	if z.pos == len(z.src) {
		return z.eofIn(CodeEOFInProcessingInstruction)
	}
	if c := z.src[z.pos]; c != '_' && !letterClass.has(c) {
		return z.bogusInstruction(CodeInvalidFirstCharacterOfProcessingInstructionTarget)
	}
	z.begin(z.pos)
	return processingInstructionTargetState
}

// https://html.spec.whatwg.org/multipage/parsing.html#processing-instruction-target-state
func (z *Tokenizer) processingInstructionTargetState() State {
	for z.pos < len(z.src) && isInstructionTarget(z.src[z.pos]) {
		z.pos++
	}
	if z.pos == len(z.src) {
		return z.eofIn(CodeEOFInProcessingInstruction)
	}
	if c := z.src[z.pos]; c != '?' && c != '>' && !whitespaceClass.has(c) {
		return z.bogusInstruction(CodeInvalidProcessingInstructionTarget)
	}
	target := z.text(z.pos)
	if equalFoldASCII(target, "xml") || equalFoldASCII(target, "xml-stylesheet") {
		return z.bogusInstruction(CodeDisallowedProcessingInstructionTarget)
	}
	z.tok.Type, z.tok.Name, z.tok.atom = ProcessingInstructionToken, target, 0
	return afterProcessingInstructionTargetState
}

func isInstructionTarget(c byte) bool { return c == '-' || c == '_' || alphanumericClass.has(c) }

// bogusInstruction makes a bogus comment, which begins with the ?, of what was read.
func (z *Tokenizer) bogusInstruction(code string) State {
	z.parseError(code, z.pos)
	z.begin(z.markup + len("<"))
	return bogusCommentState
}

// https://html.spec.whatwg.org/multipage/parsing.html#after-processing-instruction-target-state
func (z *Tokenizer) afterProcessingInstructionTargetState() State {
	z.pos = whitespaceClass.while(z.src, z.pos)
	z.begin(z.pos)
	return processingInstructionDataState
}

// https://html.spec.whatwg.org/multipage/parsing.html#processing-instruction-data-state
func (z *Tokenizer) processingInstructionDataState() State {
	for {
		z.pos = instructionClass.until(z.src, z.pos)
		if z.pos == len(z.src) {
			return z.eofIn(CodeEOFInProcessingInstruction)
		}
		switch z.src[z.pos] {
		case '?':
			z.pos++
			return processingInstructionQuestionableState
		case '>':
			return z.emitInstruction(z.pos)
		case '\r':
			z.normalizeNewline(z.pos)
		default:
			z.replaceNUL(z.pos)
		}
	}
}

// https://html.spec.whatwg.org/multipage/parsing.html#processing-instruction-questionable-state
func (z *Tokenizer) processingInstructionQuestionableState() State {
	if z.pos < len(z.src) && z.src[z.pos] == '>' {
		return z.emitInstruction(z.pos - len("?"))
	}
	return processingInstructionDataState
}

// emitInstruction emits the processing instruction, whose data ends at an offset, and reads the > that ends it.
func (z *Tokenizer) emitInstruction(end int) State {
	z.tok.Data = z.text(end)
	z.pos++
	return z.emit(DataState)
}
