package sqltext

import "strings"

// QuoteName writes a name as SQL does.
func QuoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// QuoteText writes a string as SQL does.
func QuoteText(text string) string { return `'` + strings.ReplaceAll(text, `'`, `''`) + `'` }
