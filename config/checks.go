package config

import (
	"fmt"

	"github.com/andybalholm/cascadia"

	"github.com/magpie-crawl/magpie/store"
)

// checkLinkSelector refuses what the crawl cannot look up links with.
func checkLinkSelector(s string) error {
	_, err := cascadia.Parse(s)
	switch _, groupErr := cascadia.ParseGroup(s); {
	case err == nil:
		return nil
	case groupErr == nil:
		return fmt.Errorf("%s is more than one selector: write each as an entry of the list", quoted(s))
	}
	return fmt.Errorf("%s is no CSS selector: %w", quoted(s), err)
}

// isSelector tells whether s can be read as CSS.
func isSelector(s string) bool {
	_, err := cascadia.ParseGroup(s)
	return err == nil
}

// checkItemName refuses names that a database has a use for.
func checkItemName(name string) error {
	if store.Reserved(name) {
		return fmt.Errorf("an item cannot be called %s, because the database uses the name: choose another", quoted(name))
	}
	return nil
}
