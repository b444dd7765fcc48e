package config

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/andybalholm/cascadia"

	"github.com/magpie-crawl/magpie/store"
)

// TypeNames are the words for the types of extract, in their order.
var TypeNames = []string{"text", "html", "number", "integer", "price", "bool", "url", "date", "pairs", "table"}

func checkSelector(s string) error {
	if _, err := cascadia.ParseGroup(s); err != nil {
		return fmt.Errorf("%s is no CSS selector: %w", quoted(s), err)
	}
	return nil
}

func checkPattern(s string) error {
	if len(s) > 1 && strings.HasPrefix(s, "/") && strings.HasSuffix(s, "/") {
		_, err := regexp.Compile(s[1 : len(s)-1])
		return err
	}
	return nil
}

// checkItemName refuses names that a database has a use for.
func checkItemName(name string) error {
	if store.Reserved(name) {
		return fmt.Errorf("an item cannot be called %s, because the database uses the name: choose another", quoted(name))
	}
	return nil
}
