package xpath

import (
	"math"
	"strconv"
	"strings"
)

// space is the white space of XPath.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-ExprWhitespace
const space = " \t\r\n"

// parseNumber reads a number as the function number does: no exponent, no
// plus sign, NaN for all else.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#function-number
func parseNumber(s string) float64 {
	s = strings.Trim(s, space)
	digits := strings.TrimPrefix(s, "-")
	if n := numberLength(digits); n == 0 || n < len(digits) {
		return math.NaN()
	}
	f, _ := strconv.ParseFloat(s, 64) // what is too large comes as an infinity
	return f
}

// numberLength is how much of s is a number without sign.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#NT-Number
func numberLength(s string) int {
	i, digits := 0, 0
	for ; i < len(s) && isDigit(s[i]); i++ {
		digits++
	}
	if i < len(s) && s[i] == '.' {
		for i++; i < len(s) && isDigit(s[i]); i++ {
			digits++
		}
	}
	if digits == 0 {
		return 0
	}
	return i
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// formatNumber writes a number as the function string does: never with an
// exponent.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#function-string
func formatNumber(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case f == 0: // also below zero
		return "0"
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// round gives the nearest integer, the upper of two.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#function-round
func round(f float64) float64 {
	down := math.Floor(f)
	if f-down >= 0.5 { // false for NaN and the infinities
		down++
	}
	if down == 0 {
		return math.Copysign(0, f)
	}
	return down
}
