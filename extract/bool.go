package extract

import (
	"errors"
	"strings"
)

// truths are the words for true and false, in small letters.
var truths = map[string]bool{
	"true": true, "yes": true, "y": true, "on": true, "1": true, "✓": true, "✔": true, "☑": true, "✅": true,
	"ja": true, "oui": true, "sí": true, "si": true, "sì": true, "sim": true, "tak": true, "ano": true, "áno": true, "igen": true,
	"da": true, "да": true, "так": true, "kyllä": true, "evet": true, "ναι": true, "はい": true, "是": true, "예": true, "네": true, "نعم": true, "vrai": true, "wahr": true, "verdadero": true, "vero": true,
	"false": false, "no": false, "n": false, "off": false, "0": false, "✗": false, "✘": false, "✕": false, "☐": false, "❌": false, "×": false,
	"nein": false, "non": false, "não": false, "nee": false, "nej": false, "nei": false, "nie": false, "ne": false, "nu": false, "nem": false,
	"нет": false, "ні": false, "не": false, "ei": false, "hayır": false, "όχι": false, "いいえ": false, "否": false, "아니요": false, "아니오": false, "لا": false, "faux": false, "falsch": false, "falso": false,
}

// parseBool reads a word for yes or no of many languages, or a check mark.
// Other words are no bool: a map says what they mean.
func parseBool(s string) (bool, error) {
	b, ok := truths[strings.ToLower(strings.Trim(s, asciiWhitespace+".!\u00a0\ufe0e\ufe0f"))]
	if !ok {
		return false, errors.New("is neither yes nor no: say with a map what it means")
	}
	return b, nil
}
