package demo

import (
	"encoding/json"
	"strconv"
)

// Record returns the record that Job must yield for p when the shop is served
// at start, such as "http://127.0.0.1:41234/": as encoding/json decodes it
// with UseNumber. Absent values are left out.
func (p Product) Record(start string) map[string]any {
	record := map[string]any{
		"sku":         p.SKU,
		"name":        p.Name,
		"price":       p.Price.json(),
		"listed":      p.Listed,
		"available":   p.Available,
		"stock":       integer(p.Stock),
		"rating":      integer(p.Rating),
		"weight":      json.Number(p.Weight),
		"language":    p.Language,
		"category":    p.Category,
		"image":       start + p.Image[1:],
		"lead":        p.Lead,
		"description": list(p.Description),
		"tags":        list(p.Tags),
		"facts":       object(p.Facts),
	}
	if p.Was != nil {
		record["was"] = p.Was.json()
	}
	var rows, reviews []any
	for _, row := range p.Shipping {
		rows = append(rows, object(row))
	}
	record["shipping"] = rows
	for _, r := range p.Reviews {
		reviews = append(reviews, map[string]any{"by": r.By, "stars": integer(r.Stars), "date": r.Date, "text": r.Text})
	}
	if reviews != nil {
		record["reviews"] = reviews
	}
	return record
}

func (p Price) json() map[string]any {
	return map[string]any{"amount": json.Number(p.Amount), "currency": p.Currency}
}

func integer(n int) json.Number { return json.Number(strconv.Itoa(n)) }

func object(pairs [][2]string) map[string]any {
	o := map[string]any{}
	for _, p := range pairs {
		o[p[0]] = p[1]
	}
	return o
}

func list(texts []string) []any {
	l := make([]any, len(texts))
	for i, t := range texts {
		l[i] = t
	}
	return l
}
