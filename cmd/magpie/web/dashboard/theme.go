package dashboard

import (
	"net/http"
	"slices"
)

// themes are what pages may look like, in the order in which the button goes
// through them, with their names.
var themes = []struct{ value, name string }{
	{"auto", "as the system"},
	{"light", "light"},
	{"dark", "dark"},
}

const themeCookie = "magpie_theme"

// themeOf is the theme that a browser chose, the next one, and its name.
func themeOf(r *http.Request) (theme, next, name string) {
	i := 0
	if c, err := r.Cookie(themeCookie); err == nil {
		i = max(0, themeIndex(c.Value))
	}
	return themes[i].value, themes[(i+1)%len(themes)].value, themes[i].name
}

func themeIndex(value string) int {
	return slices.IndexFunc(themes, func(t struct{ value, name string }) bool { return t.value == value })
}

// setTheme keeps a choice in a cookie, which the script of the pages does by
// itself.
func (d *dashboard) setTheme(w http.ResponseWriter, r *http.Request) (string, error) {
	theme := r.PostFormValue("theme")
	if themeIndex(theme) < 0 {
		return "", &refusal{Status: http.StatusBadRequest, Text: "A theme is auto, light or dark."}
	}
	http.SetCookie(w, &http.Cookie{Name: themeCookie, Value: theme, Path: "/", MaxAge: 365 * 86400, SameSite: http.SameSiteStrictMode})
	return backOf(r), nil
}
