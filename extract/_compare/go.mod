module github.com/magpie-crawl/magpie/extract/_compare

go 1.26.0

replace github.com/magpie-crawl/magpie => ../..

require (
	github.com/PuerkitoBio/goquery v1.11.0
	github.com/andybalholm/cascadia v1.3.5
	github.com/magpie-crawl/magpie v0.0.0
	golang.org/x/net v0.62.0
)

require (
	codeberg.org/readeck/go-readability/v2 v2.1.2 // indirect
	github.com/bits-and-blooms/bitset v1.24.4 // indirect
	github.com/expr-lang/expr v1.17.8 // indirect
	github.com/go-shiori/dom v0.0.0-20230515143342-73569d674e1c // indirect
	github.com/gogs/chardet v0.0.0-20211120154057-b7413eaefb8f // indirect
	github.com/itchyny/gojq v0.12.20 // indirect
	github.com/itchyny/timefmt-go v0.1.9 // indirect
	github.com/itlightning/dateparse v0.2.1 // indirect
	github.com/nlnwa/whatwg-url v0.6.2 // indirect
	golang.org/x/text v0.43.0 // indirect
)
