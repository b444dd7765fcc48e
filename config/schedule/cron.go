package schedule

import (
	"regexp"
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

var parser = cron.MustNewParser(cron.SecondOptional | cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow | cron.Extended).
	WithMaxSearchYears(searched)

// part is one of a field's list. The library takes more than it understands.
var part = regexp.MustCompile(`^(?:[*?](?:/\d{1,4})?|\w{1,3}(?:-\w{1,3})?(?:/\d{1,4})?|l-\d\d?|\w{1,3}#[1-5l])$`)

// newExpression reads text, which is no "@every".
func newExpression(text string) (*expression, bool) {
	if len(text) > maxLength {
		return nil, false
	}
	// The library takes the H of THU for a hash, but not that of thu.
	text = strings.ToLower(strings.TrimSpace(text))
	if tagged, ok := tags[text]; ok {
		text = tagged
	}
	fields := strings.Fields(text)
	if len(fields) == 5 {
		fields = append([]string{"0"}, fields...)
	}
	if len(fields) != 6 {
		return nil, false
	}
	for _, f := range fields {
		for p := range strings.SplitSeq(f, ",") {
			if !part.MatchString(p) {
				return nil, false
			}
		}
	}
	parsed, err := parser.Parse(strings.Join(fields, " "))
	if err != nil {
		return nil, false
	}
	e := &expression{readings: *parsed.(*cron.SpecSchedule), fields: [6]string(fields)}
	e.readings.Location = time.UTC
	e.readings.DowOrDom = !e.star(day) && !e.star(weekday)
	const allHours = 1<<24 - 1
	e.everyHour = e.readings.Hour&allHours == allHours
	e.goesOn = e.everyHour || e.star(minute) || e.fields[second] != "0" && e.star(second)
	return e, true
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
