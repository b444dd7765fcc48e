// Package xpath evaluates XPath 1.0 expressions on HTML trees.
//
// The whole language is there, as browsers' document.evaluate reads it on HTML
// documents: names of HTML elements and of their attributes match in any case
// of letters, elements of svg and math by their local name. The prefixes html,
// svg, math, xlink and xml are known, variables are not. What a template holds
// is not a part of the document. Beside the core functions there are
// has-class('name', …) and re:test(string, pattern, flags?), whose patterns
// are those of package regexp.
//
// Steps are evaluated on whole sets of nodes, so that a//b//c looks at each
// node a bounded number of times, however the contexts nest, and nothing
// recurses with the depth of a tree. Where the language itself asks for more,
// as in //*[count(.//*) > 3], the budget of Evaluate is the bound.
//
// https://www.w3.org/TR/1999/REC-xpath-19991116/
package xpath
