// Package markdown writes a part of a page, or all of it, as Markdown:
// CommonMark with the tables and the strikethrough of GitHub Flavored
// Markdown.
//
// What a reader sees comes out, and a Markdown renderer shows the same text
// again: every character that would mean something to it is escaped, and no
// other where that can be told from the text around. What Markdown has no
// signs for is written as inline HTML (sup, sub, br in a cell, emphasis where
// the signs would not be read as such) or as plain text.
//
// A render goes through three rooms. The walker (walk.go and the files named
// for elements) goes through the tree and collects blocks; the text of each
// paragraph is a list of runs (line.go), which inline.go writes with its marks;
// output.go writes the blocks with the prefixes of quotes and lists.
//
// Specifications: https://spec.commonmark.org/0.31.2/ and
// https://github.github.com/gfm/.
package markdown
