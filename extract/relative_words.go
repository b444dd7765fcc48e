package extract

import "strings"

// timeUnit is what durations and distances of time are counted in.
type timeUnit int

const (
	noUnit timeUnit = iota
	unitSeconds
	unitMinutes
	unitHours
	unitDays
	unitWeeks
	unitMonths
	unitYears
)

// unitWords are the units of many languages with their forms and
// abbreviations, in small letters.
var unitWords = map[timeUnit]string{
	unitSeconds: `s sec secs second seconds sek sekunde sekunden seconde secondes segundo segundos segon segons secondo secondi seconden
		sekund sekunder sekunnin sekuntia sekunti sekuntin sekundy sekundę sekundami sekundou sekúnd sekundy másodperc másodperce másodperccel secundă secunde sekundi sekunda sekunde
		сек секунда секунду секунды секунд секунди δευτερόλεπτο δευτερόλεπτα δευτερολέπτων saniye sn giây detik ثانية ثوان ثواني שניות שנייה सेकंड सेकेंड sekundės sekundžių sekundes sekundēm sekundit sekúndum sekúndur`,
	unitMinutes: `m min mins minute minutes minuten minuut minuta minuto minutos minut minuts minuti minutos minutt minutter minuter minuutti minuuttia minuutin
		minuty minutę minut minutami minútami minút minúty minútu minutou perc perce perccel minute minuta minutu minuți minuţi minuto
		мин минута минуту минуты минут минути хв хвилина хвилину хвилини хвилин λεπτό λεπτά λεπτών dakika dk phút menit minit دقيقة دقائق דקה דקות मिनट minutė minutes minučių minūtes minūtēm minuti minutit mínútum mínútur`,
	unitHours: `h hr hrs hour hours std stunde stunden heure heures hora horas hores ora ore uur uren time timer tim timme timmar tunti tuntia tunnin godz godzina godzinę godziny godzin
		hodina hodinu hodiny hodin hodinou hodinami hodín óra órája órával oră ore sat sata sati ura uro uri ure ur ч час часа часов часове година годину години годин ώρα ώρες ωρών saat sa giờ jam ساعة ساعات שעה שעות घंटा घंटे घंटों valanda valandą valandos valandų valandas stundas stundām stundu tund tundi klukkustund klukkustundum`,
	unitDays: `d day days tag tage tagen tg jour jours j día dias días dia dies giorno giorni gg dag dagen dagar dage dager døgn päivä päivää päivän dzień dni dniami den dny dnem dnů deň dňami dní
		nap napja nappal zi zile dan dana dni dnevi дн день дня дней дни днів дні ден дена дана ημέρα ημέρες ημερών μέρα μέρες gün ngày hari يوم أيام ايام יום ימים दिन diena dieną dienos dienų dienas dienām päeva päev daga dögum`,
	unitWeeks: `w wk wks week weeks woche wochen wo semaine semaines sem semana semanas setmana setmanes settimana settimane weken vecka veckor uge uger uke uker viikko viikkoa viikon tydzień tygodnie tygodni
		týden týdny týdnem týdnů týždeň týždňami týždne týždňov hét hete héttel săptămână săptămâni sedmica sedmice tjedan tjedna tjedana teden tedna tedni tednov нед неделя неделю недели недель тиждень тижні тижнів седмица седмици недеља εβδομάδα εβδομάδες εβδομάδων hafta tuần minggu أسبوع اسبوع أسابيع שבוע שבועות सप्ताह हफ्ते savaitę savaites savaičių nedēļas nedēļām nedēļu nädal nädalat viku vikum`,
	unitMonths: `mo mos mth mths month months monat monate monaten mon mois mes meses mesos mês mese mesi maand maanden månad månader måned måneder kuukausi kuukautta kuukauden miesiąc miesiące miesięcy mies
		měsíc měsíce měsícem měsíců měsíci mesiac mesiace mesiacmi mesiacov hónap hónapja hónappal lună luni mjesec mjeseca mjeseci mesec meseca meseci мес месяц месяца месяцев місяць місяці місяців месец месеца месеци μήνα μήνες μηνών ay tháng bulan شهر أشهر شهور חודש חודשים महीना महीने mėnesį mėnesius mėnesių mēneša mēnešiem mēnešus kuu kuud mánuð mánuðum`,
	unitYears: `y yr yrs year years jahr jahre jahren an ans année années año años any anys anno anni ano anos jaar jaren år vuosi vuotta vuoden rok roku lata lat rokem roky lety rokov rokmi év éve évvel ani godina godine godinu leto leti let
		год года лет г рік роки років године χρόνο χρόνια έτος έτη ετών yıl sene năm tahun سنة سنوات عام أعوام שנה שנים साल वर्ष metus metų gada gadiem gadus aasta aastat ár árum`,
}

