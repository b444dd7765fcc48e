package extract

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// clock is a time of day.
type clock struct {
	hour, minute, second, nano int
	zone                       timeZone
}

// on returns the time on a day; zone is that of a clock without one.
func (c *clock) on(day time.Time, zone *time.Location) time.Time {
	y, m, d := day.Date()
	if c.zone.known {
		zone = c.zone.location(y, m, d, c.hour)
	}
	return time.Date(y, m, d, c.hour, c.minute, c.second, c.nano, zone)
}

// valid reports whether a day has this time. 24:00 is its end.
//
// https://www.rfc-editor.org/rfc/rfc3339#section-5.7
func (c *clock) valid() bool {
	return c.minute < 60 && c.second < 60 && (c.hour < 24 || c.hour == 24 && c.minute+c.second+c.nano == 0)
}

// theClock returns the only time of day in the text, nil where it has none.
func (p *dateParser) theClock() (*clock, error) {
	var found *clock
	for i := 0; i < len(p.tokens); {
		c, next, err := p.clock(i)
		switch {
		case err != nil:
			return nil, err
		case next <= i:
			i++
			continue
		case found != nil && *found != c:
			return nil, errTwoTimes
		}
		found, i = &c, next
	}
	return found, nil
}

// clock reads the time that begins at i, and where it ends.
func (p *dateParser) clock(i int) (c clock, next int, err error) {
	if p.token(i).digits == 0 || p.token(i-1).is(":") && p.token(i-2).digits > 0 {
		return clock{}, 0, nil
	}
	for _, form := range []func(*dateParser, int) (clock, int){
		(*dateParser).colonClock, (*dateParser).compactClock, (*dateParser).wordClock, (*dateParser).dotClock, (*dateParser).bareClock,
	} {
		if c, next = form(p, i); next > 0 {
			break
		}
	}
	if next == 0 {
		return clock{}, 0, nil
	}
	iso := p.token(i-1).is("t") || next-i >= 5 // with seconds
	for p.hourWord(next) || p.token(next).is(".") && p.hourWord(next-1) {
		next++ // 14:30 Uhr
	}
	half, next := p.halfOfDay(i, next)
	if !c.apply(half) || !c.valid() {
		return clock{}, 0, nil
	}
	c.zone, next, err = p.zone(next, iso)
	return c, next, err
}

// apply makes 24 hours of 12.
func (c *clock) apply(half halfDay) bool {
	switch {
	case half == noHalf, c.hour > 12 && half == pm:
	case c.hour > 12:
		return false
	case c.hour == 12 && half == am:
		c.hour = 0
	case c.hour < 12 && half == pm:
		c.hour += 12
	}
	return true
}

// taken reports whether the token at i is part of a date.
func (p *dateParser) taken(i int) bool {
	k, _ := slices.BinarySearchFunc(p.spans, i, func(span [2]int, i int) int {
		if span[1] <= i {
			return -1
		}
		return 1
	})
	return k < len(p.spans) && p.spans[k][0] <= i
}

// 16:05, 16:05:09, 16:05:09.123
func (p *dateParser) colonClock(i int) (clock, int) {
	h, m := p.token(i), p.token(i+2)
	if !h.short() || !p.token(i+1).is(":") || m.digits != 2 {
		return clock{}, 0
	}
	c := clock{hour: h.value, minute: m.value}
	next := i + 3
	if !p.token(next).is(":") || p.token(next+1).digits == 0 {
		return c, next
	}
	s := p.token(next + 1)
	if s.digits != 2 {
		return clock{}, 0
	}
	c.second, next = s.value, next+2
	if f := p.token(next + 1); (p.token(next).is(".") || p.token(next).is(",")) && f.digits > 0 && f.glued && p.token(next).glued {
		c.nano, next = nanoseconds(f.text), next+2
	}
	return c, next
}

// nanoseconds reads the digits behind the point.
func nanoseconds(digits string) int {
	n := 0
	for i := range 9 {
		n *= 10
		if i < len(digits) {
			n += int(digits[i] - '0')
		}
	}
	return n
}

// T16, T1605 and T160509 behind a date
func (p *dateParser) compactClock(i int) (clock, int) {
	t := p.token(i)
	if !p.token(i-1).is("t") || !p.taken(i-2) || !t.glued {
		return clock{}, 0
	}
	switch t.digits {
	case 2:
		return clock{hour: t.value}, i + 1
	case 4:
		return clock{hour: t.value / 100, minute: t.value % 100}, i + 1
	case 6:
		return clock{hour: t.value / 10000, minute: t.value / 100 % 100, second: t.value % 100}, i + 1
	}
	return clock{}, 0
}

var (
	// hourWords stand behind the hour or the time.
	hourWords = setOf(`h hs hrs u uur uhr ч час часов часа год годин hod godz óra órakor น klukkan σ giờ jam pukul saat`)
	// minuteWords stand behind the minutes.
	minuteWords = setOf(`min m мин хв minut phút`)
	// clockWords stand before a time with a point: kl. 14.30.
	clockWords = setOf(`kl klo klokken klockan um ore alle pukul jam o godz godzinie at à às ob о om a las в у saat στις ώρα`)
)

// hourWord reports whether a word for hours is at i.
func (p *dateParser) hourWord(i int) bool { return hourWords[p.token(i).text] && !p.token(i).caps }

// eastHours are the signs behind the hour in East Asia; the words for hours
// that pass begin with some of them.
var eastHours, eastDurations = []string{"時", "时", "点", "點", "시"}, []string{"時間", "时间", "시간", "点钟前"}

