package itemtype

import (
	"fmt"
	"strings"

	"github.com/magpie-crawl/magpie/store/internal/sqltext"
)

// ViewMark begins the definition of each view that this package made, and
// tells it from the views of the database's users.
const ViewMark = "-- by magpie: the current records, one row each"

// ViewSQL is the definition of an item's view.
func ViewSQL(item string, columns []Column) string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE VIEW %s AS %s\nSELECT\n", sqltext.QuoteName(item), ViewMark)
	for _, c := range columns {
		fmt.Fprintf(&b, "  %s AS %s,\n", c.SQL(), sqltext.QuoteName(c.Name))
	}
	fmt.Fprintf(&b, `  jobs.name AS _job,
  records.key AS _key,
  urls.url AS _url,
  records.position AS _position,
  first.number AS _first_run, -- the record has read so since
  last.number AS _last_run    -- and was last seen
FROM items -- few, so CROSS JOIN looks there first
CROSS JOIN records ON records.item_id = items.id AND records.to_run IS NULL
JOIN jobs ON jobs.id = items.job_id
JOIN urls ON urls.id = records.url_id
JOIN runs AS first ON first.id = records.from_run
JOIN runs AS last ON last.id = records.last_run
WHERE items.name = %s`, sqltext.QuoteText(item))
	return b.String()
}

// SQL is the expression for a column's value.
func (c Column) SQL() string {
	if strings.ContainsAny(c.Field, `"\`) {
		// A JSON path has no way to write these.
		value := fmt.Sprintf("(SELECT value FROM json_each(records.data) WHERE key = %s)", sqltext.QuoteText(c.Field))
		if c.Part == "" {
			return value
		}
		return fmt.Sprintf("json_extract(%s, '$.%s')", value, c.Part)
	}
	path := `$."` + c.Field + `"`
	switch c.Part {
	case "amount":
		return fmt.Sprintf("CAST(json_extract(records.data, %s) AS NUMERIC)", sqltext.QuoteText(path+".amount"))
	case "currency":
		return fmt.Sprintf("json_extract(records.data, %s)", sqltext.QuoteText(path+".currency"))
	default:
		return fmt.Sprintf("json_extract(records.data, %s)", sqltext.QuoteText(path))
	}
}
