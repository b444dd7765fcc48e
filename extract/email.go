package extract

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

var (
	errEmail     = errors.New("has no email address")
	errTwoEmails = errors.New("has more than one email address: say which with a regex or a closer selector")
)

// parseEmail reads the email address in a text or a mailto URL, with the
// domain in small letters. Of a mailto URL it is the first address, with what
// is percent-encoded decoded, and without the header fields behind it. What
// keeps addresses from collectors is undone where it is sure: name (at)
// example (dot) com, name [ät] example.com, name AT example DOT com.
//
// An address is what type=email of HTML takes, and Unicode letters; its
// domain has a dot. Text with two different addresses is none.
//
// https://html.spec.whatwg.org/multipage/input.html#email-state-(type=email)
// https://www.rfc-editor.org/rfc/rfc6068#section-2
func parseEmail(s string) (string, error) {
	if len(s) > longestWriting {
		return "", errors.New("is too long to be an email address")
	}
	s = strings.TrimSpace(s)
	if len(s) > 7 && strings.EqualFold(s[:7], "mailto:") {
		return mailtoAddress(s[7:])
	}
	if a := wholeAddress(s); a != "" {
		return a, nil
	}
	addresses := emailsIn(s)
	if len(addresses) == 0 {
		addresses = emailsIn(plainAddress(s))
	}
	switch len(addresses) {
	case 0:
		return "", errEmail
	case 1:
		return addresses[0], nil
	}
	return "", errTwoEmails
}

// mailtoAddress reads what follows mailto:.
func mailtoAddress(s string) (string, error) {
	s, _, _ = strings.Cut(s, "#")
	to, fields, _ := strings.Cut(s, "?")
	if to == "" { // mailto:?to=
		for field := range strings.SplitSeq(fields, "&") {
			if name, value, _ := strings.Cut(field, "="); strings.EqualFold(name, "to") {
				to = value
				break
			}
		}
	}
	to, _, _ = strings.Cut(to, ",")
	if decoded, err := url.PathUnescape(to); err == nil {
		to = decoded
	}
	if a := wholeAddress(strings.TrimSpace(to)); a != "" {
		return a, nil
	}
	if addresses := emailsIn(to); len(addresses) > 0 {
		return addresses[0], nil
	}
	return "", errEmail
}

// wholeAddress returns the address that the text is, "" where it is none. It
// may begin with signs that stand around addresses in other text.
func wholeAddress(s string) string {
	local, domain, _ := strings.Cut(s, "@")
	if !validLocal(local) || strings.ContainsFunc(local, func(r rune) bool { return !localRune(r) }) {
		return ""
	}
	if domain = emailDomain(domain); domain == "" || len(local)+1+len(domain) > maxEmail {
		return ""
	}
	return local + "@" + domain
}

// validLocal reports whether points stand well in what is before the @.
func validLocal(s string) bool {
	return s != "" && len(s) <= maxLocal && s[0] != '.' && s[len(s)-1] != '.' && !strings.Contains(s, "..")
}

// maxEmail is the longest address that mail can go to, and maxLocal its part
// before the @.
//
// https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1
const maxEmail, maxLocal = 254, 64

// emailsIn finds the first two different addresses in a text.
func emailsIn(s string) []string {
	var found []string
	for at := strings.IndexByte(s, '@'); at >= 0; {
		if a := addressAround(s, at); a != "" && (len(found) == 0 || !strings.EqualFold(found[0], a)) {
			if found = append(found, a); len(found) == 2 {
				return found
			}
		}
		next := strings.IndexByte(s[at+1:], '@')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return found
}

// addressAround returns the address whose @ is at, "" where there is none.
func addressAround(s string, at int) string {
	start, end := at, at+1
	for start > 0 && at-start <= maxEmail {
		r, size := utf8.DecodeLastRuneInString(s[:start])
		if !localRune(r) {
			break
		}
		start -= size
	}
	for end < len(s) && end-at <= maxEmail {
		r, size := utf8.DecodeRuneInString(s[end:])
		if !domainRune(r) {
			break
		}
		end += size
	}
	local := strings.TrimLeft(s[start:at], ".'`/{|*=?!#$%&+-_~^")
	domain := emailDomain(strings.TrimRight(s[at+1:end], ".-"))
	if end < len(s) && s[end] == '@' || !validLocal(local) {
		return ""
	}
	if start == at-len(local) && start > 0 && s[start-1] == '@' {
		return ""
	}
	if domain == "" || len(local)+1+len(domain) > maxEmail {
		return ""
	}
	return local + "@" + domain
}

// localRune reports whether r may stand before the @ without quotes.
//
// https://www.rfc-editor.org/rfc/rfc6531#section-3.3
func localRune(r rune) bool {
	return r < utf8.RuneSelf && (isLetterOrDigit(byte(r)) || strings.ContainsRune(".!#$%&'*+/=?^_`{|}~-", r)) ||
		r >= utf8.RuneSelf && r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r))
}

func domainRune(r rune) bool {
	return r < utf8.RuneSelf && (isLetterOrDigit(byte(r)) || r == '.' || r == '-') ||
		r >= utf8.RuneSelf && r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r))
}

func isLetterOrDigit(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z' }

// fileEndings are no top-level domains but what follows an @ in the names of
// images: icon@2x.png.
var fileEndings = setOf(`png jpg jpeg gif webp svg avif css js html htm php woff woff2`)

// emailDomain returns a domain in small letters, "" where it is none.
func emailDomain(s string) string {
	s = strings.ToLower(s)
	ascii, err := idna.ToASCII(s)
	if err != nil || len(ascii) > 253 || strings.ContainsFunc(s, func(r rune) bool { return !domainRune(r) }) {
		return ""
	}
	labels := strings.Split(ascii, ".")
	for _, l := range labels {
		if l == "" || len(l) > 63 || l[0] == '-' || l[len(l)-1] == '-' {
			return ""
		}
	}
	top := labels[len(labels)-1]
	if len(labels) < 2 || len(top) < 2 || fileEndings[top] || strings.Trim(top, "0123456789") == "" {
		return ""
	}
	return s
}

var (
	bracketedAt = regexp.MustCompile(`(?i)\s*(?:[(\[{<]\s*(?:at|ät|@|arroba|chiocciola|arobase|malpa|zavináč|собака|klammeraffe)\s*[)\]}>])\s*`)
	bracketedIn = regexp.MustCompile(`(?i)\s*(?:[(\[{<]\s*(?:dot|punkt|point|punto|ponto|kropka|точка|\.)\s*[)\]}>])\s*`)
	spelledOut  = regexp.MustCompile(`(?i)(^|[\s:<(])([a-z0-9._+-]{1,64}(?: dot [a-z0-9_+-]{1,64}){0,4}) at ([a-z0-9-]{1,63}(?: dot [a-z0-9-]{1,63}){1,4})\b`)
	dots        = regexp.MustCompile(`(?i) dot `)
	spacedAt    = regexp.MustCompile(` ?@ ?`)
)

// plainAddress undoes what hides an address: brackets around at and dot, and
// both as words.
func plainAddress(s string) string {
	if bracketedAt.MatchString(s) {
		return bracketedIn.ReplaceAllString(bracketedAt.ReplaceAllString(s, "@"), ".")
	}
	if m := spelledOut.FindStringSubmatch(s); m != nil {
		return dots.ReplaceAllString(m[2], ".") + "@" + dots.ReplaceAllString(m[3], ".")
	}
	return spacedAt.ReplaceAllString(bracketedIn.ReplaceAllString(s, "."), "@")
}
