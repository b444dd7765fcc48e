module github.com/magpie-crawl/magpie/htmlparse/_compare

go 1.26.0

replace github.com/magpie-crawl/magpie => ../..

require (
	github.com/PuerkitoBio/goquery v1.11.0
	github.com/magpie-crawl/magpie v0.0.0
	github.com/tdewolff/parse/v2 v2.8.20
	golang.org/x/net v0.62.0
	golang.org/x/text v0.43.0
)

require github.com/andybalholm/cascadia v1.3.5 // indirect
