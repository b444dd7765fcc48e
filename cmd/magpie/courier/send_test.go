package courier

import (
	"encoding/base64"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/magpie-crawl/magpie/cmd/magpie/courier/couriertest"
)

func TestSignature(t *testing.T) {
	body := []byte(`{"a": 1}`)
	for name, secret := range map[string]string{
		"text":   couriertest.Secret,
		"Base64": "whsec_" + base64.StdEncoding.EncodeToString([]byte(couriertest.Secret)),
	} {
		t.Run(name, func(t *testing.T) {
			verify, err := standardwebhooks.NewWebhookRaw([]byte(couriertest.Secret))
			if err != nil {
				t.Fatal(err)
			}
			at := time.Unix(1700000000, 0)
			want, err := verify.Sign("msg_1", at, body)
			if got := signature(secret, "msg_1", "1700000000", body); err != nil || got != want {
				t.Errorf("%s, want %s (%v)", got, want, err)
			}
		})
	}
}
