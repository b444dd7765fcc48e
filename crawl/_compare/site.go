package main

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// site is the process that serves the pages.
type site struct {
	process *exec.Cmd
	pages   int
	host    string // "127.0.0.1:port"
	port    string
}

func startSite(pages int) *site {
	self, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	s := &site{process: exec.Command(self, "serve", strconv.Itoa(pages)), pages: pages}
	out, err := s.process.StdoutPipe()
	if err != nil {
		log.Fatal(err)
	}
	s.process.Stderr = os.Stderr
	if err := s.process.Start(); err != nil {
		log.Fatal(err)
	}
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		log.Fatal(err)
	}
	s.port = strings.TrimSpace(port)
	s.host = "127.0.0.1:" + s.port
	return s
}

func (s *site) stop() {
	s.process.Process.Kill()
	s.process.Wait()
}

// ask asks the site for a number.
func (s *site) ask(path string) int {
	resp, err := http.Get("http://" + s.host + path)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		log.Fatal(err)
	}
	n, err := strconv.Atoi(string(text))
	if err != nil {
		log.Fatal(err)
	}
	return n
}

// count is how many pages were asked for.
func (s *site) count() int { return s.ask("/-/count") }

// distinct is how many pages were asked for since forget, each counted once.
func (s *site) distinct() int { return s.ask("/-/distinct") }

// forget begins distinct anew.
func (s *site) forget() { s.ask("/-/forget") }

// tooEarly is how many requests came less than a second after another to the
// same host, by a margin for the clock of two processes.
func (s *site) tooEarly() int { return s.ask("/-/early") }

// page is the path of page i.
func page(i int) string { return "/page/" + strconv.Itoa(i) + ".html" }

// server is the other side of site.
type server struct {
	pages int
	count atomic.Int64
	seen  atomic.Pointer[[]atomic.Bool] // by page, since forget
	early atomic.Int64
	last  sync.Map // host → *atomic.Int64, when it was last asked
}

func serve(pages string) {
	n, err := strconv.Atoi(pages)
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", "0.0.0.0:0") // every loopback address is a host
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(l.Addr().(*net.TCPAddr).Port)
	s := &server{pages: n}
	s.forget()
	log.Fatal(http.Serve(l, s))
}

func (s *server) forget() {
	seen := make([]atomic.Bool, s.pages)
	s.seen.Store(&seen)
}

func (s *server) distinct() (n int) {
	seen := *s.seen.Load()
	for i := range seen {
		if seen[i].Load() {
			n++
		}
	}
	return n
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rest, isPage := strings.CutPrefix(r.URL.Path, "/page/")
	i, err := strconv.Atoi(strings.TrimSuffix(rest, ".html"))
	switch {
	case r.URL.Path == "/-/count":
		fmt.Fprint(w, s.count.Load())
	case r.URL.Path == "/-/distinct":
		fmt.Fprint(w, s.distinct())
	case r.URL.Path == "/-/forget":
		s.forget()
		fmt.Fprint(w, 0)
	case r.URL.Path == "/-/early":
		fmt.Fprint(w, s.early.Load())
	case isPage && err == nil:
		s.count.Add(1)
		if seen := *s.seen.Load(); i >= 0 && i < len(seen) {
			seen[i].Store(true)
		}
		s.watch(r.Host)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		s.write(w, i)
	default:
		http.NotFound(w, r)
	}
}

// watch notes requests that come too early.
func (s *server) watch(host string) {
	v, known := s.last.Load(host)
	if !known {
		v, _ = s.last.LoadOrStore(host, new(atomic.Int64))
	}
	now := time.Now().UnixMicro()
	if before := v.(*atomic.Int64).Swap(now); before > 0 && now-before < 995_000 {
		s.early.Add(1)
	}
}

var filler = strings.Repeat("Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy. ", 30)

// write writes page i: a product with 20 links, 4 KB in all.
func (s *server) write(w io.Writer, i int) {
	var b strings.Builder
	b.Grow(4 << 10)
	fmt.Fprintf(&b, `<!DOCTYPE html><html lang=en><head><title>Product %d</title><meta name=description content="The product %d"></head><body><h1>Product %d</h1>`, i, i, i)
	fmt.Fprintf(&b, `<p class=price>$%d.%02d</p><p class=sku>SKU-%08d</p><div class=text>%s</div><img src=/i/%d.png><ul>`, i%500, i%100, i, filler, i)
	for j := range 20 {
		to := (i*20 + j + 1) % s.pages
		fmt.Fprintf(&b, `<li><a href=%q>Product %d</a>`, page(to), to)
	}
	b.WriteString("</ul></body></html>")
	io.WriteString(w, b.String())
}
