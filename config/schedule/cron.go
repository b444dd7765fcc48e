package schedule

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/netresearch/go-cron"
)

// expression is a cron expression, apart from any zone.
type expression struct {
	readings cron.SpecSchedule // in UTC, which has no leaps
	fields   [6]string         // in lower case: second, minute, hour, day, month, weekday

	everyHour bool // due in each hour of the day
	goesOn    bool // due again when the clock shows an hour again
}

// tags stand for expressions.
var tags = map[string]string{
	"@yearly":   "0 0 1 1 *",
	"@annually": "0 0 1 1 *",
	"@monthly":  "0 0 1 * *",
	"@weekly":   "0 0 * * 0",
	"@daily":    "0 0 * * *",
	"@midnight": "0 0 * * *",
	"@hourly":   "0 * * * *",
}

// The field numbers.
const (
	second = iota
	minute
	hour
	day
	month
	weekday
)

// maxLength is that of an expression in bytes: a list of each minute fits.
const maxLength = 256

// searched is how many years the calendar takes to repeat itself: a time that
// does not come in them never comes.
const searched = 400

var parser = cron.MustNewParser(cron.Second | cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.Extended).
	WithMaxSearchYears(searched)

// part is one of a field's list. The library takes more than it understands.
var part = regexp.MustCompile(`^(?:[*?](?:/\d{1,4})?|\w{1,3}(?:-\w{1,3})?(?:/\d{1,4})?|l-\d\d?|\w{1,3}#[1-5l])$`)

// newExpression reads text, which is no "@every".
func newExpression(text string) (*expression, error) {
	fields, err := split(text)
	if err != nil {
		return nil, err
	}
	parsed, err := read(fields)
	if err != nil {
		return nil, err
	}
	e := &expression{readings: *parsed, fields: fields}
	e.readings.Location = time.UTC
	e.readings.DowOrDom = !e.star(day) && !e.star(weekday)
	const allHours = 1<<24 - 1
	e.everyHour = e.readings.Hour&allHours == allHours
	e.goesOn = e.everyHour || e.star(minute) || e.star(second)
	return e, nil
}

// usage ends the messages that say how an expression is written.
const usage = `write minute, hour, day, month and weekday, such as "0 3 * * *" for every day at 3:00, or a tag such as "@daily" or "@every 90m"`

// split takes an expression apart.
func split(text string) (fields [6]string, err error) {
	// The library takes the H of THU for a hash, but not that of thu.
	text = strings.ToLower(strings.TrimSpace(text))
	switch tagged, ok := tags[text]; {
	case ok:
		text = tagged
	case len(text) > maxLength:
		return fields, fmt.Errorf("it is longer than %d characters", maxLength)
	case strings.HasPrefix(text, "tz="), strings.HasPrefix(text, "cron_tz="):
		return fields, errors.New("the zone has a key of its own, such as zone: Europe/Berlin")
	}
	switch list := strings.Fields(text); len(list) {
	case 5:
		return [6]string(append([]string{"0"}, list...)), nil
	case 6:
		return [6]string(list), nil
	default:
		return fields, errors.New(usage)
	}
}

// read reads the fields. The error says which of them is wrong.
func read(fields [6]string) (*cron.SpecSchedule, error) {
	if parsed, ok := readChecked(fields); ok {
		return parsed, nil
	}
	wrong := ""
	for i, f := range fields {
		alone := [6]string{"*", "*", "*", "*", "*", "*"}
		alone[i] = f
		if _, ok := readChecked(alone); ok {
			continue
		}
		if wrong != "" {
			return nil, errors.New(usage) // it is something else altogether
		}
		wrong = fmt.Sprintf("%s is no %s: %ss are %s", quote(f), kinds[i].name, kinds[i].name, kinds[i].values)
		if unit := "smh"[min(i, hour)]; i <= hour && longStep.MatchString(f) {
			wrong += fmt.Sprintf(`; for longer steps write "@every %s%c"`, f[2:], unit)
		}
	}
	return nil, errors.New(cmp.Or(wrong, usage))
}

// readChecked has the library read what it will understand: there is text that
// it takes for something else, and some that it never comes back from, such as
// 222/3.
func readChecked(fields [6]string) (*cron.SpecSchedule, bool) {
	for i, f := range fields {
		for p := range strings.SplitSeq(f, ",") {
			if !part.MatchString(p) || !kinds[i].holds(p) || i == weekday && stepsAround(p) {
				return nil, false
			}
		}
	}
	parsed, err := parser.Parse(strings.Join(fields[:], " "))
	if err != nil {
		return nil, false
	}
	return parsed.(*cron.SpecSchedule), true
}

// longStep is a star with a step that may be longer than its field.
var longStep = regexp.MustCompile(`^[*]/[1-9]\d{1,3}$`)

// kind is what stands in a field.
type kind struct {
	name, values string
	most         int // the largest number
}

var kinds = [6]kind{
	{"second", "0 to 59", 59},
	{"minute", "0 to 59", 59},
	{"hour", "0 to 23", 23},
	{"day", "1 to 31, L, L-2 and 15W", 31},
	{"month", "1 to 12 and jan to dec", 12},
	{"weekday", "0 to 7, sun to sat, fri#2 and fri#L", 7},
}

// number finds those of a part, except for its step.
var number = regexp.MustCompile(`\d+`)

// holds tells whether no number in a part is too large.
func (k kind) holds(part string) bool {
	values, _, _ := strings.Cut(part, "/")
	for _, digits := range number.FindAllString(values, -1) {
		if n, err := strconv.Atoi(digits); err != nil || n > k.most {
			return false
		}
	}
	return true
}

// stepsAround tells whether p is a range of weekdays with a step that goes
// around the end of the week, such as fri-tue/2: the library counts Sunday
// twice there, as 7 and as 0.
func stepsAround(p string) bool {
	values, _, steps := strings.Cut(p, "/")
	from, to, isRange := strings.Cut(values, "-")
	return steps && isRange && weekdayNumber(from) > weekdayNumber(to)
}

// weekdayNumber reads a number or a name; what is neither is 0.
func weekdayNumber(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return max(0, strings.Index("sun mon tue wed thu fri sat", s)/4)
}

// star tells whether a field begins with one, which is all that cron looks at.
func (e *expression) star(field int) bool {
	return strings.HasPrefix(e.fields[field], "*") || strings.HasPrefix(e.fields[field], "?")
}

// next is the first reading of a clock after r that e is due at. Readings are
// times in UTC, whatever zone the clock is in.
func (e *expression) next(r time.Time) (time.Time, bool) {
	n := e.readings.Next(r)
	return n, !n.IsZero()
}
