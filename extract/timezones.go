package extract

import (
	"errors"
	"slices"
	"time"
)

var errZone = errors.New("is in a time zone that is not known")

// timeZone is what a text says of the offset of a time.
type timeZone struct {
	known    bool
	minutes  int  // ahead of UTC
	american bool // an hour more in summer, as the United States have it
}

// location returns the zone for a time.
func (z timeZone) location(year int, month time.Month, day, hour int) *time.Location {
	minutes := z.minutes
	if z.american && americanSummer(year, month, day, hour) {
		minutes += 60
	}
	if minutes == 0 {
		return time.UTC
	}
	return time.FixedZone("", minutes*60)
}

// americanSummer reports whether a time is between the second Sunday of March
// and the first of November, each at two, as it is since 2007.
//
// https://www.law.cornell.edu/uscode/text/15/260a
func americanSummer(year int, month time.Month, day, hour int) bool {
	sunday := func(month time.Month, n int) time.Time {
		first := time.Date(year, month, 1, 2, 0, 0, 0, time.UTC)
		return first.AddDate(0, 0, (7-int(first.Weekday()))%7+7*(n-1))
	}
	t := time.Date(year, month, day, hour, 0, 0, 0, time.UTC)
	return !t.Before(sunday(time.March, 2)) && t.Before(sunday(time.November, 1))
}

// zones are the offsets of abbreviations, in minutes.
var zones = map[string]int{
	"utc": 0, "gmt": 0, "ut": 0, "z": 0, "wet": 0, "west": 60, "cet": 60, "cest": 120, "mez": 60, "mesz": 120, "hec": 60,
	"eet": 120, "eest": 180, "bst": 60, "msk": 180, "мск": 180, "trt": 180,
	"est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480, "pdt": -420, "akst": -540,
	"akdt": -480, "hst": -600, "ast": -240, "adt": -180, "nst": -210, "ndt": -150,
	"brt": -180, "art": -180, "clt": -240, "clst": -180, "cot": -300, "pet": -300, "vet": -240, "uyt": -180,
	"ist": 330, "pkt": 300, "npt": 345, "gst": 240, "irst": 210, "jst": 540, "kst": 540, "hkt": 480, "sgt": 480, "pht": 480, "myt": 480,
	"wib": 420, "wita": 480, "wit": 540, "ict": 420, "awst": 480, "acst": 570, "acdt": 630, "aest": 600, "aedt": 660,
	"nzst": 720, "nzdt": 780, "sast": 120, "eat": 180, "cat": 120, "wat": 60,
}

// regionalZones are abbreviations that are another zone's in a region or
// language.
var regionalZones = map[string]map[string]int{
	"ist": {"IL": 120, "he": 120, "IE": 60, "ga": 60},
	"cst": {"CN": 480, "zh": 480, "TW": 480, "CU": -300},
	"ast": {"SA": 180, "ar": 180},
	"bst": {"BD": 360, "bn": 360},
	"est": {"AU": 600},
}

// americanZones are those that leave open whether it is summer.
var americanZones = map[string]int{"et": -300, "ct": -360, "mt": -420, "pt": -480}

// zone reads the zone at i, and where it ends; i where none is there. Only
// behind a time in the manner of ISO 8601 a hyphen is a minus for hours and
// minutes with a colon: 10:00-12:00 is a range.
func (p *dateParser) zone(i int, iso bool) (timeZone, int, error) {
	at := i
	if p.token(at).is("(") {
		at++
	}
	t := p.token(at)
	minutes, named := zones[t.text]
	named = named && (t.caps || t.text == "utc" || t.text == "gmt" || t.text == "z" || t.text == "мск")
	base, american := americanZones[t.text]
	switch {
	case american && t.caps:
		return timeZone{true, base, true}, at + 1, nil
	case named:
		if m, next, ok := p.offset(at+1, true); ok && minutes == 0 { // GMT+1
			return timeZone{known: true, minutes: m}, next, nil
		}
		language, region := languageOf(p.language())
		for _, place := range []string{language, region} {
			if m, ok := regionalZones[t.text][place]; ok {
				minutes = m
			}
		}
		return timeZone{known: true, minutes: minutes}, at + 1, nil
	case t.caps && len(t.text) >= 3 && len(t.text) <= 5 && asciiLetters(t.text) && t.text[len(t.text)-1] == 't' && t.month == 0:
		return timeZone{}, i, errZone
	}
	if m, next, ok := p.offset(at, iso); ok {
		return timeZone{known: true, minutes: m}, next, nil
	}
	return timeZone{}, i, nil
}

// offset reads +01:00, +0100, +1.
func (p *dateParser) offset(i int, iso bool) (minutes, next int, ok bool) {
	sign, h := p.token(i), p.token(i+1)
	if !sign.is("+") && !sign.is("-") || h.digits == 0 || !h.glued {
		return 0, i, false
	}
	switch next = i + 2; {
	case h.digits == 4:
		minutes = h.value/100*60 + h.value%100
	case h.short() && p.token(next).is(":") && p.token(next+1).digits == 2 && (iso || sign.is("+")):
		minutes, next = h.value*60+p.token(next+1).value, next+2
	case h.short() && !slices.ContainsFunc([]string{":", ".", "/", "-"}, p.token(next).is) && (iso || sign.is("+")):
		minutes = h.value * 60
	default:
		return 0, i, false
	}
	if minutes > 14*60 || minutes%60 != h.value%100 && h.digits == 4 {
		return 0, i, false
	}
	if sign.is("-") {
		minutes = -minutes
	}
	return minutes, next, true
}
