package extract

import (
	"errors"
	"slices"
	"strings"
	"time"
)

var errTwoRelative = errors.New("has more than one distance of time: say which with a regex or a closer selector")

// parseRelative reads a time that counts from now, as many languages say it:
// today, yesterday 14:05, 3 days ago, vor 2 Stunden, hace 5 minutos, il y a
// une heure, 3日前, last Monday. Words around it are passed over; it is not ok
// where there is none or more than one. The time is in the location of now.
//
// precise reports whether the time of day is meant too, and not the day
// alone: of hours, minutes and seconds, and of a day with a time beside it.
func parseRelative(s string, now time.Time) (t time.Time, precise, ok bool) {
	p, err := findDates(s, func() string { return "" })
	if err != nil || len(p.dates) > 0 {
		return time.Time{}, false, false
	}
	r, err := p.relative()
	if err != nil {
		return time.Time{}, false, false
	}
	c, err := p.theClock()
	t, precise = r.from(now)
	switch {
	case err != nil, precise && c != nil:
		return time.Time{}, false, false
	case c != nil:
		return c.on(t, now.Location()), true, true
	}
	return t, precise, true
}

// relative is a time as it counts from now.
type relative struct {
	years, months, days, seconds int
	weekday                      int // the last one of this day, 1 for Sunday; 0: none
	precise                      bool
}

// from returns the time, and whether its time of day is meant. A day that a
// month doesn't have is its last.
func (r relative) from(now time.Time) (time.Time, bool) {
	if r.weekday > 0 {
		back := (int(now.Weekday()) - (r.weekday - 1) + 7) % 7
		if back == 0 {
			back = 7
		}
		return now.AddDate(0, 0, -back), false
	}
	t := now
	if r.years != 0 || r.months != 0 {
		t = t.AddDate(r.years, r.months, 0)
		if t.Day() != now.Day() {
			t = t.AddDate(0, 0, -t.Day())
		}
	}
	if r.days != 0 {
		t = t.AddDate(0, 0, r.days)
	}
	return t.Add(time.Duration(r.seconds) * time.Second), r.precise
}

// add counts n of a unit.
func (r *relative) add(n int, u timeUnit) {
	switch u {
	case unitSeconds:
		r.seconds += n
	case unitMinutes:
		r.seconds += n * 60
	case unitHours:
		r.seconds += n * 3600
	case unitDays:
		r.days += n
	case unitWeeks:
		r.days += 7 * n
	case unitMonths:
		r.months += n
	case unitYears:
		r.years += n
	}
	r.precise = r.precise || u == unitSeconds || u == unitMinutes || u == unitHours
}

// negated returns the same distance before now.
func (r relative) negated() relative {
	r.years, r.months, r.days, r.seconds = -r.years, -r.months, -r.days, -r.seconds
	return r
}

// relative returns the only time in the text that counts from now.
func (p *dateParser) relative() (relative, error) {
	var found *relative
	for i := 0; i < len(p.tokens); {
		r, next := p.relativeAt(i)
		switch {
		case next <= i:
			i++
			continue
		case found != nil && *found != r:
			return relative{}, errTwoRelative
		}
		found, i = &r, next
	}
	if found == nil {
		return relative{}, errDate
	}
	return *found, nil
}

// relativeAt reads what begins at i, and where it ends.
func (p *dateParser) relativeAt(i int) (relative, int) {
	for _, form := range []func(*dateParser, int) (relative, int){
		(*dateParser).distance, (*dateParser).nowWord, (*dateParser).dayWord, (*dateParser).lastWeekday,
	} {
		if r, next := form(p, i); next > 0 {
			return r, next
		}
	}
	return relative{}, 0
}

// maxQuantity keeps times within what can be counted.
const maxQuantity = 100_000

// distance reads 3 days ago, vor 3 Tagen, il y a 1 an et 2 mois, 3日前.
func (p *dateParser) distance(i int) (relative, int) {
	var r relative
	parts, next, past := 0, i, false
	for parts < 4 {
		n, u, end, decided := p.counted(next)
		if end == 0 {
			break
		}
		r.add(n, u)
		parts, next = parts+1, end
		if decided != 0 {
			if decided < 0 {
				r = r.negated()
			}
			return r, next
		}
		past = past || endsInPast[p.token(next-1).text]
		if t := p.token(next); parts < 4 && (t.is(",") || t.is(".") || conjunctions[t.text]) && p.countedAt(next+1) {
			next++
		}
	}
	if parts == 0 {
		return relative{}, 0
	}
	switch {
	case past || p.pastAround(i, next):
		return r.negated(), next
	case futureAfter[p.token(p.nearly(next, 1)).text], p.future(p.token(p.nearly(i-1, -1))):
		return r, next
	}
	return relative{}, 0
}

// nearly passes over words for about from i on.
func (p *dateParser) nearly(i, step int) int {
	for n := 0; n < 3 && about[p.token(i).text]; n++ {
		i += step
	}
	return i
}

// pastAround reports whether words beside the distance from i to next say
// that it is past.
func (p *dateParser) pastAround(i, next int) bool {
	before := p.nearly(i-1, -1)
	return pastAfter[p.token(p.nearly(next, 1)).text] || pastBefore[p.token(before).text] || p.phrase(before-2, []string{"il", "y", "a"})
}

// conjunctions stand between the parts of a distance.
var conjunctions = setOf(`and und et y e i en og och ja a și şi и і ve και và dan و`)

