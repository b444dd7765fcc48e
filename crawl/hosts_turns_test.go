package crawl

import (
	"fmt"
	"testing"
	"time"
)

// Hosts that no crawl is at any more are forgotten once nothing is owed to
// them.
func TestHostsForget(t *testing.T) {
	now := time.Now()
	visit := func(hosts *Hosts, n int, delay time.Duration) {
		g := hosts.guest()
		for i := range n {
			s, granted := g.ask(nil, fmt.Sprint("host", i), 2, delay, now)
			if granted.turn == 0 {
				t.Fatalf("no turn at host %d: %+v", i, granted)
			}
			g.done(s, &answer{grant: granted.turn, sent: now}, 2, delay, &lesson{})
			g.leave(s, now)
			now = now.Add(10 * time.Millisecond)
		}
	}
	t.Run("at once without a delay", func(t *testing.T) {
		var hosts Hosts
		if visit(&hosts, 5000, 0); len(hosts.known) > 0 {
			t.Errorf("%d hosts", len(hosts.known))
		}
	})
	t.Run("later with one", func(t *testing.T) {
		var hosts Hosts
		if visit(&hosts, 20_000, time.Second); len(hosts.known) > minSweep {
			t.Errorf("%d hosts", len(hosts.known))
		}
	})
	t.Run("not before a pause is over", func(t *testing.T) {
		var hosts Hosts
		g := hosts.guest()
		s, granted := g.ask(nil, "host", 2, 0, now)
		g.done(s, &answer{grant: granted.turn, sent: now}, 2, 0, &lesson{pause: now.Add(time.Hour), why: WaitRetryAfter})
		g.leave(s, now)
		_, granted = hosts.guest().ask(nil, "host", 2, 0, now.Add(59*time.Minute))
		if granted.turn > 0 || granted.wait != WaitRetryAfter || !granted.next.Equal(now.Add(time.Hour)) {
			t.Errorf("%+v", granted)
		}
	})
}

func TestHostsTurns(t *testing.T) {
	start := time.Now()
	at := func(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }
	two := func(delay time.Duration) (a, b *guest, atA, atB *seat, turn int) {
		var hosts Hosts
		a, b = hosts.guest(), hosts.guest()
		a.ready.Store(true)
		b.ready.Store(true)
		var g grant
		if atA, g = a.ask(nil, "host", 1, delay, start); g.turn == 0 {
			t.Fatalf("%+v", g)
		}
		turn = g.turn
		if atB, g = b.ask(nil, "host", 1, delay, start); g.turn > 0 {
			t.Fatalf("%+v", g)
		}
		return a, b, atA, atB, turn
	}
	t.Run("who waits is called, and first", func(t *testing.T) {
		a, b, atA, atB, turn := two(0)
		a.done(atA, &answer{grant: turn, sent: start}, 1, 0, &lesson{})
		select {
		case <-b.bell:
		default:
			t.Error("it was not called")
		}
		if names := b.calls(); len(names) != 1 || names[0] != "host" {
			t.Errorf("called for %q", names)
		}
		if _, g := a.ask(atA, "host", 1, 0, time.Now()); g.turn > 0 || g.next.IsZero() || g.wait != WaitNeighbour {
			t.Errorf("the other went first: %+v", g)
		}
		if _, g := b.ask(atB, "host", 1, 0, time.Now()); g.turn == 0 {
			t.Errorf("%+v", g)
		}
	})
	t.Run("a crawl that has no worker free is not waited for", func(t *testing.T) {
		a, b, atA, _, turn := two(0)
		b.ready.Store(false)
		a.done(atA, &answer{grant: turn, sent: start}, 1, 0, &lesson{})
		if _, g := a.ask(atA, "host", 1, 0, time.Now()); g.turn == 0 {
			t.Errorf("%+v", g)
		}
	})
	t.Run("a crawl that lets its turn pass is not waited for long, or again", func(t *testing.T) {
		a, _, atA, _, turn := two(0)
		a.done(atA, &answer{grant: turn, sent: start}, 1, 0, &lesson{})
		late := time.Now().Add(claimGrace)
		_, g := a.ask(atA, "host", 1, 0, late)
		if g.turn == 0 {
			t.Fatalf("%+v", g)
		}
		a.done(atA, &answer{grant: g.turn, sent: late}, 1, 0, &lesson{})
		if _, g = a.ask(atA, "host", 1, 0, late); g.turn == 0 {
			t.Errorf("again: %+v", g)
		}
	})
	t.Run("a turn that was not used costs nobody a delay", func(t *testing.T) {
		a, b, atA, atB, turn := two(time.Second)
		a.done(atA, &answer{grant: turn, unsent: true}, 1, time.Second, nil)
		if _, g := b.ask(atB, "host", 1, time.Second, at(1)); g.turn == 0 {
			t.Errorf("%+v", g)
		}
	})
	t.Run("a crawl that is broken off still owes the delay", func(t *testing.T) {
		a, b, atA, atB, _ := two(time.Second)
		a.leave(atA, at(300))
		if _, g := b.ask(atB, "host", 1, time.Second, at(1200)); g.turn > 0 || !g.next.Equal(at(1300)) {
			t.Errorf("%+v", g)
		}
		if _, g := b.ask(atB, "host", 1, time.Second, at(1300)); g.turn == 0 {
			t.Errorf("%+v", g)
		}
	})
}

// BenchmarkHosts is what sharing costs a crawl that is alone at its host.
func BenchmarkHosts(b *testing.B) {
	g := new(Hosts).guest()
	now := time.Now()
	var s *seat
	for b.Loop() {
		var granted grant
		s, granted = g.ask(s, "host", 2, 0, now)
		g.news(s)
		g.done(s, &answer{grant: granted.turn, sent: now}, 2, 0, &lesson{})
	}
}
