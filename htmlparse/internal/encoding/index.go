package encoding

import (
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// An index has the code points by pointer, 0 where there is none. The indexes
// are read out of x/text's decoders when they are first needed.
// https://encoding.spec.whatwg.org/#indexes
type index []rune

// at returns the code point of a pointer, 0 when there is none.
func (x index) at(pointer int) rune {
	if pointer < 0 || pointer >= len(x) {
		return 0
	}
	return x[pointer]
}

var (
	big5Index  = lazyIndex(traditionalchinese.Big5, "", big5Pointer)
	eucKRIndex = lazyIndex(korean.EUCKR, "", eucKRPointer)
	jis0208    = lazyIndex(japanese.ShiftJIS, "", shiftJISPointer)
	jis0212    = lazyIndex(japanese.EUCJP, "\x8F", eucJPPointer)

	gb18030Index = sync.OnceValue(func() index {
		x := readIndex(simplifiedchinese.GB18030, "", gb18030Pointer)
		for _, run := range gb18030Fixes {
			for i := range run.length {
				x[run.pointer+i] = run.first + rune(i)
			}
		}
		return x
	})
)

func lazyIndex(e encoding.Encoding, prefix string, pointer func(lead, trail byte) int) func() index {
	return sync.OnceValue(func() index { return readIndex(e, prefix, pointer) })
}

// readIndex asks e for each pair of bytes, behind prefix, that has a pointer.
func readIndex(e encoding.Encoding, prefix string, pointer func(lead, trail byte) int) index {
	var x index
	d := e.NewDecoder()
	src := append([]byte(prefix), 0, 0)
	for lead := 0x81; lead <= 0xFE; lead++ {
		for trail := 0x40; trail <= 0xFE; trail++ {
			p := pointer(byte(lead), byte(trail))
			if p < 0 {
				continue
			}
			for p >= len(x) {
				x = append(x, 0)
			}
			src[len(prefix)], src[len(prefix)+1] = byte(lead), byte(trail)
			x[p] = decodeOne(d, src)
		}
	}
	return x
}

// decodeOne returns the code point that src stands for, 0 when it is none.
func decodeOne(d *encoding.Decoder, src []byte) rune {
	var dst [16]byte
	n, _, err := d.Transform(dst[:], src, true)
	r, size := utf8.DecodeRune(dst[:n])
	if err != nil || size != n || r == utf8.RuneError {
		return 0
	}
	return r
}
