package schedule

import (
	"strings"
	"testing"
)

func TestZone(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"Europe/Berlin", ""},
		{"UTC", ""},
		{"Asia/Kathmandu", ""},
		{"EST5EDT", ""},
		{"Etc/GMT-2", ""},
		{"europe/berlin", "did you mean Europe/Berlin?"},
		{"utc", "did you mean UTC?"},
		{"Europe/Berln", "did you mean Europe/Berlin?"},
		{"Europa/Berlin", "did you mean Europe/Berlin?"},
		{"Berlin", "did you mean Europe/Berlin?"},
		{"new york", "did you mean America/New_York?"},
		{"America/New York", "did you mean America/New_York?"},
		{"Local", "leave zone out"},
		{"local", "leave zone out"},
		{"", "leave zone out"},
		{"CEST", "write one such as"},
		{"UTC+2", "write one such as"},
		{"+02:00", "write one such as"},
		{"../Europe/Berlin", "there is no time zone"},
		{"/etc/localtime", "there is no time zone"},
		{"posixrules\x00", "there is no time zone"},
		{strings.Repeat("Europe/", 1000), "there is no time zone"},
	} {
		t.Run(test.name[:min(20, len(test.name))], func(t *testing.T) {
			zone, err := Zone(test.name)
			switch {
			case test.want == "" && (err != nil || zone.String() != test.name):
				t.Errorf("%v, %v", zone, err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || len(err.Error()) > 400):
				t.Errorf("%v, want one that says %s", err, test.want)
			}
		})
	}
}

// TestZoneNames loads each of the list.
func TestZoneNames(t *testing.T) {
	for _, name := range strings.Fields(zoneNames) {
		if _, err := Zone(name); err != nil {
			t.Error(err)
		}
	}
}
