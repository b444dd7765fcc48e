package config

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/magpie-crawl/magpie/crawl"
)

// Webhook is where messages about finished runs are sent.
type Webhook struct {
	Name   string // the URL as the file has it, with the names of environment variables: it is not secret
	URL    string
	Secret string   // messages are signed with it; "": they are not
	On     []string // crawl's Event constants, without repetition
}

// SecretPrefix begins a secret that is written in Base64. Any other is taken
// as it is.
const SecretPrefix = "whsec_"

// webhooks reads one webhook or a list of them.
func (d *decoder) webhooks(v value) (list []Webhook) {
	entries := []*node{v.node}
	if v.kind == listKind {
		entries = v.list
	}
	for _, n := range entries {
		w := d.webhook(value{node: n, name: v.name})
		if slices.ContainsFunc(list, func(other Webhook) bool { return other.Name == w.Name }) && w.Name != "" {
			d.wrong(n.place, "two webhooks cannot have the same url")
		}
		list = append(list, w)
	}
	return list
}

func (d *decoder) webhook(v value) Webhook {
	w := Webhook{On: []string{crawl.EventFinish, crawl.EventDrift, crawl.EventChanges}}
	d.mapping(v, []key{
		{name: "url", read: func(v value) { w.Name, w.URL = d.webhookURL(v) }},
		{name: "secret", read: func(v value) { w.Secret = d.webhookSecret(v) }},
		{name: "on", read: func(v value) { w.On = d.events(v, w.On) }},
	})
	if _, has := v.get("url"); !has && v.kind == mappingKind && !d.broken[v.node] {
		d.wrong(v.place, `url is missing in webhook: say where messages go, such as {url: "https://example.com/hook", secret: "${HOOK_SECRET}"}`)
	}
	return w
}

func (d *decoder) webhookURL(v value) (name, expanded string) {
	before := len(d.mistakes)
	expanded = d.expand(v, `"https://example.com/hook"`)
	if len(d.mistakes) > before {
		return v.text, ""
	}
	n := *v.node
	n.text = expanded
	if d.url(value{&n, v.name}); len(d.mistakes) > before && expanded != v.text {
		// What is wrong must not tell what the variables say.
		d.mistakes = d.mistakes[:before]
		d.wrong(v.place, "%s is no URL once its variables have their values", quoted(v.text))
	}
	return v.text, expanded
}

func (d *decoder) webhookSecret(v value) string {
	secret := d.secret(v, `"${HOOK_SECRET}"`)
	if text, has := strings.CutPrefix(secret, SecretPrefix); has {
		if key, err := base64.StdEncoding.DecodeString(text); err != nil || len(key) == 0 {
			d.wrong(v.place, "the secret begins with %s, but is no Base64 after that", SecretPrefix)
		}
	}
	return secret
}

func (d *decoder) events(v value, known []string) (list []string) {
	for _, one := range d.texts(v, "changes") {
		if i, ok := d.choice(one, known); ok && !slices.Contains(list, known[i]) {
			list = append(list, known[i])
		}
	}
	if v.kind == listKind && len(v.list) == 0 {
		d.wrong(v.place, "on is empty: name what messages are about, such as [%s]", strings.Join(known, ", "))
	}
	return list
}
