package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/magpie-crawl/magpie/config/notify"
)

const notifyExample = `{webhook: "https://example.com/hook"}, {email: ops@example.com} or {command: [./page-me.sh, "{{.Job}}"]}`

// notify reads where messages about a job go: one way, or a list of them. An
// empty list is none, and not nil.
func (d *decoder) notify(v value) []notify.Channel {
	entries := []*node{v.node}
	if v.kind == listKind {
		entries = v.list
	}
	list := []notify.Channel{}
	for _, n := range entries {
		found := len(d.mistakes)
		for _, c := range d.notifyEntry(value{node: n, name: v.name}) {
			if slices.ContainsFunc(list, func(other notify.Channel) bool { return other.ID == c.ID }) && len(d.mistakes) == found {
				d.wrong(n.place, "%s is named twice in notify", c.Name)
			}
			list = append(list, c)
		}
	}
	return list
}

// notifyEntry reads one entry. Each address of mail is a channel of its own:
// one that is refused keeps nothing from the others.
func (d *decoder) notifyEntry(v value) []notify.Channel {
	c := notify.Channel{Folder: d.folder, Timeout: notify.DefaultTimeout, On: notify.DefaultOn(), Group: notify.DefaultGroup, Repeat: notify.DefaultRepeat}
	var emails []string
	var webhook, email, command, ofWebhook, ofMail, template value
	keep := func(into *value) func(value) { return func(v value) { *into = v } }
	only := func(of *value, read func(value)) func(value) { return func(v value) { *of = v; read(v) } }
	d.mapping(v, []key{
		{name: "webhook", read: keep(&webhook)},
		{name: "email", read: keep(&email)},
		{name: "command", read: keep(&command)},
		{name: "secret", read: only(&ofWebhook, func(v value) { c.Secret = d.webhookSecret(v) })},
		{name: "subject", read: only(&ofMail, func(v value) { c.Subject = d.template(v, `"{{.Job}}: {{.Kind}}"`) })},
		{name: "template", read: only(&template, func(v value) { c.Template = d.template(v, `'{"text": {{json .Text}}}'`) })},
		{name: "headers", read: only(&ofWebhook, func(v value) { c.Header = d.notifyHeaders(v) })},
		{name: "timeout", read: func(v value) { c.Timeout = d.aboveZero(v, "30s") }},
		{name: "on", read: func(v value) { c.On = d.notifyKinds(v) }},
		{name: "group", read: func(v value) { c.Group = d.duration(v, "10m") }},
		{name: "repeat", read: func(v value) { c.Repeat = d.aboveZero(v, "24h") }},
	})
	if v.kind != mappingKind {
		return nil
	}
	ways := 0
	for _, way := range []value{webhook, email, command} {
		if way.node != nil {
			ways++
		}
	}
	switch {
	case ways != 1 && d.broken[v.node]:
	case ways == 0:
		d.wrong(v.place, "an entry of %s says where messages go: write %s", v.name, notifyExample)
	case ways > 1:
		d.wrong(v.place, "an entry of %s has just one of webhook, email and command: write an entry for each", v.name)
	case ofWebhook.node != nil && webhook.node == nil:
		d.wrong(ofWebhook.place, "%s is for a webhook alone", ofWebhook.name)
	case ofMail.node != nil && email.node == nil:
		d.wrong(ofMail.place, "%s is for mail alone", ofMail.name)
	case template.node != nil && command.node != nil:
		d.wrong(template.place, "template is for webhooks and mail: the arguments of a command are templates themselves")
	}
	switch {
	case webhook.node != nil:
		c.Name, c.Webhook = d.webhookURL(webhook)
		c.Name = "webhook " + c.Name
	case email.node != nil:
		emails = d.emails(email)
	case command.node != nil:
		c.Command = d.command(command)
		c.Name = "command " + strings.Join(plainEntries(command.node), " ")
	}
	return named(c, v.node, emails)
}

// named gives channels their names and identities: what makes two of them the
// same is where they lead, and in which form.
func named(c notify.Channel, n *node, emails []string) (list []notify.Channel) {
	if len(emails) > 0 {
		form := n.form("subject", "template")
		for _, address := range emails {
			c.Email, c.Name = address, "email "+address
			c.ID = c.Name + form
			list = append(list, c)
		}
		return list
	}
	c.ID = c.Name + n.form("secret", "template", "headers", "timeout")
	return append(list, c)
}

