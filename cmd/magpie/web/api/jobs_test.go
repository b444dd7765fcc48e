package api

import (
	"strings"
	"testing"

	"github.com/magpie-crawl/magpie/cmd/magpie/machine"
	"github.com/magpie-crawl/magpie/internal/steadytest"
)

func testJobs(s *server, t *testing.T) {
	list := get[List[machine.Job]](s, t, "listJobs", "").Items
	if len(list) != 4 || list[0].Job != oddName || list[3].Fault == "" {
		t.Fatalf("%+v", list)
	}
	if demo := get[machine.Job](s, t, "getJob", "", "demo"); demo.Next == nil || demo.State != "idle" || demo.File != "demo.yaml" {
		t.Errorf("%+v", demo)
	}
	testNotYet(s, t)
	for range 2 {
		s.ask(t, "startJob", "", "", nil, "demo")
		if j := s.await(t, "demo", "idle"); j.Error != "" || j.LastRun == nil || j.LastRun.Records == 0 || j.LastSuccess == nil {
			t.Fatalf("%+v", j)
		}
	}
	for _, name := range []string{"slow", oddName} {
		s.ask(t, "startJob", "", `{"fresh": true}`, nil, name)
		s.await(t, name, "running")
	}
	steadytest.Await(t, "a request in flight", func() bool {
		p := get[machine.Progress](s, t, "getProgress", "", oddName)
		return p.InFlight == 1 && p.Run == 1
	})
	if m := get[machine.Measured](s, t, "getMeasured", "", oddName); m.Responses != 0 && len(m.Durations) == 0 {
		t.Errorf("%+v", m)
	}
	s.refused(t, 409, "startJob", "", "", nil, "slow")
	s.ask(t, "stopJob", "", "", nil, "slow")
	s.slow.open()
	s.await(t, "slow", "idle")
	s.await(t, oddName, "idle")
	s.refused(t, 409, "stopJob", "", "", nil, "slow")
	s.refused(t, 409, "getProgress", "", "", nil, "slow")
	s.refused(t, 409, "getMeasured", "", "", nil, "slow")
	s.refused(t, 409, "startJob", "", "", nil, list[3].Job)
	if s.ask(t, "pauseJob", "", "", nil, "demo"); !get[machine.Job](s, t, "getJob", "", "demo").Paused {
		t.Error("it is not paused")
	}
	if s.ask(t, "resumeJob", "", "", nil, "demo"); get[machine.Job](s, t, "getJob", "", "demo").Paused {
		t.Error("it is paused still")
	}
	for _, id := range []string{"pauseJob", "resumeJob"} {
		if p := s.refused(t, 409, id, "", "", nil, "slow"); p.Detail != "the job has no schedule" {
			t.Errorf("%s: %+v", id, p)
		}
	}
	if all := get[List[machine.Status]](s, t, "getStatus", "hosts=1").Items; len(all) != 3 {
		t.Errorf("status of %d jobs", len(all))
	}
	if due := get[List[machine.Due]](s, t, "listDue", "limit=1", "demo"); len(due.Items) != 1 || due.Next == "" || due.Items[0].Run != 2 || due.Items[0].Kind != "hand" {
		t.Errorf("%+v", due)
	} else if rest := get[List[machine.Due]](s, t, "listDue", "cursor="+due.Next, "demo"); len(rest.Items) != 1 || rest.Items[0].Run != 1 {
		t.Errorf("%+v", rest)
	}
	get[List[machine.Message]](s, t, "listMessages", "job=demo")
	for _, id := range []string{"getJob", "startJob", "stopJob", "pauseJob", "resumeJob", "getProgress", "listDue", "listRuns", "listPages", "listItems", "listExports", "listProblems", "listRejects", "getHealth", "listChanges", "getFigures", "getMeasured"} {
		s.refused(t, 404, id, "", "", nil, "nobody")
	}
	s.refused(t, 404, "getStatus", "job=nobody", "", nil)
}

// testNotYet asks for what there is of a job of the folder that has not run.
func testNotYet(s *server, t *testing.T) {
	for id, query := range map[string]string{"listRuns": "", "listPages": "", "listItems": "", "listDue": "", "listExports": "", "listMessages": "job=demo", "listAlerts": "job=demo", "search": "q=lamp&job=demo"} {
		t.Run(id+" of a job that has not run", func(t *testing.T) {
			names := []string{"demo"}
			if strings.HasPrefix(query, "job=") || id == "search" {
				names = nil
			}
			if list := get[List[any]](s, t, id, query, names...); list.Items == nil || len(list.Items) > 0 {
				t.Errorf("%+v", list)
			}
		})
	}
	if f := get[machine.Figures](s, t, "getFigures", "", "demo"); len(f.Runs) > 0 || len(f.Fields) > 0 {
		t.Errorf("%+v", f)
	}
	for _, id := range []string{"listProblems", "listRejects", "getHealth", "listChanges"} {
		s.refused(t, 404, id, "", "", nil, "demo")
	}
	s.refused(t, 404, "listPages", "run=1", "", nil, "demo")
}
