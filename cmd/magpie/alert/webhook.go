package alert

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/magpie-crawl/magpie/cmd/magpie/courier"
	"github.com/magpie-crawl/magpie/config/notify"
)

// hookMessage is what a webhook gets that has no template, in the shape of
// https://www.standardwebhooks.com
type hookMessage struct {
	Type      string         `json:"type"` // alert
	Timestamp time.Time      `json:"timestamp"`
	Data      notify.Message `json:"data"`
}

// post sends a message to a webhook.
func (a *Alerter) post(ctx context.Context, channel notify.Channel, m notify.Message) error {
	body, contentType, err := hookBody(channel, m)
	if err != nil {
		return fmt.Errorf("%w: %w", errNever, err)
	}
	again, err := a.sender.Post(ctx, m.ID, body, courier.Target{URL: channel.Webhook, Secret: channel.Secret, Header: channel.Header, ContentType: contentType})
	switch {
	case errors.Is(err, courier.ErrGone):
		return fmt.Errorf("%w: %w", errNever, err)
	case err != nil && again > 0:
		return &askedToWait{err, again}
	}
	return err
}

// hookBody is what is posted, and its type.
func hookBody(channel notify.Channel, m notify.Message) (body []byte, contentType string, err error) {
	if channel.Template == nil {
		body, err = json.Marshal(hookMessage{"alert", m.Time.UTC(), m})
		return body, "application/json", err
	}
	text, err := channel.Template.Make(m)
	if json.Valid([]byte(text)) {
		return []byte(text), "application/json", err
	}
	return []byte(text), "text/plain; charset=utf-8", err
}
