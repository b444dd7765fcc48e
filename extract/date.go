package extract

import (
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"
)

var errDate = errors.New("is no date with day, month and year")

// parseDate reads a date and returns it as 2006-01-02, the day that is
// written, whatever the time and time zone beside it. It reads ISO 8601, the
// dates of RFC 822, 1123, 850 and of asctime, and how people write dates in
// many languages: 2 January 2026, Jan 2, 2026, 02.01.2026, 2 de enero de
// 2026, 2026年1月2日. Words around the date are passed over; text with two
// different dates is no date.
//
// 01/02/2026 is 2 January where the language of the element is that of the
// United States (en, en-US, …; also in the Philippines), 1 February in
// others, and no date where no language is given. With dots the day comes
// first. A year of two digits is of 1969 to 2068.
func parseDate(s string, language func() string) (string, error) {
	p, err := findDates(s, language)
	if err != nil {
		return "", err
	}
	return p.theDate()
}

// parseDateAt is parseDate that also reads what counts from now, the time
// when the page was fetched: yesterday, vor 3 Tagen, 3日前. The day is that
// in the location of now; a zero now reads nothing of the kind.
func parseDateAt(s string, language func() string, now time.Time) (string, error) {
	p, err := findDates(s, language)
	if err != nil {
		return "", err
	}
	date, err := p.theDate()
	if err != errDate || now.IsZero() {
		return date, err
	}
	r, err := p.relative()
	if err != nil {
		return "", err
	}
	t, _ := r.from(now)
	if t.Year() < 1 || t.Year() > 9999 {
		return "", errDate
	}
	return t.Format(time.DateOnly), nil
}

// findDates finds all dates of a text.
func findDates(s string, language func() string) (*dateParser, error) {
	if len(s) > longestWriting {
		return nil, errors.New("is too long to be a date")
	}
	p := &dateParser{tokens: dateTokens(fold(s), language), language: language}
	p.thai = strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Thai, r) })
	for p.at < len(p.tokens) {
		if next := p.date(); next > p.at {
			p.ranged = p.ranged || p.endsRange(p.at)
			p.spans = append(p.spans, [2]int{p.at, next})
			p.at = next
		} else {
			p.at++
		}
	}
	return p, nil
}

// endsRange reports whether the date that begins at i is the end of a range
// whose beginning lacks what they share: 2–4 January 2026, 2. bis 4. Januar
// 2026, Jan 2 – Jan 4, 2026. With spaces around a dash, a number behind a word
// may belong to that: Episode 2 – 4 January 2026.
func (p *dateParser) endsRange(i int) bool {
	between, at := p.token(i-1), i-2
	word := rangeWords[between.text] && !between.is("-") && !between.is("–")
	if !word && !between.is("-") && !between.is("–") && !between.is("/") {
		return false
	}
	if p.token(at).is(".") {
		at--
	}
	switch first, before := p.token(at), p.token(at-1); {
	case first.month > 0:
		return p.token(p.skipBack(at - 1)).short()
	case !first.short():
		return false
	case before.month > 0:
		return true
	default:
		return p.token(i).short() && !before.is(":") && (word || at == 0 || between.glued && p.token(i).glued)
	}
}

// skipBack returns the first token from i back that isn't just between the
// parts of a date.
func (p *dateParser) skipBack(i int) int {
	for n := 0; n < 4 && p.token(i).filler; n++ {
		i--
	}
	return i
}

// theDate returns the only date of the text.
func (p *dateParser) theDate() (string, error) {
	switch {
	case p.ranged:
		return "", errors.New("is a range of dates: say with a regex which end is meant")
	case len(p.dates) > 1:
		return "", errors.New("has more than one date: say which with a regex or a closer selector")
	case len(p.dates) == 1:
		return p.dates[0], nil
	case p.err != nil:
		return "", p.err
	}
	return "", errDate
}

// dateParser finds dates in a list of tokens.
type dateParser struct {
	tokens   []dateToken
	at       int
	language func() string
	dates    []string // found, without repetition
	spans    [][2]int // the tokens that dates were made of, from and to
	err      error    // why something like a date was none
	thai     bool     // the text has Thai letters
	ranged   bool     // a day stands before a date, and a word or sign for to between them
}

var dateForms = []func(*dateParser) int{
	(*dateParser).yearMonthDay, (*dateParser).compact, (*dateParser).eastAsian, (*dateParser).era, (*dateParser).yearNameDay, (*dateParser).yearDayName,
	(*dateParser).dayNameYear, (*dateParser).nameDayYear, (*dateParser).numeric,
}

