// Package sqltext reads and writes SQL as text: where a statement or a condition
// of the user's ends ([OneStatement], [CheckCondition]), and how names and
// strings are quoted. What the text means is SQLite's to say.
package sqltext
