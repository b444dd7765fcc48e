// Package chart draws small charts as SVG, on the server and without a style
// of its own: colours, widths of lines and fonts come from the classes that
// each function names, so that a page's style sheet decides them for light and
// dark.
//
// Each chart has a title that says in words what it shows, for those who do
// not see it. Values that are not finite are gaps; no values at all are a
// chart that says so.
package chart