// form stands for what the file says at some keys; "": nothing.
func (n *node) form(keys ...string) string {
	form := map[string]any{}
	for _, p := range n.pairs {
		if slices.Contains(keys, p.key) {
			form[p.key] = p.value.written()
		}
	}
	if len(form) == 0 {
		return ""
	}
	text, _ := json.Marshal(form) // texts alone
	sum := sha256.Sum256(text)
	return " #" + hex.EncodeToString(sum[:4])
}

// written is a node of texts as the file has it: not with what variables say.
func (n *node) written() any {
	if n.kind != mappingKind {
		return n.text
	}
	m := map[string]string{}
	for _, p := range n.pairs {
		m[p.key] = p.value.text
	}
	return m
}

func plainEntries(n *node) []string {
	if n.kind != listKind {
		return []string{n.text}
	}
	var list []string
	for _, e := range n.list {
		list = append(list, e.text)
	}
	return list
}

func (d *decoder) notifyKinds(v value) (list []notify.Kind) {
	for _, name := range d.events(v, notify.Kinds) {
		list = append(list, notify.Kind(name))
	}
	return list
}

// template reads a template that makes a message, or its subject.
func (d *decoder) template(v value, example string) *notify.Template {
	source, ok := d.verbatim(v, example)
	if !ok {
		return nil
	}
	t, err := notify.Compile(source)
	if err != nil {
		d.wrong(v.place, "the %s cannot be used: %s", v.name, err)
	}
	return t
}

// notifyHeaders reads fields of requests: a receiver's key belongs there.
func (d *decoder) notifyHeaders(v value) map[string]string {
	list := d.textMap(v, `{Authorization: "Bearer ${TOKEN}"}`)
	if v.kind != mappingKind {
		return nil
	}
	for _, p := range v.pairs {
		switch {
		case !httpguts.ValidHeaderFieldName(p.key), !httpguts.ValidHeaderFieldValue(list[p.key]):
			d.wrong(p.place, "%s is no field of a request's header, or its value none", quoted(p.key))
		case slices.Contains([]string{"Host", "Content-Length", "Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"}, textproto.CanonicalMIMEHeaderKey(p.key)):
			d.wrong(p.place, "%s is set by magpie itself: leave it out", p.key)
		}
	}
	return maps.Clone(list)
}

// emails reads addresses as https://www.rfc-editor.org/rfc/rfc5322#section-3.4 has them.
func (d *decoder) emails(v value) (list []string) {
	if v.kind == listKind && len(v.list) == 0 {
		d.wrong(v.place, "email is empty: name at least one address, such as ops@example.com")
	}
	for _, one := range d.texts(v, "ops@example.com") {
		text := d.expand(one, "ops@example.com")
		if d.offline && variable.MatchString(one.text) {
			continue // its variables have no values
		}
		address, err := mail.ParseAddress(text)
		if err != nil || strings.ContainsAny(text, "\r\n") {
			d.wrong(one.place, "%s is no address: write one such as ops@example.com", quoted(one.text))
			continue
		}
		if slices.Contains(list, address.Address) {
			d.wrong(one.place, "%s is named twice in email", quoted(address.Address))
			continue
		}
		list = append(list, address.Address)
	}
	return list
}

// command reads a program with its arguments, each a template of its own, so
// that nothing in a message becomes two arguments or another program.
func (d *decoder) command(v value) (list []*notify.Template) {
	if v.kind != listKind {
		d.want(v, `a list of a program and its arguments such as [./page-me.sh, "{{.Job}}"]`)
		return nil
	}
	if len(v.list) == 0 {
		d.wrong(v.place, `command is empty: name a program, such as [./page-me.sh, "{{.Job}}"]`)
	}
	for i, one := range d.texts(v, "./page-me.sh") {
		if i == 0 && strings.Contains(one.text, "{{") {
			d.wrong(one.place, "the program must be named: a template can only be among its arguments")
			continue
		}
		t, err := notify.Compile(one.text)
		if err != nil {
			d.wrong(one.place, "the argument cannot be used: %s", err)
		}
		list = append(list, t)
	}
	return list
}

// silence reads after how many intervals without a success a job is silent:
// -1 for off.
func (d *decoder) silence(v value) int {
	if isOff(v) {
		return -1
	}
	return d.integer(v, 1, "3")
}
