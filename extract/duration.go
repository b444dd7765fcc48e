package extract

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	errDuration     = errors.New("is no duration")
	errTwoDurations = errors.New("has more than one duration: say which with a regex or a closer selector")
)

// isoDuration is a duration of ISO 8601: whole numbers with their letters, of
// which the last may have a fraction.
var isoDuration = regexp.MustCompile(`^P(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:\d+[.,]\d+[YMWD])?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?(?:\d+[.,]\d+[HMS])?)?$`)

// isoLetters is what means to be a duration of ISO 8601.
var isoLetters = regexp.MustCompile(`^[-+−]?P(?:\d|T\d)[\dYMWDTHS.,]*$`)

// parseDuration reads a duration and returns it as ISO 8601 has it: PT1H30M.
//
// One of ISO 8601 stays as it is, in capitals and with a point. Others are
// numbers with units in the words and abbreviations of many languages (1 h 30
// min, 1 Std. 30 Min., 2 días, 1時間30分), in which seconds and minutes beyond
// 59 are carried but hours are not, for days are not all as long; and figures
// with colons: 1:30:00, and minutes and seconds alone, 3:45, as players show
// them, unless a unit of hours follows. Words around are passed over; a range
// and text with two durations are none.
//
// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#durations
func parseDuration(s string) (string, error) {
	if len(s) > longestWriting {
		return "", errors.New("is too long to be a duration")
	}
	upper := strings.ToUpper(strings.TrimSpace(s))
	if isoDuration.MatchString(upper) && !strings.HasSuffix(upper, "P") && !strings.HasSuffix(upper, "T") {
		return strings.Clone(strings.ReplaceAll(upper, ",", ".")), nil
	}
	if isoLetters.MatchString(upper) {
		return "", errDuration
	}
	none := func() string { return "" }
	p := &dateParser{tokens: dateTokens(fold(s), none), language: none}
	var found *duration
	for i := 0; i < len(p.tokens); {
		d, next, err := p.duration(i)
		switch {
		case err != nil:
			return "", err
		case next <= i:
			i++
			continue
		case found != nil && *found != d:
			return "", errTwoDurations
		}
		found, i = &d, next
	}
	if found == nil {
		return "", errDuration
	}
	return found.String(), nil
}

// duration is a length of time in the units that don't depend on each other.
type duration struct {
	months, days, seconds int64
	nanos                 int64
}

const giga = 1_000_000_000

// String returns d as ISO 8601 has it. Weeks alone are days like others here,
// for ISO 8601 has no weeks beside other units.
func (d duration) String() string {
	b := []byte("P")
	part := func(n int64, letter byte) {
		if n != 0 {
			b = append(strconv.AppendInt(b, n, 10), letter)
		}
	}
	part(d.months/12, 'Y')
	part(d.months%12, 'M')
	part(d.days, 'D')
	if d.seconds == 0 && d.nanos == 0 && len(b) > 1 {
		return string(b)
	}
	b = append(b, 'T')
	part(d.seconds/3600, 'H')
	part(d.seconds/60%60, 'M')
	if s := d.seconds % 60; d.nanos > 0 || s > 0 || d.seconds == 0 {
		b = strconv.AppendInt(b, s, 10)
		if d.nanos > 0 {
			b = append(b, '.')
			b = append(b, strings.TrimRight(strconv.FormatInt(giga+d.nanos, 10)[1:], "0")...)
		}
		b = append(b, 'S')
	}
	return string(b)
}

// quantity is a number with a fraction.
type quantity struct{ whole, nanos int64 }

// plusHalf returns q and a half more.
func (q quantity) plusHalf() quantity {
	q.nanos += giga / 2
	return quantity{q.whole + q.nanos/giga, q.nanos % giga}
}

// times returns n of q with the fraction in units of a billionth.
func (q quantity) times(n int64) (whole, nanos int64) {
	nanos = q.nanos * n
	return q.whole*n + nanos/giga, nanos % giga
}