// units gives the unit of a word.
var units = func() map[string]timeUnit {
	m := map[string]timeUnit{}
	for u, words := range unitWords {
		for w := range strings.FieldsSeq(words) {
			m[w] = u
		}
	}
	return m
}()

// eastUnits are the units of languages that put no spaces between words, the
// longer before those they begin with.
var eastUnits = []struct {
	word string
	unit timeUnit
}{
	{"秒钟", unitSeconds}, {"秒鐘", unitSeconds}, {"秒間", unitSeconds}, {"秒", unitSeconds}, {"초", unitSeconds}, {"วินาที", unitSeconds},
	{"分钟", unitMinutes}, {"分鐘", unitMinutes}, {"分間", unitMinutes}, {"分", unitMinutes}, {"분", unitMinutes}, {"นาที", unitMinutes},
	{"個小時", unitHours}, {"个小时", unitHours}, {"小时", unitHours}, {"小時", unitHours}, {"時間", unitHours}, {"时间", unitHours}, {"시간", unitHours}, {"ชั่วโมง", unitHours}, {"ชม", unitHours},
	{"日間", unitDays}, {"日", unitDays}, {"天", unitDays}, {"일", unitDays}, {"วัน", unitDays},
	{"週間", unitWeeks}, {"周", unitWeeks}, {"週", unitWeeks}, {"个星期", unitWeeks}, {"個星期", unitWeeks}, {"星期", unitWeeks}, {"주일", unitWeeks}, {"주", unitWeeks}, {"สัปดาห์", unitWeeks}, {"อาทิตย์", unitWeeks},
	{"か月", unitMonths}, {"ヶ月", unitMonths}, {"ヵ月", unitMonths}, {"カ月", unitMonths}, {"个月", unitMonths}, {"個月", unitMonths}, {"개월", unitMonths}, {"달", unitMonths}, {"เดือน", unitMonths},
	{"年", unitYears}, {"년", unitYears}, {"ปี", unitYears},
}

// eastBefore and eastAfter stand behind the unit for what is past and what is
// to come.
var (
	eastBefore = []string{"前", "以前", "之前", "전", "ที่แล้ว", "ก่อน", "ที่ผ่านมา"}
	eastAfter  = []string{"后", "後", "以后", "之後", "之后", "후"}
)

// quantities are words for numbers before a unit.
var quantities = map[string]int{
	"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"ein": 1, "eine": 1, "einem": 1, "einer": 1, "einen": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5,
	"un": 1, "une": 1, "deux": 2, "trois": 3, "una": 1, "uno": 1, "dos": 2, "tres": 3, "um": 1, "uma": 1, "dois": 2, "duas": 2, "due": 2, "tre": 3,
	"een": 1, "één": 1, "twee": 2, "drie": 3, "en": 1, "et": 1, "ett": 1, "to": 2, "två": 2, "один": 1, "одну": 1, "два": 2, "две": 2, "дві": 2, "три": 3,
	"jedną": 1, "dwa": 2, "dwie": 2, "o": 1, "oră": 1, "egy": 1, "két": 2, "bir": 1, "iki": 2, "một": 1, "hai": 2, "ένα": 1, "μία": 1, "μια": 1, "δύο": 2,
	"jednu": 1, "jedan": 1, "една": 1, "един": 1, "одна": 1, "एक": 1, "दो": 2, "한": 1, "두": 2,
}

