package htmlparse

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestSniff(t *testing.T) {
	for _, c := range readSniffCases(t) {
		t.Run(c.name, func(t *testing.T) {
			enc := Sniff(c.data, &c.opts)
			if got := fmt.Sprint(enc.Name, " ", enc.Confidence, " ", enc.Source); got != c.want {
				t.Errorf("Sniff(%.80q, %+v) = %s, want %s", c.data, c.opts, got, c.want)
			}
		})
	}
}

type sniffCase struct {
	name string
	data []byte
	opts Options
	want string
}

// readSniffCases reads testdata/sniff, whose format its README tells.
func readSniffCases(tb testing.TB) []sniffCase {
	tb.Helper()
	files, err := filepath.Glob("testdata/sniff/*.dat")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no cases: %v", err)
	}
	var cases []sniffCase
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		topic := strings.TrimSuffix(filepath.Base(file), ".dat")
		for i, line := range strings.Split(string(text), "\n") {
			if line == "" || line[0] == '#' {
				continue
			}
			key, value, _ := strings.Cut(line, ":")
			value = strings.TrimSpace(value)
			if key == "name" {
				cases = append(cases, sniffCase{name: topic + "/" + value})
			}
			if err := cases[len(cases)-1].set(key, value); err != nil {
				tb.Fatalf("%s:%d: %v", file, i+1, err)
			}
		}
	}
	return cases
}

func (c *sniffCase) set(key, value string) error {
	switch key {
	case "name":
	case "data":
		quoted, times, repeated := strings.Cut(value, `" * `)
		n := 1
		if repeated {
			quoted += `"`
			var err error
			if n, err = strconv.Atoi(times); err != nil {
				return err
			}
		}
		s, err := strconv.Unquote(quoted)
		if err != nil {
			return fmt.Errorf("data %s: %w", quoted, err)
		}
		c.data = append(c.data, strings.Repeat(s, n)...)
	case "charset":
		c.opts.Charset = value
	case "content-type":
		c.opts.ContentType = value
	case "locale":
		c.opts.Locale = value
	case "default":
		c.opts.DefaultCharset = value
	case "want":
		c.want = value
	default:
		return fmt.Errorf("unknown field %q", key)
	}
	return nil
}

func TestEveryLocaleHasAnEncoding(t *testing.T) {
	for tag, name := range localeEncodings {
		if got, ok := EncodingName(name); !ok || got != name {
			t.Errorf("%s: %q is no encoding's name", tag, name)
		}
		if got := localeEncoding(tag); got != name {
			t.Errorf("localeEncoding(%q) = %q, want %q", tag, got, name)
		}
	}
}

func FuzzSniff(f *testing.F) {
	for _, c := range readSniffCases(f) {
		f.Add(c.data, c.opts.ContentType, c.opts.Locale)
	}
	f.Fuzz(func(t *testing.T, src []byte, contentType, locale string) {
		before := bytes.Clone(src)
		enc := Sniff(src, &Options{ContentType: contentType, Locale: locale})
		if name, ok := EncodingName(enc.Name); !ok || name != enc.Name {
			t.Errorf("%q is no encoding's name", enc.Name)
		}
		if enc.Source == "" || enc.Confidence == Irrelevant {
			t.Errorf("found nothing: %+v", enc)
		}
		if !bytes.Equal(src, before) {
			t.Error("the source was changed")
		}
		if text, err := Decode(src, enc.Name); err != nil {
			t.Error(err)
		} else if enc.Name == "UTF-8" && enc.Source == "detected" {
			if i := strings.Index(text, "\uFFFD"); i >= 0 && i < len(text)-3 && bytes.Count(src, []byte("\uFFFD")) == 0 {
				t.Error("detected as UTF-8, but it is not")
			}
		}
	})
}
