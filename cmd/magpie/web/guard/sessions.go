package guard

import (
	"crypto/rand"
	"crypto/sha256"
	"sync"
	"time"
)

const (
	sessionLasts = 7 * 24 * time.Hour
	maxSessions  = 1000
)

// sessions are the browsers that have logged in. They end with the process:
// nothing that opens the server is on a disk.
type sessions struct {
	mu  sync.Mutex
	all map[[sha256.Size]byte]time.Time // when each ends, by the hash of its id
	now func() time.Time
}

func newSessions() *sessions {
	return &sessions{all: map[[sha256.Size]byte]time.Time{}, now: time.Now}
}

// begin begins a session and returns its id.
func (s *sessions) begin() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	first := [sha256.Size]byte{}
	for hash, end := range s.all {
		if !end.After(now) {
			delete(s.all, hash)
		} else if ends, ok := s.all[first]; !ok || end.Before(ends) {
			first = hash
		}
	}
	if len(s.all) >= maxSessions {
		delete(s.all, first)
	}
	id := rand.Text()
	s.all[sha256.Sum256([]byte(id))] = now.Add(sessionLasts)
	return id
}

// valid tells whether an id is that of a session. Ids are looked up by their
// hash, so that the time it takes tells nothing of them.
func (s *sessions) valid(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	end, ok := s.all[sha256.Sum256([]byte(id))]
	return ok && end.After(s.now())
}

func (s *sessions) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, sha256.Sum256([]byte(id)))
}
