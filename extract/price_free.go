package extract

import "strings"

// freeWords say that something costs nothing.
var freeWords = func() map[string]bool {
	free := map[string]bool{}
	for w := range strings.SplitSeq("free/free of charge/for free/gratis/kostenlos/kostenfrei/umsonst/gratuit/gratuite/gratuitement/gratuito/gratuita/grátis/gratuïta/"+
		"бесплатно/безкоштовно/безплатно/бясплатна/besplatno/zdarma/zadarmo/za darmo/darmowe/darmowy/bezpłatnie/ingyenes/ingyen/gratuitat/brezplačno/nemokamai/bezmaksas/tasuta/"+
		"ilmainen/ilmaiseksi/ókeypis/δωρεάν/ücretsiz/bedava/無料/免费/免費/무료/ฟรี/miễn phí/مجاني/مجانا/مجاناً/חינם/رایگان/मुफ़्त/मुफ्त", "/") {
		free[w] = true
	}
	return free
}()

// freeOfCharge reports whether a text is a word for free and nothing else.
func freeOfCharge(s string) bool {
	return len(s) < 100 && freeWords[strings.ToLower(strings.Trim(s, " \n!.*()"))]
}