// date reads the date that begins at p.at and returns where it ends.
func (p *dateParser) date() (next int) {
	if p.token(p.at-1).is(":") && p.token(p.at-2).digits > 0 { // within a time
		return 0
	}
	for _, form := range dateForms {
		if next := form(p); next > 0 {
			return next
		}
	}
	return 0
}

// token returns the token at i, an empty one beyond the ends.
func (p *dateParser) token(i int) dateToken {
	if i < 0 || i >= len(p.tokens) {
		return dateToken{}
	}
	return p.tokens[i]
}

// add notes a date and returns next, or 0 where there is no such day.
func (p *dateParser) add(year, month, day, next int) int {
	if p.token(next).is(":") {
		return 0
	}
	language, _ := languageOf(p.language())
	switch {
	case (p.thai || language == "th") && year > 2400:
		year -= 543 // Buddhist era
	case language == "fa" && year < 1600:
		p.err = errors.New("is a date of another calendar")
		return 0
	}
	t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if year < 1 || year > 9999 || t.Year() != year || int(t.Month()) != month || t.Day() != day {
		return 0
	}
	if s := t.Format(time.DateOnly); !slices.Contains(p.dates, s) && len(p.dates) < 2 {
		p.dates = append(p.dates, s)
	}
	return next
}

// 2026-01-02, 2026/1/2, 2026. 1. 2.
func (p *dateParser) yearMonthDay() int {
	y, sep, m, sep2, d := p.token(p.at), p.token(p.at+1), p.token(p.at+2), p.token(p.at+3), p.token(p.at+4)
	if y.digits != 4 || !m.short() || !d.short() || !sep.separator() || sep.text != sep2.text {
		return 0
	}
	return p.add(y.value, m.value, d.value, p.at+5)
}

// 20260102, alone or before a time
func (p *dateParser) compact() int {
	t, after := p.token(p.at), p.token(p.at+1)
	if t.digits != 8 || p.at > 0 || len(p.tokens) > 1 && !after.is("t") || t.value < 1800_00_00 || t.value > 2200_00_00 {
		return 0
	}
	return p.add(t.value/10000, t.value/100%100, t.value%100, p.at+1)
}

// 2026年1月2日, 2026년 1월 2일
func (p *dateParser) eastAsian() int {
	y, m, d := p.token(p.at), p.token(p.at+2), p.token(p.at+4)
	if y.digits != 4 || !m.short() || !d.short() || !p.token(p.at+1).begins("年", "년") || !p.token(p.at+3).begins("月", "월") {
		return 0
	}
	return p.add(y.value, m.value, d.value, p.at+5)
}

