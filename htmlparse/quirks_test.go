package htmlparse

import "testing"

func TestMode(t *testing.T) {
	tests := []struct {
		doctype string
		want    Mode
	}{
		{``, Quirks},
		{`<!DOCTYPE html>`, NoQuirks},
		{`<!doctype HTML>`, NoQuirks},
		{`<!DOCTYPE html SYSTEM "about:legacy-compat">`, NoQuirks},
		{`<!DOCTYPE svg>`, Quirks},
		{`<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">`, Quirks},
		{`<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.0 Transitional//EN" "http://www.w3.org/TR/REC-html40/loose.dtd">`, Quirks},
		{`<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">`, NoQuirks},
		{`<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">`, Quirks},
		{`<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd">`, LimitedQuirks},
		{`<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "">`, LimitedQuirks},
		{`<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN">`, Quirks},
		{`<!DOCTYPE html PUBLIC "-//w3c//dtd html 4.01 frameset//en" "x">`, LimitedQuirks},
		{`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN">`, LimitedQuirks},
		{`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Frameset//EN" "x">`, LimitedQuirks},
		{`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">`, NoQuirks},
		{`<!DOCTYPE html PUBLIC "HTML">`, Quirks},
		{`<!DOCTYPE html PUBLIC "-/W3C/DTD HTML 4.0 Transitional/EN">`, Quirks},
		{`<!DOCTYPE html SYSTEM "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd">`, Quirks},
		{`<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "HTTP://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd">`, Quirks},
	}
	for _, tt := range tests {
		t.Run(tt.doctype, func(t *testing.T) {
			doc, err := ParseString(tt.doctype+"<p>", nil)
			if err != nil {
				t.Fatal(err)
			}
			if doc.Mode != tt.want {
				t.Errorf("mode %v, want %v", doc.Mode, tt.want)
			}
		})
	}
	t.Run("force-quirks", func(t *testing.T) {
		if got := doctypeMode("html", nil, nil, true); got != Quirks {
			t.Errorf("mode %v, want %v", got, Quirks)
		}
	})
}
