package api

import (
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
