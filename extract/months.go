package extract

import "strings"

// monthNames are the months of a language from January on, each with its
// forms and abbreviations, in small letters.
var monthNames = []string{
	// English
	"january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct november/nov december/dec",
	// German, with Austria's
	"januar/jänner/jän februar/feber märz/mär/mrz/maerz april mai juni juli august september oktober/okt november dezember/dez",
	// French
	"janvier/janv février/févr/fév/fevrier/fevr mars avril/avr mai juin juillet/juil août/aout septembre octobre novembre décembre/déc/decembre",
	// Spanish, Catalan
	"enero/ene febrero marzo abril/abr mayo junio julio agosto/ago septiembre/setiembre/set octubre noviembre diciembre/dic",
	"gener/gen febrer març abril maig juny juliol agost setembre octubre novembre desembre/des",
	// Italian
	"gennaio/gen febbraio marzo aprile maggio/mag giugno/giu luglio/lug agosto settembre ottobre/ott novembre dicembre",
	// Portuguese
	"janeiro fevereiro/fev março abril maio/mai junho julho agosto setembro outubro/out novembro dezembro",
	// Dutch
	"januari februari maart/mrt april mei juni juli augustus september oktober november december",
	// Swedish, Danish, Norwegian
	"januari februari mars april maj juni juli augusti september oktober november december",
	"januar februar marts april maj juni juli august september oktober november december",
	"januar februar mars april mai juni juli august september oktober november desember/des",
	// Icelandic
	"janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember",
	// Finnish, Estonian
	"tammikuu/tammikuuta/tammi helmikuu/helmikuuta/helmi maaliskuu/maaliskuuta/maalis huhtikuu/huhtikuuta/huhti toukokuu/toukokuuta/touko kesäkuu/kesäkuuta/kesä heinäkuu/heinäkuuta/heinä elokuu/elokuuta/elo syyskuu/syyskuuta/syys lokakuu/lokakuuta/loka marraskuu/marraskuuta/marras joulukuu/joulukuuta/joulu",
	"jaanuar/jaan veebruar/veebr märts aprill mai juuni juuli august september oktoober/okt november detsember/dets",
	// Latvian, Lithuanian
	"janvāris/janvārī/janv februāris/februārī marts/martā aprīlis/aprīlī maijs/maijā jūnijs/jūnijā jūlijs/jūlijā augusts/augustā septembris/septembrī oktobris/oktobrī novembris/novembrī decembris/decembrī",
	"sausis/sausio vasaris/vasario kovas/kovo balandis/balandžio gegužė/gegužės birželis/birželio liepa/liepos rugpjūtis/rugpjūčio rugsėjis/rugsėjo spalis/spalio lapkritis/lapkričio gruodis/gruodžio",
	// Polish, Czech, Slovak
	"styczeń/stycznia/sty luty/lutego/lut marzec/marca kwiecień/kwietnia/kwi maj/maja czerwiec/czerwca/cze lipiec/lipca/lip sierpień/sierpnia/sie wrzesień/września/wrz październik/października/paź listopad/listopada/lis grudzień/grudnia/gru",
	"leden/ledna/led únor/února/úno březen/března/bře duben/dubna/dub květen/května/kvě červen/června/čvn červenec/července/čvc srpen/srpna/srp září/zář říjen/října/říj -/listopadu prosinec/prosince/pro",
	"január/januára február/februára marec apríl/apríla máj/mája jún/júna júl/júla august/augusta september/septembra október/októbra november/novembra december/decembra",
	// Hungarian
	"január február/febr március/márc április/ápr május/máj június/jún július/júl augusztus szeptember/szept október november december",
	// Romanian
	"ianuarie/ian februarie martie aprilie mai iunie/iun iulie/iul august septembrie octombrie noiembrie/noi decembrie",
	// Slovenian; Croatian, of which listopad is October, against Polish and Czech; Serbian
	"januar/januarja februar/februarja marec/marca april/aprila maj/maja junij/junija julij/julija avgust/avgusta september/septembra oktober/oktobra november/novembra december/decembra",
	"siječanj/siječnja veljača/veljače ožujak/ožujka travanj/travnja svibanj/svibnja lipanj/lipnja srpanj/srpnja kolovoz/kolovoza rujan/rujna - studeni/studenog/studenoga -",
	"јануар/јануара фебруар/фебруара март/марта април/априла мај/маја јун/јуна/јуни јул/јула/јули август/августа септембар/септембра октобар/октобра новембар/новембра децембар/децембра",
	"januar/januara februar/februara mart/marta april/aprila maj/maja jun/juna jul/jula avgust/avgusta septembar/septembra oktobar/oktobra novembar/novembra decembar/decembra",
	// Russian, Ukrainian, Belarusian, Bulgarian
	"январь/января/янв февраль/февраля/фев/февр март/марта/мар апрель/апреля/апр май/мая июнь/июня/июн июль/июля/июл август/августа/авг сентябрь/сентября/сен/сент октябрь/октября/окт ноябрь/ноября/ноя/нояб декабрь/декабря/дек",
	"січень/січня/січ лютий/лютого/лют березень/березня/бер квітень/квітня/кві травень/травня/тра червень/червня/чер липень/липня/лип серпень/серпня/сер вересень/вересня/вер жовтень/жовтня/жов листопад/листопада/лис грудень/грудня/гру",
	"студзень/студзеня люты/лютага сакавік/сакавіка красавік/красавіка травень/мая чэрвень/чэрвеня ліпень/ліпеня жнівень/жніўня верасень/верасня кастрычнік/кастрычніка лістапад/лістапада снежань/снежня",
	"януари/яну февруари март април май юни юли август септември октомври ноември декември",
	// Greek
	"ιανουάριος/ιανουαρίου/ιαν φεβρουάριος/φεβρουαρίου/φεβ μάρτιος/μαρτίου/μαρ απρίλιος/απριλίου/απρ μάιος/μαΐου/μαϊου ιούνιος/ιουνίου/ιουν ιούλιος/ιουλίου/ιουλ αύγουστος/αυγούστου/αυγ σεπτέμβριος/σεπτεμβρίου/σεπ οκτώβριος/οκτωβρίου/οκτ νοέμβριος/νοεμβρίου/νοε δεκέμβριος/δεκεμβρίου/δεκ",
	// Turkish
	"ocak/oca şubat/şub mart nisan/nis mayıs/may haziran/haz temmuz/tem ağustos/ağu eylül/eyl ekim/eki kasım/kas aralık/ara",
	// Indonesian, Malay
	"januari februari maret/mac april mei/mei juni/jun juli/julai agustus/ogos/agu september oktober november/nopember desember/disember",
	// Arabic: the names of the Gulf and Egypt, of the Levant, of the Maghreb
	"يناير فبراير مارس أبريل/ابريل مايو يونيو يوليو أغسطس/اغسطس سبتمبر أكتوبر/اكتوبر نوفمبر ديسمبر",
	"- شباط آذار نيسان أيار حزيران تموز آب أيلول - - -",
	"جانفي فيفري مارس أفريل ماي جوان جويلية أوت سبتمبر أكتوبر نوفمبر ديسمبر",
	// Hebrew
	"ינואר/בינואר פברואר/בפברואר מרץ/במרץ אפריל/באפריל מאי/במאי יוני/ביוני יולי/ביולי אוגוסט/באוגוסט ספטמבר/בספטמבר אוקטובר/באוקטובר נובמבר/בנובמבר דצמבר/בדצמבר",
	// Hindi
	"जनवरी फ़रवरी/फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर/सितम्बर अक्टूबर/अक्तूबर नवंबर/नवम्बर दिसंबर/दिसम्बर",
	// Thai
	"มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม",
}

// months gives the number of a month's name. A name that two languages have
// for different months keeps the one listed first.
var months = func() map[string]int {
	m := map[string]int{}
	for _, names := range monthNames {
		for i, forms := range strings.Fields(names) {
			for _, name := range strings.Split(forms, "/") {
				if _, taken := m[name]; !taken && name != "-" {
					m[name] = i + 1
				}
			}
		}
	}
	return m
}()
