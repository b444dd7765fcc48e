package config

import (
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/internal/spelling"
)

// synonyms are keys that people know from other tools.
var synonyms = map[string]string{
	"selector":   "css",
	"type":       "as",
	"attribute":  "attr",
	"url":        "start",
	"urls":       "start",
	"seeds":      "start",
	"start_url":  "start",
	"start_urls": "start",
	"exclude":    "deny",
	"include":    "allow",
	"max_pages":  "pages",
	"max_depth":  "depth",
	"timeout":    "duration",
	"max_size":   "body",
	"useragent":  "user_agent",
	"workers":    "concurrency",
	"retries":    "times",
	"multiple":   "all",
	"file":       "path",
	"timezone":   "zone",
	"tz":         "zone",
	"expression": "cron",
	"until":      "end",
}

// nearest returns the one of names that was most likely meant by word, or "".
func nearest(word string, names []string) string {
	if name, ok := synonyms[strings.ToLower(word)]; ok && slices.Contains(names, name) {
		return name
	}
	return spelling.Nearest(word, names)
}

// enumerate joins names as people write them: "a, b and c".
func enumerate(names []string, last string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	n := len(names) - 1
	return strings.Join(names[:n], ", ") + " " + last + " " + names[n]
}