// eras are the years before the first of a Japanese era, and of the Republic
// of China.
var eras = map[string]int{"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867, "民國": 1911, "民国": 1911}

// 令和8年1月2日, 令和元年5月1日
func (p *dateParser) era() int {
	name, first := strings.CutSuffix(p.token(p.at).text, "元年")
	before, ok := eras[name]
	if !ok {
		return 0
	}
	year, at := 1, p.at+1
	if !first {
		if y := p.token(at); y.digits == 0 || y.digits > 3 || !p.token(at+1).begins("年") {
			return 0
		}
		year, at = p.token(at).value, at+2
	}
	m, d := p.token(at), p.token(at+2)
	if !m.short() || !d.short() || !p.token(at+1).begins("月") {
		return 0
	}
	return p.add(before+year, m.value, d.value, at+3)
}

// 2026. január 2., 2026-Jan-02, 2026 m. sausio 2 d.
func (p *dateParser) yearNameDay() int {
	y := p.token(p.at)
	m := p.skip(p.at + 1)
	d := p.skip(m + 1)
	if y.digits != 4 || p.token(m).month == 0 || !p.token(d).short() || p.token(p.skip(d+1)).digits == 4 {
		return 0
	}
	return p.add(y.value, p.token(m).month, p.token(d).value, d+1)
}

// 2026. gada 2. janvāris, 2026 ж. 2 қаңтар
func (p *dateParser) yearDayName() int {
	y := p.token(p.at)
	d := p.skip(p.at + 1)
	m := p.skip(d + 1)
	if y.digits != 4 || d == p.at+1 || !p.token(d).short() || p.token(m).month == 0 || p.token(p.skip(m+1)).digits == 4 {
		return 0
	}
	return p.add(y.value, p.token(m).month, p.token(d).value, m+1)
}

// 2 January 2026, 2nd of January, 2026, 2 de enero de 2026, 02-Jan-26
func (p *dateParser) dayNameYear() int {
	d := p.token(p.at)
	m := p.skip(p.at + 1)
	y := p.skip(m + 1)
	year, ok := p.year(y)
	if !d.short() || p.token(m).month == 0 || !ok {
		return 0
	}
	return p.add(year, p.token(m).month, d.value, y+1)
}

// Jan 2, 2026, January 2nd 2026, Jan  2 10:00:00 2026
func (p *dateParser) nameDayYear() int {
	m, d := p.token(p.at), p.skip(p.at+1)
	if m.month == 0 || !p.token(d).short() {
		return 0
	}
	y := p.skip(d + 1)
	if p.token(y + 1).is(":") { // asctime
		for y++; p.token(y).is(":"); y += 2 {
		}
		if p.token(y).digits == 0 { // a time zone
			y++
		}
	}
	if p.token(y).digits != 4 && !(p.token(y).digits == 2 && p.token(y-1).is("'")) {
		return 0
	}
	return p.add(fullYear(p.token(y)), m.month, p.token(d).value, y+1)
}

// 02.01.2026, 2/1/26, 01-02-2026
func (p *dateParser) numeric() int {
	a, sep, b, sep2 := p.token(p.at), p.token(p.at+1), p.token(p.at+2), p.token(p.at+3)
	year, ok := p.year(p.at + 4)
	byYear := a.digits == 2 && p.token(p.at+4).short() && p.inLanguage(yearFirst...)
	if !a.short() || !b.short() || !ok && !byYear || !sep.separator() || sep.text != sep2.text || p.token(p.at-1).is(sep.text) {
		return 0
	}
	next := p.at + 5
	if p.token(next).is(sep.text) && p.token(next+1).digits > 0 { // an IP address, a version
		return 0
	}
	if byYear {
		return p.add(fullYear(a), b.value, p.token(p.at+4).value, next)
	}
	day, month := a.value, b.value
	switch {
	case sep.is("."), day == month, day > 12:
	case month > 12:
		day, month = month, day
	case p.language() == "":
		p.err = errors.New("may be day and month or month and day: the page has no lang to tell")
		return next
	case monthFirst(p.language()):
		day, month = month, day
	}
	return p.add(year, month, day, next)
}

// yearFirst are languages whose dates of figures begin with the year, of two
// digits too.
var yearFirst = []string{"ja", "ko", "zh", "hu", "mn", "ne", "eu"}

// monthFirst reports whether dates of figures begin with the month. English
// of no region is that of the United States, as in CLDR's likely subtags.
func monthFirst(tag string) bool {
	language, region := languageOf(tag)
	switch region {
	case "US", "PH", "PR", "GU", "VI", "AS", "MP", "FM", "MH", "PW":
		return true
	}
	return region == "" && language == "en"
}

// year reads a year of four digits, or of two where nothing speaks for more.
func (p *dateParser) year(i int) (year int, ok bool) {
	t, after := p.token(i), p.token(i+1)
	switch {
	case t.digits == 4:
		return t.value, true
	case t.digits == 2 && (p.thai || p.inLanguage("th")):
		if t.value < 60 {
			p.err = errors.New("has a year of two digits, of either era")
			return 0, false
		}
		return 2500 + t.value, true
	case t.digits == 2 && !after.is(":") && after.digits != 4 && !(after.is(",") && p.token(i+2).digits == 4):
		return fullYear(t), true
	}
	return 0, false
}

// fullYear completes a year of two digits as POSIX does.
func fullYear(t dateToken) int {
	switch {
	case t.digits != 2:
		return t.value
	case t.value < 69:
		return 2000 + t.value
	}
	return 1900 + t.value
}

// skip returns the first token from i on that isn't just between the parts
// of a date.
func (p *dateParser) skip(i int) int {
	if p.phrase(i, []string{"(", "e", ")", "ko"}) { // Basque: 2026(e)ko
		return i + 4
	}
	for n := 0; n < 4 && p.token(i).filler; n++ {
		i++
	}
	return p.skipEra(i)
}

// skipEra skips the Thai and Lao words for the years of Buddha and of Christ: พ.ศ.
func (p *dateParser) skipEra(i int) int {
	switch t := p.token(i); {
	case t.begins("คริสต์", "พุทธ", "ຄຣິດສັກກະລາດ"):
		return i + 1
	case (t.is("พ") || t.is("ค")) && p.token(i+1).is(".") && p.token(i+2).is("ศ"):
		if i += 3; p.token(i).is(".") {
			i++
		}
	}
	return i
}
