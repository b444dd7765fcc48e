package schedule

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/magpie-crawl/magpie/internal/spelling"
)

//go:generate go run ./internal/zones

//go:embed zones.txt
var zoneNames string

// Zone is the time zone of a name such as Europe/Berlin, as the IANA database
// has them: https://www.iana.org/time-zones. The error says which name was
// meant, if one is near.
func Zone(name string) (*time.Location, error) {
	names := strings.Fields(zoneNames)
	// A name that is not in the list may be newer. One that differs in case is
	// found on some machines and not on others; Local is no zone.
	if slices.Contains(names, name) || name != "" && name != "Local" && sameName(name, names) == "" {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone, nil
		}
	}
	if near := nearestZone(name, names); near != "" {
		return nil, fmt.Errorf("there is no time zone %s: did you mean %s?", quote(name), near)
	}
	return nil, fmt.Errorf("there is no time zone %s: write one such as Europe/Berlin or UTC, or leave zone out for that of the machine", quote(name))
}

// sameName is the one of names that is name but for case and blanks.
func sameName(name string, names []string) string {
	name = strings.ReplaceAll(strings.TrimSpace(name), " ", "_")
	i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
	if i < 0 {
		return ""
	}
	return names[i]
}

// nearestZone is the name that was most likely meant, or "". People write the
// city alone.
func nearestZone(name string, names []string) string {
	if len(name) < 3 || strings.EqualFold(name, "Local") {
		return ""
	}
	if same := sameName(name, names); same != "" {
		return same
	}
	var cities []string
	byCity := map[string]string{}
	for _, n := range names {
		_, city, found := strings.Cut(n, "/")
		if found && !strings.HasPrefix(n, "Etc/") {
			cities, byCity[city] = append(cities, city), n
		}
	}
	if !strings.Contains(name, "/") {
		if same := sameName(name, cities); same != "" {
			return byCity[same]
		}
		if strings.ContainsAny(name, "0123456789+") || len(name) < 5 {
			return "" // UTC+2, CEST
		}
		return byCity[spelling.Nearest(name, cities)]
	}
	return spelling.Nearest(name, names)
}

// Midnight is when a day begins in a zone: where the clock leaps over
// midnight, at the first instant after the leap.
func Midnight(year int, month time.Month, day int, zone *time.Location) time.Time {
	reading := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	// A zone's clock is less than two days from UTC's.
	z := zoned{zone: zone}
	for p := z.period(reading.AddDate(0, 0, -2)); ; p = z.period(p.end) {
		at := reading.Add(-p.offset)
		if !p.start.IsZero() && at.Before(p.start) {
			at = p.start
		}
		if p.end.IsZero() || at.Before(p.end) {
			return at.In(zone)
		}
	}
}