// add counts q of a unit; it is not ok where months would be cut.
func (d *duration) add(q quantity, u timeUnit) (ok bool) {
	whole, nanos := q.whole, q.nanos
	switch u {
	case unitYears:
		whole, nanos = q.times(12)
		d.months += whole
		return nanos == 0
	case unitMonths:
		d.months += whole
		return nanos == 0
	case unitWeeks:
		whole, nanos = q.times(7)
		fallthrough
	case unitDays:
		d.days += whole
		whole, nanos = quantity{nanos: nanos}.times(86400)
	case unitHours:
		whole, nanos = q.times(3600)
	case unitMinutes:
		whole, nanos = q.times(60)
	}
	d.seconds, d.nanos = d.seconds+whole, d.nanos+nanos
	if d.nanos >= giga {
		d.seconds, d.nanos = d.seconds+1, d.nanos-giga
	}
	return true
}

// duration reads what begins at i, and where it ends.
func (p *dateParser) duration(i int) (duration, int, error) {
	if d, next := p.clockDuration(i); next > 0 {
		return d, next, nil
	}
	var d duration
	next, last, parts := i, unitYears+1, 0
	for {
		q, u, end := p.measured(next, last)
		if end == 0 || u >= last {
			break
		}
		if after := p.halfMore(end); after > 0 { // une heure et demie
			q, end = q.plusHalf(), after
		}
		if !d.add(q, u) {
			return d, 0, errDuration
		}
		next, last, parts = end, u, parts+1
		if t := p.token(next); (t.is(",") || t.is(".") || t.is("+") || conjunctions[t.text]) && p.measuredAt(next+1, last) {
			next++
		}
	}
	if parts == 0 {
		return duration{}, 0, nil
	}
	if p.token(i-1).is("-") && p.token(i-2).digits > 0 || p.rangeBefore(i) {
		return d, 0, errors.New("is a range of durations")
	}
	return d, next, nil
}

// rangeBefore reports whether another number and a word for to stand before i.
func (p *dateParser) rangeBefore(i int) bool {
	return p.token(i-2).digits > 0 && rangeWords[p.token(i-1).text]
}

// 1:30:00, 3:45, 1:30 h
func (p *dateParser) clockDuration(i int) (duration, int) {
	a, b := p.token(i), p.token(i+2)
	if a.digits == 0 || a.digits > 4 || !p.token(i+1).is(":") || b.digits != 2 || b.value > 59 || p.token(i-1).is(":") {
		return duration{}, 0
	}
	d, next := duration{seconds: int64(a.value)*60 + int64(b.value)}, i+3
	if c := p.token(i + 4); p.token(next).is(":") && c.digits == 2 && c.value < 60 {
		d.seconds, next = d.seconds*60+int64(c.value), i+5
		if f := p.token(next + 1); p.token(next).is(".") && p.token(next).glued && f.digits > 0 && f.glued {
			d.nanos, next = int64(nanoseconds(f.text)), next+2
		}
		if units[p.token(next).text] == unitHours {
			next++
		}
	} else if units[p.token(next).text] == unitHours {
		d.seconds, next = d.seconds*60, next+1
	} else if units[p.token(next).text] == unitMinutes {
		next++
	}
	if p.token(next).is(":") {
		return duration{}, 0
	}
	return d, next
}

func (p *dateParser) measuredAt(i int, last timeUnit) bool {
	_, u, next := p.measured(i, last)
	return next > 0 && u < last
}

// measured reads a number with its unit; last is the unit before it.
func (p *dateParser) measured(i int, last timeUnit) (q quantity, u timeUnit, next int) {
	q, next, ok := p.quantity(i)
	if !ok {
		return q, 0, 0
	}
	if p.token(next).is("-") && p.token(next).glued && p.token(next+1).glued { // 30-minute
		next++
	}
	word := p.token(next)
	if word.is("'") && p.token(i).digits > 0 {
		if word.glued && !p.token(next+1).is("'") && units[p.token(next+1).text] == noUnit {
			return q, unitMinutes, next + 1
		}
		if next++; p.token(next).is("'") {
			return q, unitSeconds, next + 1
		}
		word = p.token(next) // un'ora
	} else if word.is("'") {
		next++
		word = p.token(next)
	}
	switch {
	case (word.is(`"`) || word.is("″")) && word.glued && p.token(i).digits > 0:
		return q, unitSeconds, next + 1
	case word.is("ms") || word.begins("millisec", "millisek", "milliseg", "миллисек"):
		q.nanos, q.whole = q.nanos/1000+q.whole%1000*(giga/1000), q.whole/1000
		return q, unitSeconds, p.afterUnit(next + 1)
	}
	if u, rest, ok := eastUnit(word.text); ok {
		if strings.HasPrefix(rest, "半") {
			q.nanos += giga / 2
		}
		return q, u, next + 1
	}
	if u := units[word.text]; u != noUnit {
		return q, u, p.afterUnit(next + 1)
	}
	if t := p.token(i); last == unitHours && t.digits == 2 && t.value < 60 && (t.glued || p.ends(i+1)) { // 2h30, 2 h 30
		return q, unitMinutes, i + 1
	}
	return q, 0, 0
}