// 14h30, 14 Uhr 30, 14 h, 14時30分, 2点半
func (p *dateParser) wordClock(i int) (clock, int) {
	h, word := p.token(i), p.token(i+1)
	east := word.begins(eastHours...) && !word.begins(eastDurations...)
	if !h.short() || p.taken(i) || !east && !p.hourWord(i+1) {
		return clock{}, 0
	}
	c, next := clock{hour: h.value}, i+2
	if !east && p.token(next).is(".") && !p.token(next+1).is(".") {
		next++
	}
	m := p.token(next)
	switch {
	case strings.HasSuffix(word.text, "半"):
		c.minute = 30
	case m.short() && !p.taken(next) && (east || m.digits == 2):
		after := p.token(next + 1)
		if !east && !m.glued && word.glued && !minuteWords[after.text] && word.text != "uhr" {
			break
		}
		c.minute = m.value
		if next++; east && after.begins("分", "분") || !east && minuteWords[after.text] {
			next++
		}
		if s := p.token(next); east && s.short() && p.token(next+1).begins("秒", "초") {
			c.second, next = s.value, next+2
		}
	case !east && p.halfOrDate(i, next), east:
	default: // 3 h of something that passes
		return clock{}, 0
	}
	return c, next
}

// halfOrDate reports whether the hour from i to next stands beside a date or
// behind a word such as at, and so is a time rather than a span of it.
func (p *dateParser) halfOrDate(i, next int) bool {
	return p.besideDate(i) || clockWords[p.token(i-1).text] || p.taken(next) || p.taken(next+1)
}

// besideDate reports whether the token before i belongs to a date, with
// nothing but signs between.
func (p *dateParser) besideDate(i int) bool {
	for i--; i >= 0; i-- {
		switch t := p.token(i); {
		case p.taken(i):
			return true
		case clockWords[t.text], t.is(","), t.is("-"), t.is("–"), t.is("|"), t.is("/"), t.is("."),
			fillers[t.text], t.begins("日", "일"):
		default:
			return false
		}
	}
	return false
}

// kl. 14.30, 14.30 Uhr, 3.11.2026 14.30
func (p *dateParser) dotClock(i int) (clock, int) {
	h, m := p.token(i), p.token(i+2)
	if !h.short() || !p.token(i+1).is(".") || m.digits != 2 || !m.glued || p.taken(i) || p.taken(i+2) ||
		p.token(i-1).is(".") && p.token(i-2).digits > 0 || p.token(i+3).is(".") && p.token(i+4).digits > 0 {
		return clock{}, 0
	}
	if sign, _ := utf8.DecodeRuneInString(p.token(i + 3).text); unicode.Is(unicode.Sc, sign) {
		return clock{}, 0
	}
	before := i - 1
	if p.token(before).is(".") {
		before--
	}
	half, _ := p.halfOfDay(i, i+3)
	if half == noHalf && !clockWords[p.token(before).text] && !p.hourWord(i+3) && !p.besideDate(i) {
		return clock{}, 0
	}
	return clock{hour: h.value, minute: m.value}, i + 3
}

// 4 pm
func (p *dateParser) bareClock(i int) (clock, int) {
	h := p.token(i)
	if !h.short() || p.taken(i) || h.value > 12 || p.token(i-1).is(".") || p.token(i-1).is(":") {
		return clock{}, 0
	}
	if _, next := p.halfOfDay(i, i+1); next == i+1 {
		return clock{}, 0
	}
	return clock{hour: h.value}, i + 1
}

// halfDay is what makes of a time with 12 hours one with 24.
type halfDay int

const (
	noHalf halfDay = iota
	am
	pm
)

// halves are the words for the halves of a day that mean nothing else, which
// stand before the time in East Asia and behind it elsewhere.
var halves = map[string]halfDay{
	"am": am, "pm": pm, "ص": am, "صباحا": am, "صباحًا": am, "م": pm, "مساء": pm, "مساءً": pm, "πμ": am, "μμ": pm,
	"утра": am, "вечера": pm, "ранку": am, "вечора": pm, "पूर्वाह्न": am, "अपराह्न": pm, "noon": pm,
}

var eastHalves = map[string]halfDay{
	"午前": am, "午後": pm, "上午": am, "下午": pm, "早上": am, "凌晨": am, "中午": pm, "晚上": pm, "오전": am, "오후": pm,
}

// halfOfDay finds the half of the day of the time from i to next; it returns
// where the time ends with it.
func (p *dateParser) halfOfDay(i, next int) (halfDay, int) {
	for word, half := range eastHalves { // the letters of a date may stand before
		if strings.HasSuffix(p.token(i-1).text, word) {
			return half, next
		}
	}
	language, _ := languageOf(p.language())
	first, dot, second := p.token(next), p.token(next+1), p.token(next+2)
	if language == "tr" {
		if half, ok := map[string]halfDay{"öö": am, "ös": pm}[p.token(i-1).text]; ok {
			return half, next
		}
	}
	if half, ok := halves[first.text]; ok && !(first.is("am") && (language == "de" || p.token(i).value > 12)) {
		return half, next + 1
	}
	if dot.is(".") && (second.is("m") && (first.is("a") || first.is("p")) || second.is("μ") && (first.is("π") || first.is("μ"))) {
		half := am
		if first.is("p") || first.is("μ") {
			half = pm
		}
		next += 3
		if p.token(next).is(".") {
			next++
		}
		return half, next
	}
	switch {
	case language == "sv" && first.is("fm"), language == "vi" && first.is("sa"):
		return am, next + 1
	case language == "sv" && first.is("em"), language == "vi" && first.is("ch"):
		return pm, next + 1
	}
	return noHalf, next
}
