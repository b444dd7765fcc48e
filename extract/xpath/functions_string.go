package xpath

import (
	"math"
	"strings"
	"unicode/utf8"
)

// Functions on strings: https://www.w3.org/TR/1999/REC-xpath-19991116/#section-String-Functions

func concat(ev *evaluation, f focus, args []expr) Value {
	var b strings.Builder
	for _, a := range args {
		s := ev.string(a, f)
		if ev.left -= len(s); ev.left < 0 {
			break
		}
		b.WriteString(s)
	}
	return stringValue(b.String())
}

// two evaluates the first two arguments.
func two(ev *evaluation, f focus, args []expr) (s, part string) {
	s, part = ev.string(args[0], f), ev.string(args[1], f)
	ev.left -= len(s)
	return s, part
}

func startsWith(ev *evaluation, f focus, args []expr) Value {
	s, part := two(ev, f, args)
	return booleanValue(strings.HasPrefix(s, part))
}

func contains(ev *evaluation, f focus, args []expr) Value {
	s, part := two(ev, f, args)
	return booleanValue(strings.Contains(s, part))
}

func substringBefore(ev *evaluation, f focus, args []expr) Value {
	s, part := two(ev, f, args)
	if before, _, ok := strings.Cut(s, part); ok {
		return stringValue(before)
	}
	return stringValue("")
}

func substringAfter(ev *evaluation, f focus, args []expr) Value {
	s, part := two(ev, f, args)
	_, after, _ := strings.Cut(s, part)
	return stringValue(after)
}

// substring takes the characters whose positions are at least the rounded
// first and less than its sum with the rounded length. All comparisons with
// NaN are false, so nothing is left then.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/#function-substring
func substring(ev *evaluation, f focus, args []expr) Value {
	s := ev.string(args[0], f)
	ev.left -= len(s)
	first, end := round(ev.number(args[1], f)), math.Inf(1)
	if len(args) > 2 {
		end = first + round(ev.number(args[2], f))
	}
	from, to, at := len(s), len(s), 0.0
	for i := range s {
		at++
		if at >= first && from == len(s) {
			from = i
		}
		if !(at < end) {
			to = i
			break
		}
	}
	if from > to {
		from = to
	}
	return stringValue(s[from:to])
}

func stringLength(ev *evaluation, f focus, args []expr) Value {
	s := ev.string(args[0], f)
	ev.left -= len(s)
	return numberValue(float64(utf8.RuneCountInString(s)))
}

// normalizeSpace: https://www.w3.org/TR/1999/REC-xpath-19991116/#function-normalize-space
func normalizeSpace(ev *evaluation, f focus, args []expr) Value {
	s := strings.Trim(ev.string(args[0], f), space)
	ev.left -= len(s)
	if spaceToCollapse(s) < 0 {
		return stringValue(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := spaceToCollapse(s)
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		b.WriteByte(' ')
		s = strings.TrimLeft(s[i:], space)
	}
	b.WriteString(s)
	return stringValue(b.String())
}

// spaceToCollapse returns where white space begins that isn't one space.
func spaceToCollapse(s string) int {
	for i := range len(s) {
		switch s[i] {
		case '\t', '\n', '\r':
			return i
		case ' ':
			if i+1 < len(s) && strings.IndexByte(space, s[i+1]) >= 0 {
				return i
			}
		}
	}
	return -1
}

// translate: https://www.w3.org/TR/1999/REC-xpath-19991116/#function-translate
func translate(ev *evaluation, f focus, args []expr) Value {
	s, from := two(ev, f, args)
	to := ev.string(args[2], f)
	ev.left -= len(from) + len(to)
	table := translation(from, to)
	var b strings.Builder
	kept := 0
	for i, r := range s {
		with, ok := table[r]
		if !ok {
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		b.WriteString(s[kept:i])
		b.WriteString(with)
		kept = i + size
	}
	if kept == 0 {
		return stringValue(s)
	}
	b.WriteString(s[kept:])
	return stringValue(b.String())
}

// translation says what each character becomes, "" where it is dropped. The
// first of several mentions counts.
func translation(from, to string) map[rune]string {
	table := make(map[rune]string, len(from))
	for _, r := range from {
		_, size := utf8.DecodeRuneInString(to)
		if _, ok := table[r]; !ok {
			table[r] = to[:size]
		}
		to = to[size:]
	}
	return table
}
