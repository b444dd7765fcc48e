package article

// TextOf lets tests read what other readers found as Read does.
var TextOf = textOf

// FormatDate lets tests ask about dates alone.
var FormatDate = formatDate

// BareTitle lets tests ask about titles alone.
var BareTitle = bareTitle
