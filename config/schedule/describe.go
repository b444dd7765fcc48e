package schedule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// String tells people when the job is due: "every day at 03:00
// Europe/Berlin"; what has no such words is told as it is written. The
// machine's own zone is not named.
func (s *Schedule) String() string {
	var words string
	switch times := s.times.(type) {
	case every:
		return "every " + short(times.interval)
	case zoned:
		if words = times.describe(); words == "" {
			words = strings.Join(strings.Fields(s.options.Cron), " ")
		}
	}
	if s.options.Zone == time.Local {
		return words
	}
	return words + " " + s.options.Zone.String()
}

// describe puts expressions of common shapes into words; "" for others.
func (e *expression) describe() string {
	hours, oneHour := e.number(hour)
	minutes, oneMinute := e.number(minute)
	days := e.describeDays()
	switch anyDay := days == "every day"; {
	case e.fields[second] != "0", days == "":
		return ""
	case oneHour && oneMinute:
		return fmt.Sprintf("%s at %02d:%02d", days, hours, minutes)
	case !anyDay:
		return ""
	case e.fields[hour] == "*" && oneMinute && minutes == 0:
		return "every hour"
	case e.fields[hour] == "*" && oneMinute:
		return fmt.Sprintf("every hour at minute %d", minutes)
	case e.fields[hour] == "*" && e.fields[minute] == "*":
		return "every minute"
	case e.fields[hour] == "*" && 60%e.step(minute) == 0:
		return fmt.Sprintf("every %d minutes", e.step(minute))
	}
	return ""
}

// describeDays tells which days an expression is due on; "" if that has no
// words.
func (e *expression) describeDays() string {
	d, oneDay := e.number(day)
	m, oneMonth := e.number(month)
	anyDay, anyMonth, anyWeekday := e.fields[day] == "*", e.fields[month] == "*", e.fields[weekday] == "*"
	switch {
	case anyDay && anyMonth && anyWeekday:
		return "every day"
	case anyDay && anyMonth:
		return e.describeWeekdays()
	case oneDay && anyMonth && anyWeekday:
		return fmt.Sprintf("on day %d of every month", d)
	case e.fields[day] == "l" && anyMonth && anyWeekday:
		return "on the last day of every month"
	case oneDay && oneMonth && anyWeekday:
		return fmt.Sprintf("every %d %s", d, time.Month(m))
	}
	return ""
}

// describeWeekdays names the weekdays of a field that has no others.
func (e *expression) describeWeekdays() string {
	if len(e.readings.DowConstraints) > 0 {
		return ""
	}
	var names []string
	for d := range 7 {
		if weekday := time.Weekday((d + 1) % 7); e.readings.Dow>>weekday&1 == 1 {
			names = append(names, weekday.String())
		}
	}
	switch last := len(names) - 1; {
	case slices.Equal(names, []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday"}):
		return "Monday to Friday"
	case last == 0:
		return "every " + names[0]
	case last < 0:
		return ""
	default:
		return "every " + strings.Join(names[:last], ", ") + " and " + names[last]
	}
}

// number is the value of a field that is one plain number.
func (e *expression) number(field int) (int, bool) {
	n, err := strconv.Atoi(e.fields[field])
	return n, err == nil
}

// step is that of a field such as */5; one that divides nothing without it.
func (e *expression) step(field int) int {
	text, found := strings.CutPrefix(e.fields[field], "*/")
	if n, err := strconv.Atoi(text); found && err == nil && n > 0 {
		return n
	}
	return 7
}

// short writes a duration without the units that are zero: 1h30m.
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// quote writes text of people in quotes, short and on one line.
func quote(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}
