package main

import (
	"io"
	"log"
	"net/http"
	"sync"

	"github.com/gocolly/colly/v2"
)

// bareLoop reads all pages and keeps nothing: what any crawler has to do.
func bareLoop(s *site, workers int) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers, MaxConnsPerHost: workers}}
	todo := make(chan int, workers)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for i := range todo {
				resp, err := client.Get("http://" + s.host + page(i))
				if err != nil {
					log.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, resp.Body); err != nil {
					log.Fatal(err)
				}
				resp.Body.Close()
			}
		})
	}
	for i := range s.pages {
		todo <- i
	}
	close(todo)
	group.Wait()
	client.CloseIdleConnections()
}

// collyExample follows all links and takes two fields, as the examples of
// Colly do, and drops them.
func collyExample(s *site, workers int) {
	c := colly.NewCollector(colly.Async(true))
	if err := c.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: workers}); err != nil {
		log.Fatal(err)
	}
	c.OnHTML("a[href]", func(e *colly.HTMLElement) { e.Request.Visit(e.Attr("href")) })
	c.OnHTML("body", func(e *colly.HTMLElement) {
		_ = e.ChildText("h1")
		_ = e.ChildText(".price")
	})
	if err := c.Visit("http://" + s.host + page(0)); err != nil {
		log.Fatal(err)
	}
	c.Wait()
}
