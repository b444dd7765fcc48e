package secretname

import "testing"

func TestIs(t *testing.T) {
	for name, want := range map[string]bool{
		"Authorization": true, "Proxy-Authorization": true, "Cookie": true, "X-API-Key": true, "api_key": true, "apiKey": true,
		"password": true, "user[passwd]": true, "client_secret": true, "X-Access-Token": true, "pin": true, "card-pin": true, "PIN_code": true,
		"Accept": false, "Host": false, "pinned": false, "shipping": false, "keyboard": false, "api": false, "": false,
	} {
		t.Run(name, func(t *testing.T) {
			if got := Is(name); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}
