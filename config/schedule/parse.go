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
			return nil, wrong("cron", `cron %s is not valid: write a duration such as "@every 90m"`, quote(o.Cron))
		case d < time.Second, d%time.Second != 0:
			return nil, wrong("cron", "cron %s is not valid: the duration must be of whole seconds, at least 1s", quote(o.Cron))
		}
		origin := o.Start
		if origin.IsZero() {
			origin = time.Unix(0, 0)
		}
		return every{d, origin}, nil
	}
	e, err := newExpression(o.Cron)
	if err != nil {
		return nil, wrong("cron", "cron %s is not valid: %s", quote(o.Cron), err)
	}
	return zoned{e, o.Zone}, nil
}
