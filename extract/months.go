package extract

import "strings"

// monthNames are the months of a language from January on, each with its
// forms and abbreviations, in small letters; _ stands for a space.
var monthNames = []struct{ languages, names string }{
	{"en", "january/jan february/feb march/mar april/apr may june/jun july/jul august/aug september/sep/sept october/oct november/nov december/dec"},
	{"de", "januar/jänner/jän februar/feber märz/mär/mrz/maerz april mai juni juli august september oktober/okt november dezember/dez"},
	{"fr", "janvier/janv février/févr/fév/fevrier/fevr mars avril/avr mai juin juillet/juil/juill août/aout septembre octobre novembre décembre/déc/decembre"},
	{"es", "enero/ene febrero marzo abril/abr mayo junio julio agosto/ago septiembre/setiembre/set octubre noviembre diciembre/dic"},
	{"ca", "gener/gen febrer març abril maig juny juliol agost/ag setembre octubre novembre desembre/des"},
	{"it", "gennaio/gen febbraio marzo aprile maggio/mag giugno/giu luglio/lug agosto settembre ottobre/ott novembre dicembre"},
	{"pt", "janeiro fevereiro/fev março/marco abril maio/mai junho julho agosto setembro outubro/out novembro dezembro"},
	{"nl", "januari februari maart/mrt april mei juni juli augustus september oktober november december"},
	{"sv", "januari februari mars april maj juni juli augusti september oktober november december"},
	{"da", "januar februar marts april maj juni juli august september oktober november december"},
	{"nb nn no", "januar februar mars april mai juni juli august september oktober november desember/des"},
	{"is", "janúar febrúar mars apríl maí júní/jún júlí/júl ágúst/ágú september október nóvember/nóv desember"},
	{"fi", "tammikuu/tammikuuta/tammi helmikuu/helmikuuta/helmi maaliskuu/maaliskuuta/maalis huhtikuu/huhtikuuta/huhti toukokuu/toukokuuta/touko kesäkuu/kesäkuuta/kesä heinäkuu/heinäkuuta/heinä elokuu/elokuuta/elo syyskuu/syyskuuta/syys lokakuu/lokakuuta/loka marraskuu/marraskuuta/marras joulukuu/joulukuuta/joulu"},
	{"et", "jaanuar/jaan veebruar/veebr märts aprill mai juuni juuli august september oktoober/okt november detsember/dets"},
	{"lv", "janvāris/janvārī/janv februāris/februārī marts/martā aprīlis/aprīlī maijs/maijā jūnijs/jūnijā/jūn jūlijs/jūlijā/jūl augusts/augustā septembris/septembrī oktobris/oktobrī novembris/novembrī decembris/decembrī"},
	{"lt", "sausis/sausio vasaris/vasario kovas/kovo balandis/balandžio gegužė/gegužės birželis/birželio liepa/liepos rugpjūtis/rugpjūčio rugsėjis/rugsėjo spalis/spalio lapkritis/lapkričio gruodis/gruodžio"},
	{"pl", "styczeń/stycznia/sty luty/lutego/lut marzec/marca kwiecień/kwietnia/kwi maj/maja czerwiec/czerwca/cze lipiec/lipca/lip sierpień/sierpnia/sie wrzesień/września/wrz październik/października/paź listopad/listopada/lis grudzień/grudnia/gru"},
	{"cs", "leden/ledna/led únor/února/úno březen/března/bře duben/dubna/dub květen/května/kvě červen/června/čvn červenec/července/čvc srpen/srpna/srp září/zář říjen/října/říj listopad/listopadu/lis prosinec/prosince/pro"},
	{"sk", "január/januára február/februára marec apríl/apríla máj/mája jún/júna júl/júla august/augusta september/septembra október/októbra november/novembra december/decembra"},
	{"hu", "január február/febr március/márc április/ápr május/máj június/jún július/júl augusztus szeptember/szept október november december"},
	{"ro", "ianuarie/ian februarie martie aprilie mai iunie/iun iulie/iul august septembrie octombrie noiembrie/noi decembrie"},
	{"sl", "januar/januarja februar/februarja marec/marca april/aprila maj/maja junij/junija julij/julija avgust/avgusta/avg september/septembra oktober/oktobra november/novembra december/decembra"},
	{"hr", "siječanj/siječnja/sij veljača/veljače/velj ožujak/ožujka/ožu travanj/travnja/tra svibanj/svibnja/svi lipanj/lipnja/lip srpanj/srpnja/srp kolovoz/kolovoza/kol rujan/rujna/ruj listopad/listopada/lis studeni/studenog/studenoga/stu prosinac/prosinca/pro"},
	{"sr", "јануар/јануара фебруар/фебруара март/марта април/априла мај/маја јун/јуна/јуни јул/јула/јули август/августа септембар/септембра октобар/октобра новембар/новембра децембар/децембра"},
	{"bs sr", "januar/januara februar/februara mart/marta april/aprila maj/maja jun/juna jul/jula avgust/avgusta septembar/septembra oktobar/oktobra novembar/novembra decembar/decembra"},
	{"ru ky", "январь/января/янв февраль/февраля/фев/февр март/марта/мар апрель/апреля/апр май/мая июнь/июня/июн июль/июля/июл август/августа/авг сентябрь/сентября/сен/сент октябрь/октября/окт ноябрь/ноября/ноя/нояб декабрь/декабря/дек"},
	{"uk", "січень/січня/січ лютий/лютого/лют березень/березня/бер квітень/квітня/квіт/кві травень/травня/трав/тра червень/червня/черв/чер липень/липня/лип серпень/серпня/серп/сер вересень/вересня/вер жовтень/жовтня/жовт/жов листопад/листопада/лист/лис грудень/грудня/груд/гру"},
	{"be", "студзень/студзеня люты/лютага сакавік/сакавіка красавік/красавіка травень/мая чэрвень/чэрвеня ліпень/ліпеня жнівень/жніўня верасень/верасня кастрычнік/кастрычніка лістапад/лістапада снежань/снежня"},
	{"bg", "януари/яну февруари март април май юни юли август септември октомври ноември декември"},
	{"el", "ιανουάριος/ιανουαρίου/ιαν φεβρουάριος/φεβρουαρίου/φεβ μάρτιος/μαρτίου/μαρ απρίλιος/απριλίου/απρ μάιος/μαΐου/μαΐ/μαϊου ιούνιος/ιουνίου/ιουν ιούλιος/ιουλίου/ιουλ αύγουστος/αυγούστου/αυγ σεπτέμβριος/σεπτεμβρίου/σεπ οκτώβριος/οκτωβρίου/οκτ νοέμβριος/νοεμβρίου/νοε δεκέμβριος/δεκεμβρίου/δεκ"},
	{"tr", "ocak/oca şubat/şub mart nisan/nis mayıs/may haziran/haz temmuz/tem ağustos/ağu eylül/eyl ekim/eki kasım/kas aralık/ara"},
	{"id ms", "januari februari maret/mac/mar april mei/mei juni/jun juli/julai agustus/ogos/agu/ogo september oktober november/nopember desember/disember/des/dis"},
	{"ar", "يناير فبراير مارس أبريل/ابريل مايو يونيو يوليو أغسطس/اغسطس سبتمبر أكتوبر/اكتوبر نوفمبر ديسمبر"},
	{"ar", "كانون_الثاني شباط آذار نيسان أيار حزيران تموز آب أيلول تشرين_الأول تشرين_الثاني كانون_الأول"},
	{"ar", "جانفي فيفري مارس أفريل ماي جوان جويلية أوت سبتمبر أكتوبر نوفمبر ديسمبر"},
	{"he iw", "ינואר/בינואר/ינו/בינו פברואר/בפברואר/פבר/בפבר מרץ/במרץ אפריל/באפריל/אפר/באפר מאי/במאי יוני/ביוני יולי/ביולי אוגוסט/באוגוסט/אוג/באוג ספטמבר/בספטמבר/ספט/בספט אוקטובר/באוקטובר/אוק/באוק נובמבר/בנובמבר/נוב/בנוב דצמבר/בדצמבר/דצמ/בדצמ"},
	{"hi", "जनवरी/जन फ़रवरी/फरवरी/फ़र/फर मार्च अप्रैल मई जून जुलाई/जुल अगस्त/अग सितंबर/सितम्बर/सित अक्टूबर/अक्तूबर/अक्तू/अक्टू नवंबर/नवम्बर/नव दिसंबर/दिसम्बर/दिस"},
	{"th", "มกราคม/ม.ค กุมภาพันธ์/ก.พ มีนาคม/มี.ค เมษายน/เม.ย พฤษภาคม/พ.ค มิถุนายน/มิ.ย กรกฎาคม/ก.ค สิงหาคม/ส.ค กันยายน/ก.ย ตุลาคม/ต.ค พฤศจิกายน/พ.ย ธันวาคม/ธ.ค"},
	{"af", "januarie/jan februarie/feb maart/mrt april/apr mei junie/jun julie/jul augustus/aug september/sep oktober/okt november/nov desember/des"},
	{"am", "ጃንዩወሪ/ጃንዩ ፌብሩወሪ/ፌብሩ ማርች ኤፕሪል/ኤፕሪ ሜይ ጁን ጁላይ ኦገስት/ኦገስ ሴፕቴምበር/ሴፕቴ ኦክቶበር/ኦክቶ ኖቬምበር/ኖቬም ዲሴምበር/ዲሴም"},
	{"az", "yanvar/yan fevral/fev mart/mar aprel/apr may iyun/iyn iyul/iyl avqust/avq sentyabr/sen oktyabr/okt noyabr/noy dekabr/dek"},
	{"bn", "জানুয়ারী/জানুয়ারি/জানু ফেব্রুয়ারী/ফেব্রুয়ারি/ফেব মার্চ এপ্রিল মে জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর"},
	{"cy", "ionawr/ion chwefror/chwef mawrth/maw ebrill/ebr mai mehefin/meh gorffennaf/gorff awst medi hydref/hyd tachwedd/tach rhagfyr/rhag"},
	{"fil tl", "enero/ene pebrero/peb marso/mar abril/abr mayo/may hunyo/hun hulyo/hul agosto/ago setyembre/set oktubre/okt nobyembre/nob disyembre/dis"},
	{"ga", "eanáir/ean feabhra/feabh márta aibreán/aib bealtaine/beal meitheamh/meith iúil lúnasa/lún meán_fómhair/mfómh deireadh_fómhair/dfómh samhain/samh nollaig/noll"},
	{"gl", "xaneiro/xan febreiro/feb marzo/mar abril/abr maio xuño xullo/xul agosto/ago setembro/set outubro/out novembro/nov decembro/dec"},
	{"gu", "જાન્યુઆરી/જાન્યુ ફેબ્રુઆરી/ફેબ્રુ માર્ચ એપ્રિલ મે જૂન જુલાઈ ઑગસ્ટ સપ્ટેમ્બર/સપ્ટે ઑક્ટોબર/ઑક્ટો નવેમ્બર/નવે ડિસેમ્બર/ડિસે"},
	{"hy", "հունվարի/հունվար/հնվ փետրվարի/փտվ մարտի/մարտ/մրտ ապրիլի/ապր մայիսի/մայիս/մյս հունիսի/հնս հուլիսի/հլս օգոստոսի/օգս սեպտեմբերի/սեպ հոկտեմբերի/հոկ նոյեմբերի/նոյ դեկտեմբերի/դեկ"},
	{"ka", "იანვარი/იან თებერვალი/თებ მარტი/მარ აპრილი/აპრ მაისი/მაი ივნისი/ივნ ივლისი/ივლ აგვისტო/აგვ სექტემბერი/სექ ოქტომბერი/ოქტ ნოემბერი/ნოე დეკემბერი/დეკ"},
	{"kk", "қаңтар/қаң ақпан/ақп наурыз/нау сәуір/сәу мамыр/мам маусым/мау шілде/шіл тамыз/там қыркүйек/қыр қазан/қаз қараша/қар желтоқсан/жел"},
	{"km", "មករា កុម្ភៈ មីនា មេសា ឧសភា មិថុនា កក្កដា សីហា កញ្ញា តុលា វិច្ឆិកា ធ្នូ"},
	{"kn", "ಜನವರಿ ಫೆಬ್ರವರಿ ಮಾರ್ಚ್ ಏಪ್ರಿಲ್/ಏಪ್ರಿ ಮೇ ಜೂನ್ ಜುಲೈ ಆಗಸ್ಟ್/ಆಗ ಸೆಪ್ಟೆಂಬರ್/ಸೆಪ್ಟೆಂ ಅಕ್ಟೋಬರ್/ಅಕ್ಟೋ ನವೆಂಬರ್/ನವೆಂ ಡಿಸೆಂಬರ್/ಡಿಸೆಂ"},
	{"lo", "ມັງກອນ/ມ.ກ ກຸມພາ/ກ.ພ ມີນາ/ມ.ນ ເມສາ/ມ.ສ ພຶດສະພາ/ພ.ພ ມິຖຸນາ/ມິ.ຖ ກໍລະກົດ/ກ.ລ ສິງຫາ/ສ.ຫ ກັນຍາ/ກ.ຍ ຕຸລາ/ຕ.ລ ພະຈິກ/ພ.ຈ ທັນວາ/ທ.ວ"},
	{"mk", "јануари/јан февруари/фев март/мар април/апр мај јуни/јун јули/јул август/авг септември/септ октомври/окт ноември/ноем декември/дек"},
	{"ml", "ജനുവരി/ജനു ഫെബ്രുവരി/ഫെബ്രു മാർച്ച്/മാർ ഏപ്രിൽ/ഏപ്രി മേയ് ജൂൺ ജൂലൈ ഓഗസ്റ്റ്/ഓഗ സെപ്റ്റംബർ/സെപ്റ്റം ഒക്ടോബർ/ഒക്ടോ നവംബർ/നവം ഡിസംബർ/ഡിസം"},
	{"mr", "जानेवारी/जाने फेब्रुवारी/फेब्रु मार्च एप्रिल/एप्रि मे जून जुलै ऑगस्ट/ऑग सप्टेंबर/सप्टें ऑक्टोबर/ऑक्टो नोव्हेंबर/नोव्हें डिसेंबर/डिसें"},
	{"my", "ဇန်နဝါရီ/ဇန် ဖေဖော်ဝါရီ/ဖေ မတ် ဧပြီ/ဧ မေ ဇွန် ဇူလိုင်/ဇူ ဩဂုတ်/ဩ စက်တင်ဘာ/စက် အောက်တိုဘာ/အောက် နိုဝင်ဘာ/နို ဒီဇင်ဘာ/ဒီ"},
	{"ne", "जनवरी फेब्रुअरी मार्च अप्रिल मे जुन जुलाई अगस्ट सेप्टेम्बर अक्टोबर नोभेम्बर डिसेम्बर"},
	{"pa", "ਜਨਵਰੀ/ਜਨ ਫ਼ਰਵਰੀ/ਫ਼ਰ ਮਾਰਚ ਅਪ੍ਰੈਲ/ਅਪ੍ਰੈ ਮਈ ਜੂਨ ਜੁਲਾਈ/ਜੁਲਾ ਅਗਸਤ/ਅਗ ਸਤੰਬਰ/ਸਤੰ ਅਕਤੂਬਰ/ਅਕਤੂ ਨਵੰਬਰ/ਨਵੰ ਦਸੰਬਰ/ਦਸੰ"},
	{"si", "ජනවාරි/ජන පෙබරවාරි/පෙබ මාර්තු අප්රේල් මැයි ජූනි ජූලි අගෝස්තු/අගෝ සැප්තැම්බර්/සැප් ඔක්තෝබර්/ඔක් නොවැම්බර්/නොවැ දෙසැම්බර්/දෙසැ"},
	{"sq", "janar/jan shkurt/shk mars/mar prill/pri maj qershor/qer korrik/korr gusht/gush shtator/sht tetor/tet nëntor/nën dhjetor/dhj"},
	{"sw", "januari/jan februari/feb machi/mac aprili/apr mei juni/jun julai/jul agosti/ago septemba/sep oktoba/okt novemba/nov desemba/des"},
	{"ta", "ஜனவரி/ஜன பிப்ரவரி/பிப் மார்ச்/மார் ஏப்ரல்/ஏப் மே ஜூன் ஜூலை ஆகஸ்ட்/ஆக செப்டம்பர்/செப் அக்டோபர்/அக் நவம்பர்/நவ டிசம்பர்/டிச"},
	{"te", "జనవరి/జన ఫిబ్రవరి/ఫిబ్ర మార్చి ఏప్రిల్/ఏప్రి మే జూన్ జులై ఆగస్టు/ఆగ సెప్టెంబర్/సెప్టెం అక్టోబర్/అక్టో నవంబర్/నవం డిసెంబర్/డిసెం"},
	{"ur", "جنوری فروری مارچ اپریل مئی جون جولائی اگست ستمبر اکتوبر نومبر دسمبر"},
	{"uz", "yanvar/yan fevral/fev mart/mar aprel/apr may iyun/iyn iyul/iyl avgust/avg sentabr/sen oktabr/okt noyabr/noy dekabr/dek"},
	{"zu", "januwari/jan februwari/feb mashi/mas ephreli/eph meyi/mey juni/jun julayi/jul agasti/aga septhemba/sep okthoba/okt novemba/nov disemba/dis"},
	{"fa", "ژانویهٔ/ژانویه فوریهٔ/فوریه مارس آوریل مهٔ/مه/می ژوئن ژوئیهٔ/ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر"},
	{"eu", "urtarrila/urtarrilaren/urtarrilak/urt otsaila/otsailaren/otsailak/ots martxoa/martxoaren/martxoak/mar apirila/apirilaren/apirilak/api maiatza/maiatzaren/maiatzak/mai ekaina/ekainaren/ekainak/eka uztaila/uztailaren/uztailak/uzt abuztua/abuztuaren/abuztuak/abu iraila/irailaren/irailak/ira urria/urriaren/urriak/urr azaroa/azaroaren/azaroak/aza abendua/abenduaren/abenduak/abe"},
}

// months gives the number of a month's name. A name that two languages have
// for different months has that of the one listed first here, and is one of
// contestedMonths too, which have the month of each language.
var months, contestedMonths = func() (first map[string]int, contested map[string]map[string]int) {
	first, contested = map[string]int{}, map[string]map[string]int{}
	each := func(yield func(language, name string, month int)) {
		for _, l := range monthNames {
			for i, forms := range strings.Fields(l.names) {
				for name := range strings.SplitSeq(strings.ReplaceAll(forms, "_", " "), "/") {
					yield(l.languages, name, i+1)
				}
			}
		}
	}
	each(func(_, name string, month int) {
		if _, taken := first[name]; !taken {
			first[name] = month
		} else if first[name] != month {
			contested[name] = map[string]int{}
		}
	})
	each(func(languages, name string, month int) {
		if m := contested[name]; m != nil {
			for language := range strings.FieldsSeq(languages) {
				m[language] = month
			}
		}
	})
	return first, contested
}()

// monthNumber returns the number of a month's name in a language.
func monthNumber(name string, language func() string) int {
	if m := contestedMonths[name]; m != nil {
		tag, _ := languageOf(language())
		if month := m[tag]; month > 0 {
			return month
		}
	}
	return months[name]
}