// singles are words that say one or two of a unit without a number.
var singles = map[string]struct {
	n    int
	unit timeUnit
}{
	"секунду": {1, unitSeconds}, "минуту": {1, unitMinutes}, "час": {1, unitHours}, "день": {1, unitDays}, "неделю": {1, unitWeeks}, "месяц": {1, unitMonths}, "год": {1, unitYears}, "полчаса": {30, unitMinutes},
	"хвилину": {1, unitMinutes}, "годину": {1, unitHours}, "тиждень": {1, unitWeeks}, "місяць": {1, unitMonths}, "рік": {1, unitYears},
	"minutę": {1, unitMinutes}, "godzinę": {1, unitHours}, "dzień": {1, unitDays}, "tydzień": {1, unitWeeks}, "miesiąc": {1, unitMonths}, "rok": {1, unitYears},
	"minutou": {1, unitMinutes}, "hodinou": {1, unitHours}, "dnem": {1, unitDays}, "týdnem": {1, unitWeeks}, "týždňom": {1, unitWeeks}, "měsícem": {1, unitMonths}, "mesiacom": {1, unitMonths}, "rokem": {1, unitYears}, "rokom": {1, unitYears},
	"minuutti": {1, unitMinutes}, "tunti": {1, unitHours}, "päivä": {1, unitDays}, "viikko": {1, unitWeeks}, "kuukausi": {1, unitMonths}, "vuosi": {1, unitYears},
	"دقيقة": {1, unitMinutes}, "دقيقتين": {2, unitMinutes}, "ساعة": {1, unitHours}, "ساعتين": {2, unitHours}, "يوم": {1, unitDays}, "يومين": {2, unitDays}, "أسبوع": {1, unitWeeks}, "أسبوعين": {2, unitWeeks}, "شهر": {1, unitMonths}, "شهرين": {2, unitMonths}, "سنة": {1, unitYears}, "سنتين": {2, unitYears}, "عام": {1, unitYears}, "عامين": {2, unitYears},
	"דקה": {1, unitMinutes}, "שעה": {1, unitHours}, "שעתיים": {2, unitHours}, "יום": {1, unitDays}, "יומיים": {2, unitDays}, "שבוע": {1, unitWeeks}, "שבועיים": {2, unitWeeks}, "חודש": {1, unitMonths}, "חודשיים": {2, unitMonths}, "שנה": {1, unitYears}, "שנתיים": {2, unitYears},
	"sejam": {1, unitHours}, "semenit": {1, unitMinutes}, "sehari": {1, unitDays}, "seminggu": {1, unitWeeks}, "sebulan": {1, unitMonths}, "setahun": {1, unitYears},
}

// The words that say which way a distance counts: in front of it, or behind
// it.
var (
	pastBefore   = setOf(`vor hace há fa pred před prije pre преди πριν منذ قبل לפני för for acum fyrir prieš pirms пре`)
	futureBefore = setOf(`in dans dentro через tra fra om za après за после îngăduit`)
	pastAfter    = setOf(`ago fa geleden sitten siden sedan temu назад тому önce trước lalu atrás enrere पहले ezelőtt síðan tagasi`)
	futureAfter  = setOf(`later`)
	about        = setOf(`environ etwa ca circa около cerca de aproximadamente unos unas ongeveer omkring yaklaşık από . ~ più yang mere more than mehr als`)
	endsInPast   = setOf(`órája napja perce hete hónapja éve másodperce`)
)

// dayWord is a word for a day counted from that of now.
type dayWord struct {
	days      int
	languages string // of those where the word stands for a day, if it is another word elsewhere
}

var dayWords = map[string]dayWord{
	"today": {}, "heute": {}, "aujourd": {}, "hoy": {}, "avui": {}, "oggi": {}, "hoje": {}, "vandaag": {}, "idag": {}, "tänään": {}, "dzisiaj": {}, "dziś": {}, "dzis": {}, "dnes": {}, "ma": {0, "hu"}, "azi": {}, "astăzi": {}, "danas": {}, "danes": {},
	"сегодня": {}, "сьогодні": {}, "сёння": {}, "днес": {}, "данас": {}, "денес": {}, "σήμερα": {}, "bugün": {}, "şiandien": {}, "šiandien": {}, "šodien": {}, "täna": {}, "اليوم": {}, "היום": {}, "आज": {}, "امروز": {},
	"yesterday": {-1, ""}, "gestern": {-1, ""}, "hier": {-1, "fr"}, "ayer": {-1, ""}, "ahir": {-1, ""}, "ieri": {-1, ""}, "ontem": {-1, ""}, "gisteren": {-1, ""}, "igår": {-1, ""}, "eilen": {-1, ""}, "wczoraj": {-1, ""}, "včera": {-1, ""}, "tegnap": {-1, ""}, "jučer": {-1, ""}, "juče": {-1, ""}, "včeraj": {-1, ""},
	"вчера": {-1, ""}, "вчора": {-1, ""}, "учора": {-1, ""}, "јуче": {-1, ""}, "χθες": {-1, ""}, "χτες": {-1, ""}, "dün": {-1, ""}, "vakar": {-1, ""}, "eile": {-1, ""}, "أمس": {-1, ""}, "امس": {-1, ""}, "אתמול": {-1, ""}, "دیروز": {-1, ""}, "kemarin": {-1, ""}, "semalam": {-1, "ms"},
	"vorgestern": {-2, ""}, "anteayer": {-2, ""}, "anteontem": {-2, ""}, "eergisteren": {-2, ""}, "przedwczoraj": {-2, ""}, "předevčírem": {-2, ""}, "позавчера": {-2, ""}, "позавчора": {-2, ""}, "tegnapelőtt": {-2, ""},
	"tomorrow": {1, ""}, "morgen": {1, "de nl da no nb nn"}, "demain": {1, ""}, "mañana": {1, "es"}, "domani": {1, ""}, "amanhã": {1, ""}, "imorgon": {1, ""}, "huomenna": {1, ""}, "jutro": {1, "pl"}, "zítra": {1, ""}, "holnap": {1, ""}, "mâine": {1, ""}, "завтра": {1, ""}, "yarın": {1, ""}, "غدا": {1, ""}, "מחר": {1, ""},
	"übermorgen": {2, ""}, "послезавтра": {2, ""},
}

