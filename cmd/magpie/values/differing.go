package values

import "unicode/utf8"

// maxSame is how much of what two texts begin with in common is shown.
const maxSame = 20

// Differing cuts two texts to a length that a line can hold, so that where they
// differ is seen.
func Differing(old, now string) (string, string) {
	if utf8.RuneCountInString(old) <= ShortLength && utf8.RuneCountInString(now) <= ShortLength {
		return old, now
	}
	a, b := []rune(old), []rune(now)
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	if same > maxSame {
		a, b = a[same-maxSame:], b[same-maxSame:]
		return "…" + Short(string(a)), "…" + Short(string(b))
	}
	return Short(old), Short(now)
}
