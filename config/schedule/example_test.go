package schedule_test

import (
	"fmt"
	"time"

	"github.com/magpie-crawl/magpie/config/schedule"
)

func Example() {
	berlin, err := schedule.Zone("Europe/Berlin")
	if err != nil {
		panic(err)
	}
	s, err := schedule.New(schedule.Options{Cron: "30 2 * * *", Zone: berlin}, "shop")
	if err != nil {
		panic(err)
	}
	fmt.Println(s)
	at := time.Date(2026, 3, 28, 12, 0, 0, 0, berlin)
	for range 2 {
		due, _ := s.Next(at)
		fmt.Println(due.Nominal)
		at = due.Nominal
	}
	// Output:
	// every day at 02:30 Europe/Berlin
	// 2026-03-29 03:00:00 +0200 CEST
	// 2026-03-30 02:30:00 +0200 CEST
}