// eastDays are words for days that begin a word of a language without spaces
// between words.
var eastDays = []struct {
	word string
	days int
}{
	{"一昨日", -2}, {"おととい", -2}, {"前天", -2}, {"그저께", -2}, {"그제", -2},
	{"昨日", -1}, {"昨天", -1}, {"어제", -1}, {"เมื่อวานนี้", -1}, {"เมื่อวาน", -1},
	{"今日", 0}, {"本日", 0}, {"今天", 0}, {"오늘", 0}, {"วันนี้", 0},
	{"明日", 1}, {"明天", 1}, {"내일", 1}, {"พรุ่งนี้", 1},
}

// dayPhrases are days of several words.
var dayPhrases = []struct {
	words []string
	days  int
}{
	{[]string{"i", "dag"}, 0}, {[]string{"í", "dag"}, 0}, {[]string{"í", "gær"}, -1}, {[]string{"i", "går"}, -1}, {[]string{"hôm", "nay"}, 0}, {[]string{"hôm", "qua"}, -1},
	{[]string{"hari", "ini"}, 0}, {[]string{"avant", "-", "hier"}, -2}, {[]string{"l", "'", "altro", "ieri"}, -2}, {[]string{"i", "morgen"}, 1}, {[]string{"i", "morgon"}, 1},
}

// nowPhrases are words for now.
var nowPhrases = [][]string{
	{"just", "now"}, {"right", "now"}, {"now"}, {"gerade", "eben"}, {"soeben"}, {"à", "l", "'", "instant"}, {"maintenant"}, {"ahora"}, {"ahora", "mismo"}, {"adesso"}, {"agora"}, {"agora", "mesmo"},
	{"zojuist"}, {"just", "nu"}, {"akkurat", "nå"}, {"juuri", "nyt"}, {"przed", "chwilą"}, {"právě", "teď"}, {"только", "что"}, {"щойно"}, {"şimdi"}, {"az", "önce"}, {"たった今"}, {"刚刚"}, {"剛剛"}, {"방금"}, {"방금", "전"}, {"baru", "saja"}, {"vừa", "xong"}, {"الآن"}, {"עכשיו"},
}

// weekdays are the days of the week, 0 for Sunday, where lastWords have a
// meaning.
var weekdays = func() map[string]int {
	m := map[string]int{}
	for _, names := range []string{
		"sunday monday tuesday wednesday thursday friday saturday", "sonntag montag dienstag mittwoch donnerstag freitag samstag", "- - - - - - sonnabend",
		"dimanche lundi mardi mercredi jeudi vendredi samedi", "domingo lunes martes miércoles jueves viernes sábado", "domenica lunedì martedì mercoledì giovedì venerdì sabato",
		"domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado", "zondag maandag dinsdag woensdag donderdag vrijdag zaterdag",
	} {
		for i, name := range strings.Fields(names) {
			m[name] = i
		}
	}
	return m
}()

// lastWords stand beside a weekday for the one before now.
var lastWords = setOf(`last letzten letzter vergangenen dernier pasado passado scorso scorsa afgelopen vorige`)
