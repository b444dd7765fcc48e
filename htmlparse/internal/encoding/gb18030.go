package encoding

import (
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// https://encoding.spec.whatwg.org/#gb18030-decoder
func decodeGB18030(b *strings.Builder, src []byte) {
	for len(src) > 0 {
		n := ASCIIRun(src)
		b.Write(src[:n])
		src = src[n:]
		for len(src) > 0 && src[0] >= utf8.RuneSelf {
			r, size := decodeGB18030Rune(src)
			writeRune(b, r)
			src = src[size:]
		}
	}
}

// decodeGB18030Rune returns the character, 0 for none, that begins with a
// byte outside of ASCII, and the number of bytes read.
func decodeGB18030Rune(src []byte) (r rune, size int) {
	first := src[0]
	switch {
	case first == 0x80:
		return '€', 1
	case first == 0xFF:
		return 0, 1
	case len(src) == 1:
		return 0, 1
	case isGB18030Digit(src[1]):
		return decodeGB18030Four(src)
	}
	r = gb18030Index().at(gb18030Pointer(first, src[1]))
	if r == 0 && src[1] < utf8.RuneSelf {
		return 0, 1 // the trail byte is read again
	}
	return r, 2
}

// decodeGB18030Four decodes four bytes of which the second is a digit. What
// the end of src cuts off is one error; other errors concern the first byte
// alone and the rest is read again.
func decodeGB18030Four(src []byte) (r rune, size int) {
	if len(src) > 2 && !leads81toFE(src[2]) {
		return 0, 1
	}
	if len(src) < 4 {
		return 0, len(src)
	}
	if !isGB18030Digit(src[3]) {
		return 0, 1
	}
	pointer := ((int(src[0]-0x81)*10+int(src[1]-'0'))*126+int(src[2]-0x81))*10 + int(src[3]-'0')
	return gb18030RangesCodePoint(pointer), 4
}

func isGB18030Digit(c byte) bool { return '0' <= c && c <= '9' }

func gb18030Pointer(lead, trail byte) int {
	switch {
	case 0x40 <= trail && trail <= 0x7E:
		return int(lead-0x81)*190 + int(trail-0x40)
	case 0x80 <= trail && trail <= 0xFE:
		return int(lead-0x81)*190 + int(trail-0x41)
	}
	return -1
}

const (
	gb18030BMP    = 39420  // pointers below are in the basic plane
	gb18030Astral = 189000 // the pointer of U+10000
)

// https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point
func gb18030RangesCodePoint(pointer int) rune {
	switch {
	case pointer == 7457:
		return 0xE7C7
	case pointer < gb18030BMP:
		return gb18030Ranges()[pointer]
	case gb18030Astral <= pointer && pointer-gb18030Astral <= utf8.MaxRune-0x10000:
		return 0x10000 + rune(pointer-gb18030Astral)
	}
	return 0
}

var gb18030Ranges = sync.OnceValue(func() index {
	x := make(index, gb18030BMP)
	d := simplifiedchinese.GB18030.NewDecoder()
	for p := range x {
		src := [4]byte{
			0x81 + byte(p/12600), '0' + byte(p/1260%10), 0x81 + byte(p/10%126), '0' + byte(p%10),
		}
		var dst [utf8.UTFMax]byte
		n, _, _ := d.Transform(dst[:], src[:], true)
		x[p], _ = utf8.DecodeRune(dst[:n])
	}
	return x
})

// gb18030Fixes are the runs of the index that x/text does not have: the
// private use areas and what GB 18030-2022 moved out of them.
var gb18030Fixes = []struct {
	pointer int
	first   rune
	length  int
}{
	{6080, 0xE4C6, 96},
	{6270, 0xE526, 96},
	{6376, 0xE766, 6},
	{6433, 0xE76D, 1},
	{6444, 0xE76E, 2},
	{6458, 0xE770, 2},
	{6460, 0xE586, 95},
	{6650, 0xE5E6, 96},
	{6829, 0xE772, 11},
	{6840, 0xE646, 96},
	{7022, 0xE77D, 8},
	{7030, 0xE6A6, 96},
	{7150, 0xE785, 8},
	{7182, 0xFE10, 1},
	{7183, 0xFE12, 1},
	{7184, 0xFE11, 1},
	{7185, 0xFE13, 4},
	{7201, 0xFE17, 2},
	{7208, 0xFE19, 1},
	{7211, 0xE797, 9},
	{7220, 0xE706, 96},
	{7349, 0xE7A0, 15},
	{7397, 0xE7AF, 13},
	{7495, 0xE7BC, 11},
	{7533, 0x1E3F, 1},
	{7538, 0xE7C9, 4},
	{7579, 0xE7CD, 21},
	{7624, 0xE7E2, 1},
	{7627, 0xE7E3, 1},
	{7629, 0xE7E4, 3},
	{7686, 0xE7F4, 13},
	{7775, 0xE801, 15},
	{7886, 0xE000, 94},
	{8076, 0xE05E, 94},
	{8266, 0xE0BC, 94},
	{8456, 0xE11A, 94},
	{8646, 0xE178, 94},
	{8836, 0xE1D6, 94},
	{16525, 0xE810, 5},
	{22706, 0xE234, 94},
	{22896, 0xE292, 94},
	{23086, 0xE2F0, 94},
	{23276, 0xE34E, 94},
	{23466, 0xE3AC, 94},
	{23656, 0xE40A, 94},
	{23767, 0xE816, 3},
	{23775, 0x9FB4, 1},
	{23783, 0x9FB5, 1},
	{23788, 0x9FB6, 2},
	{23794, 0xE831, 1},
	{23795, 0x9FB8, 1},
	{23804, 0xE83B, 1},
	{23812, 0x9FB9, 1},
	{23829, 0x9FBA, 1},
	{23830, 0xE855, 1},
	{23845, 0x9FBB, 1},
	{23846, 0xE468, 94},
}
