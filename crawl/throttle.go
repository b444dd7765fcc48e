package crawl

import "time"

// comfortable is the latency up to which a host is taken to be at ease: above
// it, an adaptive crawl puts what is beyond it between two requests.
const comfortable = 500 * time.Millisecond

// bulky is the size from which a body's transfer says more of the line than
// of the host.
const bulky = 1 << 20

// throttle is how slow a host wants to be asked.
type throttle struct {
	crawlDelay time.Duration // as its robots.txt asks
	slow       time.Duration // learned from 429 and 503
	latency    time.Duration // smoothed
}

// delay is the time between the starts of two requests: what the job says, or
// what is longer of that which the host asks for and has taught, up to the
// limit for those.
func (t *throttle) delay(l hostLimits) time.Duration {
	d := t.crawlDelay
	if l.adaptive {
		d = max(d, t.slow, t.ease(l))
	}
	return max(l.delay, min(d, l.maxDelay))
}

// ease is the delay for the host's latency. The number of requests in flight
// is limited, so a host that gets slow is asked less often in any case; this
// takes it down further, to half of that for one that is very slow.
func (t *throttle) ease(l hostLimits) time.Duration {
	return max(0, t.latency-comfortable) / time.Duration(max(1, l.inFlight/2))
}

// overloaded takes in that the host said it has too much to do.
func (t *throttle) overloaded(l hostLimits) {
	t.slow = min(max(2*t.delay(l), l.backoff), l.maxDelay)
}

// answered takes in a good answer: what overload taught wears off, slowly.
func (t *throttle) answered(took time.Duration, size int64, l hostLimits) {
	t.slow -= t.slow / 20
	if t.slow < max(l.delay, time.Millisecond) {
		t.slow = 0
	}
	if size < bulky {
		t.latency += (took - t.latency) / 8
	}
}
