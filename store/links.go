package store

import (
	"database/sql"
	"strings"

	"github.com/magpie-crawl/magpie/crawl"
)

// known is what the database has on a URL.
type known struct {
	id     int64
	runID  int64
	state  string
	reason sql.NullString
	depth  int
}

// links records links found on the page from (NULL: start URLs) and returns
// how many pending URLs they added to each host.
func (c *commit) links(from sql.NullInt64, links []crawl.Link, hashes []urlHash) (map[string]int64, error) {
	c.unsettled = c.unsettled[:0]
	for i := range links {
		if !c.run.known.settled(hashes[i], links[i].Depth, links[i].Skip != "") {
			c.unsettled = append(c.unsettled, i)
		}
	}
	if err := c.lookUp(hashes); err != nil {
		return nil, err
	}
	var added map[string]int64
	for _, i := range c.unsettled {
		link := &links[i]
		pending, err := c.link(from, link, hashes[i])
		if err != nil {
			return nil, err
		}
		if pending {
			if added == nil {
				added = map[string]int64{}
			}
			added[link.Host]++
		}
	}
	return added, nil
}

// lookupSizes are the numbers of URLs that one statement looks up.
var lookupSizes = [...]int{1, 4, 16, 64}

var lookupQueries = func() (q [len(lookupSizes)]string) {
	for i, n := range lookupSizes {
		q[i] = `SELECT hash, id, run_id, state, reason, depth FROM urls WHERE hash IN (?` + strings.Repeat(", ?", n-1) + `)`
	}
	return q
}()

// lookUp fills c.found for the unsettled links, by few statements.
func (c *commit) lookUp(hashes []urlHash) error {
	clear(c.found)
	for todo := c.unsettled; len(todo) > 0; {
		size := 0
		for size < len(lookupSizes)-1 && lookupSizes[size] < len(todo) {
			size++
		}
		n := min(lookupSizes[size], len(todo))
		args := make([]any, lookupSizes[size]) // those left over are NULL, which equals nothing
		for j, i := range todo[:n] {
			args[j] = hashes[i][:]
		}
		if err := c.lookUpSome(lookupQueries[size], args); err != nil {
			return err
		}
		todo = todo[n:]
	}
	return nil
}

func (c *commit) lookUpSome(query string, args []any) error {
	rows, err := c.tx.query(query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var hash sql.RawBytes
		var k known
		if err := rows.Scan(&hash, &k.id, &k.runID, &k.state, &k.reason, &k.depth); err != nil {
			return err
		}
		c.found[urlHash(hash)] = k
	}
	return rows.Err()
}

// link records one link. It tells whether its URL became pending by it.
func (c *commit) link(from sql.NullInt64, link *crawl.Link, hash urlHash) (pending bool, err error) {
	k, met := c.found[hash]
	way := k.state == stateNames[crawl.Skipped] && dependsOnPath(crawl.Reason(k.reason.String))
	switch {
	case !met:
		k.id, err = c.insertURL(from, link, hash)
	case k.runID != c.run.info.ID:
		err = c.renewURL(k.id, from, link)
	case way && link.Skip == "":
		add(c.counters.Skipped, crawl.Reason(k.reason.String), -1)
		err = c.renewURL(k.id, from, link)
	case k.state == stateNames[crawl.Pending] && link.Skip == "" && link.Depth < k.depth:
		c.run.known.put(hash, link.Depth, false)
		return false, c.tx.exec(`UPDATE urls SET depth = ?, redirects = ?, away = ?, rank = ?, found_on = ? WHERE id = ?`,
			link.Depth, link.Redirects, link.Away, link.Rank, from, k.id)
	default:
		c.run.known.put(hash, k.depth, way)
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if link.Skip != "" {
		add(c.counters.Skipped, link.Skip, 1)
	}
	// The same URL may stand twice among the links.
	c.found[hash] = known{id: k.id, runID: c.run.info.ID, state: linkState(link), depth: link.Depth,
		reason: sql.NullString{String: string(link.Skip), Valid: link.Skip != ""}}
	c.run.known.put(hash, link.Depth, dependsOnPath(link.Skip))
	return link.Skip == "", nil
}

func linkState(link *crawl.Link) string {
	if link.Skip != "" {
		return stateNames[crawl.Skipped]
	}
	return stateNames[crawl.Pending]
}

func (c *commit) insertURL(from sql.NullInt64, link *crawl.Link, hash urlHash) (int64, error) {
	host, err := c.hostID(link.Host)
	if err != nil {
		return 0, err
	}
	return c.tx.insert(`INSERT INTO urls (job_id, run_id, host_id, hash, url, kind, state, reason, depth, redirects, away, rank, found_on)
		VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, ''), ?, ?, ?, ?, ?)`,
		c.run.jobID, c.run.info.ID, host, hash[:], link.URL, kindNames[link.Kind], linkState(link), string(link.Skip),
		link.Depth, link.Redirects, link.Away, link.Rank, from)
}

// renewURL puts a known URL into this run's frontier, or skips it, as if it
// were met for the first time.
func (c *commit) renewURL(id int64, from sql.NullInt64, link *crawl.Link) error {
	return c.tx.exec(`UPDATE urls SET run_id = ?, kind = ?, state = ?, reason = nullif(?, ''), detail = NULL,
		depth = ?, redirects = ?, away = ?, rank = ?, attempts = 0, not_before = 0, found_on = ? WHERE id = ?`,
		c.run.info.ID, kindNames[link.Kind], linkState(link), string(link.Skip), link.Depth, link.Redirects, link.Away, link.Rank, from, id)
}

func (c *commit) hostID(name string) (int64, error) {
	if id, ok := c.run.hosts[name]; ok {
		return id, nil
	}
	var id int64
	found, err := c.tx.row(`SELECT id FROM hosts WHERE name = ?`, []any{name}, &id)
	if err == nil && !found {
		id, err = c.tx.insert(`INSERT INTO hosts (name) VALUES (?)`, name)
	}
	if err != nil {
		return 0, err
	}
	if len(c.run.hosts) >= maxHosts {
		clear(c.run.hosts)
	}
	c.run.hosts[name] = id
	return id, nil
}
