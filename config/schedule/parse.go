package schedule

import (
	"strings"
	"time"
)

// parse reads the expression of o.
func parse(o Options) (series, error) {
	if tag, interval, _ := strings.Cut(strings.TrimSpace(o.Cron), " "); strings.EqualFold(tag, "@every") {
		d, ok := parseEvery(interval)
		switch {
		case !ok:
			return nil, wrong("cron", `cron %q is not valid: write a duration such as "@every 90m"`, o.Cron)
		case d < time.Second, d%time.Second != 0:
			return nil, wrong("cron", "cron %q is not valid: the duration must be of whole seconds, at least 1s", o.Cron)
		}
		origin := o.Start
		if origin.IsZero() {
			origin = time.Unix(0, 0)
		}
		return every{d, origin}, nil
	}
	e, ok := newExpression(o.Cron)
	if !ok {
		return nil, wrong("cron", `cron %q is not valid: write minute, hour, day, month and weekday, such as "0 3 * * *" for every day at 3:00, or a tag such as "@daily" or "@every 90m"`, o.Cron)
	}
	return zoned{e, o.Zone}, nil
}