// future reports whether a word before a distance says that it is to come;
// what is a preposition for places too counts in its language alone.
func (p *dateParser) future(t dateToken) bool {
	if !futureBefore[t.text] {
		return false
	}
	switch t.text {
	case "om":
		return p.inLanguage("sv", "da", "no", "nb", "nn")
	case "za":
		return p.inLanguage("pl", "cs", "sk", "hr", "sr", "bs", "sl")
	case "за":
		return p.inLanguage("mk", "bg", "sr")
	case "fra", "tra":
		return p.inLanguage("it")
	}
	return true
}

// inLanguage reports whether the page is in one of some languages.
func (p *dateParser) inLanguage(languages ...string) bool {
	l, _ := languageOf(p.language())
	return slices.Contains(languages, l)
}

func (p *dateParser) countedAt(i int) bool {
	_, _, end, _ := p.counted(i)
	return end > 0
}

// counted reads a number and its unit at i, and where they end. decided is
// not 0 where the unit itself says which way it counts.
func (p *dateParser) counted(i int) (n int, u timeUnit, next, decided int) {
	t := p.token(i)
	if s, ok := singles[t.text]; ok {
		return s.n, s.unit, i + 1, 0
	}
	n, ok := quantities[t.text]
	if next = i + 1; t.digits > 0 && t.digits <= 8 {
		n, ok = t.value, true
	}
	if !ok {
		return 0, 0, 0, 0
	}
	if p.token(next).is("'") { // un'ora
		next++
	}
	word := p.token(next)
	if word.text == "" || n > maxQuantity || p.token(i-1).is(":") || p.token(i-1).is(".") && p.token(i-2).digits > 0 {
		return 0, 0, 0, 0
	}
	if u, rest, ok := eastUnit(word.text); ok {
		if rest == "" {
			rest = p.token(next + 1).text
			if hasPrefix(rest, eastBefore) || hasPrefix(rest, eastAfter) {
				next++
			}
		}
		switch {
		case hasPrefix(rest, eastBefore):
			decided = -1
		case hasPrefix(rest, eastAfter):
			decided = 1
		}
		return n, u, next + 1, decided
	}
	if u, ok := units[word.text]; ok {
		if strings.HasPrefix(word.text, "годин") && (p.inLanguage("bg", "mk", "sr") || p.token(i-1).begins("пре")) {
			u = unitYears // hours in Ukrainian
		}
		return n, u, next + 1, 0
	}
	return 0, 0, 0, 0
}

// eastUnit finds the unit that begins a word, and what follows it.
func eastUnit(word string) (u timeUnit, rest string, ok bool) {
	for _, e := range eastUnits {
		if rest, ok := strings.CutPrefix(word, e.word); ok {
			return e.unit, rest, true
		}
	}
	return 0, "", false
}

func hasPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(s, prefix) })
}

// nowWord reads just now. A single word counts only where it is all there is.
func (p *dateParser) nowWord(i int) (relative, int) {
	for _, words := range nowPhrases {
		if p.phrase(i, words) && (len(words) > 1 && !p.phrase(i+len(words), []string{"s"}) || len(p.tokens) == len(words)) {
			return relative{precise: true}, i + len(words)
		}
	}
	return relative{}, 0
}

// phrase reports whether these words are at i.
func (p *dateParser) phrase(i int, words []string) bool {
	for k, w := range words {
		if p.token(i+k).text != w {
			return false
		}
	}
	return true
}

// dayWord reads yesterday.
func (p *dateParser) dayWord(i int) (relative, int) {
	for _, d := range dayPhrases {
		if p.phrase(i, d.words) {
			return relative{days: d.days}, i + len(d.words)
		}
	}
	t := p.token(i)
	for _, d := range eastDays {
		if strings.HasPrefix(t.text, d.word) {
			return relative{days: d.days}, i + 1
		}
	}
	d, ok := dayWords[t.text]
	if !ok || d.languages != "" && !p.meansDay(d) {
		return relative{}, 0
	}
	next := i + 1
	switch {
	case t.is("aujourd"):
		if !p.phrase(next, []string{"'", "hui"}) {
			return relative{}, 0
		}
		next += 2
	case d.days <= 0 && p.token(next).is("morgen"): // gestern Morgen
		next++
	}
	return relative{days: d.days}, next
}

// meansDay reports whether a word that means something else in other
// languages is one for a day: the page's language tells, or there is but the
// word, and a time beside it.
func (p *dateParser) meansDay(d dayWord) bool {
	language, _ := languageOf(p.language())
	if language != "" {
		return slices.Contains(strings.Fields(d.languages), language)
	}
	words := 0
	for _, t := range p.tokens[:min(len(p.tokens), 10)] {
		if t.digits == 0 && !clockWords[t.text] && !hourWords[t.text] && !t.is(":") && !t.is(",") && !t.is(".") {
			words++
		}
	}
	return words == 1 && len(p.tokens) < 10
}

// lastWeekday reads last Monday, lundi dernier: the last such day before that
// of now.
func (p *dateParser) lastWeekday(i int) (relative, int) {
	a, b := p.token(i), p.token(i+1)
	if d, ok := weekdays[b.text]; ok && lastWords[a.text] {
		return relative{weekday: d + 1}, i + 2
	}
	if d, ok := weekdays[a.text]; ok && lastWords[b.text] && !b.is("last") {
		return relative{weekday: d + 1}, i + 2
	}
	return relative{}, 0
}
