package api

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
)

func testRuns(s *server, t *testing.T) {
	first := get[List[machine.Run]](s, t, "listRuns", "limit=1", "demo")
	if len(first.Items) != 1 || first.Items[0].Run != 2 || first.Next == "" {
		t.Fatalf("%+v", first)
	}
	resp, _ := s.ask(t, "listRuns", "limit=1", "", nil, "demo")
	link := resp.Header.Get("Link")
	second := get[List[machine.Run]](s, t, "listRuns", "limit=1&cursor="+first.Next, "demo")
	if len(second.Items) != 1 || second.Items[0].Run != 1 || second.Next != "" || !strings.Contains(link, first.Next) || !strings.HasSuffix(link, `rel="next"`) {
		t.Errorf("%+v, %s", second, link)
	}
	if r := get[machine.Run](s, t, "getRun", "", "demo", "last"); r.Run != 2 || r.Pages == 0 {
		t.Errorf("%+v", r)
	}
	s.refused(t, 404, "getRun", "", "", nil, "demo", "9")
	s.refused(t, 400, "getRun", "", "", nil, "demo", "x")
	if h := get[RunHealth](s, t, "getHealth", "", "demo"); len(h.Fields) == 0 {
		t.Error("no field has figures")
	}
	if p := get[List[machine.Problem]](s, t, "listProblems", "run=1", oddName); len(p.Items) == 0 {
		t.Error("no problems")
	}
	var rejects []machine.Reject
	for cursor := ""; ; {
		part := get[List[machine.Reject]](s, t, "listRejects", "run=1&limit=1&cursor="+cursor, oddName)
		rejects = append(rejects, part.Items...)
		if cursor = part.Next; cursor == "" {
			break
		}
	}
	if all := get[List[machine.Reject]](s, t, "listRejects", "run=1", oddName).Items; len(all) != 3 || len(all) != len(rejects) {
		t.Errorf("%d rejects, one by one %d", len(all), len(rejects))
	}
}

func testChanges(s *server, t *testing.T) {
	resp, text := s.ask(t, "listChanges", "from=0&to=1&limit=0", "", nil, "demo")
	lines := 0
	for scan := bufio.NewScanner(bytes.NewReader(text)); scan.Scan(); lines++ {
		var c machine.Change
		if err := json.Unmarshal(scan.Bytes(), &c); err != nil || c.Change != "added" || c.Job != "demo" {
			t.Fatalf("%v: %s", err, scan.Text())
		}
	}
	if lines < 50 {
		t.Errorf("%s: %d changes", resp.Status, lines)
	}
	if _, text := s.ask(t, "listChanges", "from=0&to=1&limit=0&kind=gone", "", nil, "demo"); len(text) > 0 {
		t.Errorf("gone before the first run: %.200s", text)
	}
	if _, added := s.ask(t, "listChanges", "from=0&to=1&limit=0&kind=added", "", nil, "demo"); !bytes.Equal(added, text) {
		t.Errorf("of those added alone: %d bytes, of all %d", len(added), len(text))
	}
	s.refused(t, 400, "listChanges", "kind=moved", "", nil, "demo")
	s.ask(t, "listChanges", "", "", nil, "demo")
	s.refused(t, 400, "listChanges", "from=2&to=1", "", nil, "demo")
	s.refused(t, 404, "listChanges", "to=7", "", nil, "demo")
}
