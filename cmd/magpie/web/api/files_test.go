package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/internal/harmless"
)

func testFiles(s *server, t *testing.T) {
	yaml := map[string]string{"Content-Type": mediaYAML}
	const job = "start: https://new.example/\n"
	resp, text := s.ask(t, "putFile", "", job, yaml, "new.yaml")
	if resp.StatusCode != http.StatusCreated {
		t.Errorf("a new file: %s", resp.Status)
	}
	if !strings.Contains(string(text), `"job":"new"`) {
		t.Errorf("%s", text)
	}
	get[machine.Job](s, t, "getJob", "", "new")
	resp, text = s.ask(t, "getFile", "", "", nil, "new.yaml")
	tag := resp.Header.Get("ETag")
	if string(text) != job || tag == "" {
		t.Fatalf("%s, tag %q", text, tag)
	}
	if resp, _ := s.ask(t, "getFile", "", "", map[string]string{"If-None-Match": tag}, "new.yaml"); resp.StatusCode != 304 {
		t.Errorf("the same file: %s", resp.Status)
	}
	const changed = job + "limits: {pages: 5}\n"
	s.refused(t, 428, "putFile", "", changed, yaml, "new.yaml")
	s.refused(t, 412, "putFile", "", changed, map[string]string{"If-None-Match": "*"}, "new.yaml")
	s.refused(t, 412, "putFile", "", changed, map[string]string{"If-Match": `"other"`}, "new.yaml")
	resp, _ = s.ask(t, "putFile", "", changed, map[string]string{"If-Match": `"other", ` + tag}, "new.yaml")
	if resp.StatusCode != http.StatusOK {
		t.Errorf("a file that was there: %s", resp.Status)
	}
	s.refused(t, 412, "putFile", "", job, map[string]string{"If-Match": tag}, "new.yaml") // a lost update
	p := s.refused(t, 422, "putFile", "", "start: nowhere\nlimit: 5\n", map[string]string{"If-Match": resp.Header.Get("ETag")}, "new.yaml")
	if len(p.Mistakes) != 2 || p.Mistakes[0].Line != 1 || p.Mistakes[0].File != "new.yaml" {
		t.Errorf("%+v", p.Mistakes)
	}
	if _, text := s.ask(t, "putFile", "", "start: https://a.example/\nst\u202eop: \u009b2J\n", nil, "odd.yaml"); harmless.Lines(string(text)) != string(text) || !bytes.Contains(text, []byte(`st\u202eop`)) {
		t.Errorf("what a terminal would obey: %q", text)
	}
	if _, text := s.ask(t, "getFile", "", "", nil, "new.yaml"); string(text) != changed {
		t.Errorf("a file with mistakes was written: %s", text)
	}
	s.refused(t, 428, "deleteFile", "", "", nil, "new.yaml")
	s.ask(t, "deleteFile", "", "", map[string]string{"If-Match": resp.Header.Get("ETag")}, "new.yaml")
	s.refused(t, 404, "getFile", "", "", nil, "new.yaml")
	s.refused(t, 404, "getJob", "", "", nil, "new")
	for _, name := range []string{"serve.yaml", "../new.yaml", "..", ".hidden.yaml", "out/x.yaml", `..\x.yaml`, "x.txt", "/etc/passwd", "a\x00.yaml", "C:x.yaml", strings.Repeat("x", 300) + ".yaml"} {
		s.refused(t, 400, "getFile", "", "", nil, name)
		s.refused(t, 400, "putFile", "", job, yaml, name)
		s.refused(t, 400, "deleteFile", "", "", map[string]string{"If-Match": "*"}, name)
	}
	check := func(query, body string) machine.Checked {
		_, text := s.ask(t, "checkFile", query, body, yaml)
		var c machine.Checked
		if err := json.Unmarshal(text, &c); err != nil {
			t.Fatal(err)
		}
		return c
	}
	if c := check("file=lamps.yaml", "start: https://a.example/\nschedule: {cron: \"@daily\"}\n"); !c.OK || c.Job != "lamps" || len(c.Next) != 3 {
		t.Errorf("%+v", c)
	}
	if c := check("", "strat: https://a.example/\n"); c.OK || len(c.Mistakes) == 0 || c.Mistakes[0].Line != 1 {
		t.Errorf("%+v", c)
	}
}