// ends reports whether no word and no number is at i.
func (p *dateParser) ends(i int) bool {
	t := p.token(i)
	r, _ := utf8.DecodeRuneInString(t.text)
	return t.digits == 0 && !unicode.IsLetter(r)
}

// halfMore returns where words for and a half end that begin at i and have no
// unit of their own; 0 where there are none.
func (p *dateParser) halfMore(i int) (next int) {
	if !conjunctions[p.token(i).text] {
		return 0
	}
	half, next := p.half(i + 1)
	if half.whole > 0 || units[p.token(next).text] != noUnit {
		return 0
	}
	return next
}

// afterUnit passes over the point of an abbreviation.
func (p *dateParser) afterUnit(i int) int {
	if p.token(i).is(".") && p.token(i).glued {
		i++
	}
	return i
}

// quantity reads a number, with a fraction or as a word: 1.5, one and a half.
func (p *dateParser) quantity(i int) (q quantity, next int, ok bool) {
	if q, next, ok = p.plainQuantity(i); ok && conjunctions[p.token(next).text] {
		if half, after := p.half(next + 1); after > 0 && half.whole == 0 && units[p.token(after).text] != noUnit {
			return q.plusHalf(), after, true
		}
	}
	return q, next, ok
}

// plainQuantity is quantity without what an and may add.
func (p *dateParser) plainQuantity(i int) (q quantity, next int, ok bool) {
	t := p.token(i)
	switch {
	case t.is("½"):
		return quantity{nanos: giga / 2}, i + 1, true
	case t.digits > 8, p.token(i-1).is(".") && p.token(i-1).glued && p.token(i-2).digits > 0:
		return q, 0, false
	case t.digits == 0:
		n, ok := quantities[t.text]
		if half, next := p.half(i); next > 0 {
			return half, next, true
		}
		return quantity{whole: int64(n)}, i + 1, ok
	}
	q, next = quantity{whole: int64(t.value)}, i+1
	point, f := p.token(next), p.token(next+1)
	switch {
	case point.is("½") && point.glued:
		return quantity{q.whole, giga / 2}, next + 1, true
	case !point.is(".") && !point.is(",") || !point.glued || f.digits == 0 || !f.glued:
		return q, next, true
	case f.digits == 3 && t.value > 0 && t.digits <= 3: // 1,000
		return quantity{whole: q.whole*1000 + int64(f.value)}, next + 2, true
	}
	q.nanos = int64(nanoseconds(f.text))
	return q, next + 2, true
}

// halfWords are words for a half before a unit.
var halfWords = setOf(`half halbe halben halve demi demie media medio mezza mezzo meia pół půl polovinu fél jumătate yarım`)

// oneAndHalf are words for one and a half.
var oneAndHalf = setOf(`anderthalb eineinhalb anderhalf halvannen półtora полтора полторы`)

// half reads a half, half an, eine halbe, anderthalb.
func (p *dateParser) half(i int) (quantity, int) {
	if oneAndHalf[p.token(i).text] {
		return quantity{1, giga / 2}, i + 1
	}
	if quantities[p.token(i).text] == 1 && halfWords[p.token(i+1).text] {
		i++
	}
	if !halfWords[p.token(i).text] {
		return quantity{}, 0
	}
	i++
	if p.token(i).is("-") || quantities[p.token(i).text] == 1 && units[p.token(i+1).text] != noUnit {
		i++
	}
	return quantity{nanos: giga / 2}, i
}
