package config

import (
	"fmt"

	"github.com/magpie-crawl/magpie/extract"
	"github.com/magpie-crawl/magpie/store"
)

// checkLinkSelector refuses what the crawl cannot look up links with.
func checkLinkSelector(s string) error {
	if _, err := extract.ParseSelector(s); err != nil {
		return fmt.Errorf("%s is no CSS selector: %w", quoted(s), err)
	}
	return nil
}

// isSelector tells whether s can be read as CSS.
func isSelector(s string) bool {
	_, err := extract.ParseSelector(s)
	return err == nil
}

// checkItemName refuses names that a database has a use for.
func checkItemName(name string) error {
	if store.Reserved(name) {
		return fmt.Errorf("an item cannot be called %s, because the database uses the name: choose another", quoted(name))
	}
	return nil
}
