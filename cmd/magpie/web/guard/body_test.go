package guard

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// TestHugeBody: more than a job file needs is not read.
func TestHugeBody(t *testing.T) {
	read := make(chan int64, 1)
	_, server := startServer(t, Options{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		read <- n
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
		}
	}))
	r, err := http.NewRequestWithContext(t.Context(), "PUT", server+"/api/v1/files/a.yaml", io.LimitReader(endless{}, 1<<40))
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := http.DefaultTransport.RoundTrip(r); err == nil {
		resp.Body.Close()
		if resp.StatusCode != http.StatusRequestEntityTooLarge {
			t.Error(resp.Status)
		}
	} // else the connection was closed while we were still sending
	if n := <-read; n != MaxBody {
		t.Errorf("%d bytes were read, want %d", n, MaxBody)
	}
}

// TestHugeForm: a form that is too large is not taken for one of another site.
func TestHugeForm(t *testing.T) {
	g, server := startServer(t, Options{}, nil)
	long := strings.Repeat("x", MaxBody)
	for name, form := range map[string]struct{ kind, body string }{
		"of fields": {"application/x-www-form-urlencoded", url.Values{FormField: {g.formToken(caller{})}, "z": {long}}.Encode()},
		"of files":  {"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=z\r\n\r\n" + long + "\r\n--b--\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequestWithContext(t.Context(), "POST", server+"/jobs/a/edit", strings.NewReader(form.body))
			r.Header.Set("Content-Type", form.kind)
			answer := httptest.NewRecorder()
			g.Wrap(http.NotFoundHandler()).ServeHTTP(answer, r)
			if answer.Code != http.StatusRequestEntityTooLarge {
				t.Errorf("status %d: %s", answer.Code, answer.Body)
			}
		})
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }
