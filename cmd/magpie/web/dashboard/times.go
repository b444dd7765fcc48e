package dashboard

import (
	"fmt"
	"time"
)

// ago says how far a time is from now, in the largest unit that it has one of.
// static/app.js says it in the same words.
func ago(t, now time.Time) string {
	d := t.Sub(now).Round(time.Second)
	size := d.Abs()
	if size < 5*time.Second {
		if d > 0 {
			return "in a moment"
		}
		return "just now"
	}
	text := ""
	for _, u := range []struct {
		name string
		span time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		if n := int64(size / u.span); n > 0 {
			text = fmt.Sprintf("%d %ss", n, u.name)
			if n == 1 {
				text = "1 " + u.name
			}
			break
		}
	}
	if d > 0 {
		return "in " + text
	}
	return text + " ago"
}

// span writes how long something took: two units at most.
func span(d time.Duration) string {
	switch {
	case d <= 0:
		return "0 s"
	case d < time.Millisecond:
		return "< 1 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d d %d h", int(d.Hours())/24, int(d.Hours())%24)
}

// zoneName is the name of the server's time zone at a time.
func zoneName(t time.Time) string {
	name, offset := t.In(time.Local).Zone()
	if offset == 0 && name == "UTC" {
		return name
	}
	return fmt.Sprintf("%s, UTC%+03d:%02d", name, offset/3600, (offset%3600+3600)%3600/60)
}
