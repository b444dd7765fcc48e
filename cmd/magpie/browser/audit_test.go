package browser

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

//go:embed testdata/audit.js
var auditScript string

//go:embed testdata/focusable.js
var focusableScript string

// audit tells what is wrong with the page as it is drawn now.
func (b *tab) audit(how string) {
	b.t.Helper()
	for _, fault := range eval[[]string](b, auditScript) {
		b.t.Errorf("%s: %s", how, fault)
	}
}

// auditLooks audits the page in both themes, wide and narrow.
func (b *tab) auditLooks() {
	b.t.Helper()
	for _, scheme := range []string{"light", "dark"} {
		b.prefer(scheme, "no-preference")
		for _, width := range []int64{1280, 360} {
			b.width(width)
			b.audit(fmt.Sprintf("%s, %d px", scheme, width))
			b.screenshot(fmt.Sprintf("%s-%d", scheme, width))
		}
	}
	b.width(1280)
	b.prefer("light", "no-preference")
}

// auditMotion checks that nothing moves for those who asked for that.
func (b *tab) auditMotion() {
	b.t.Helper()
	b.prefer("light", "reduce")
	moving := eval[[]string](b, `[...document.querySelectorAll('*')].filter((e) => { const s = getComputedStyle(e);
		return s.scrollBehavior === 'smooth' || [...s.transitionDuration.split(','), ...(s.animationName === 'none' ? [] : s.animationDuration.split(','))].some((d) => parseFloat(d) > 0.01) }).map((e) => e.localName + '.' + e.className)`)
	if len(moving) > 0 {
		b.t.Errorf("reduced motion: these move all the same: %.200q", moving)
	}
	b.prefer("light", "no-preference")
}

// named are the roles of which each must have a name for those who listen.
var named = []string{"button", "link", "textbox", "searchbox", "combobox", "listbox", "checkbox", "radio", "spinbutton", "image", "img",
	"table", "grid", "navigation", "region", "form", "group", "heading", "dialog", "tab", "meter", "progressbar", "RootWebArea"}

// landmarks of a page of the dashboard.
var landmarks = []string{"banner", "main", "contentinfo", "navigation"}

// auditTree checks the tree that screen readers read from.
func (b *tab) auditTree(landmarks ...string) {
	b.t.Helper()
	tree, err := chromedp.Call(b.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		b.t.Fatal(err)
	}
	var roles []string
	for _, n := range tree.Nodes {
		if n.Ignored || n.Role == nil {
			continue
		}
		role := axText(n.Role)
		roles = append(roles, role)
		if slices.Contains(named, role) && strings.TrimSpace(axText(n.Name)) == "" && !(role == "group" || role == "form" || role == "table") {
			b.t.Errorf("in the accessibility tree, %s %s has no name", role, n.NodeID)
		}
	}
	for _, role := range landmarks {
		if !slices.Contains(roles, role) {
			b.t.Errorf("in the accessibility tree there is no %s", role)
		}
	}
}

func axText(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	return strings.Trim(string(v.Value), `"`)
}

// maxStops bounds how often Tab is pressed in a view.
const maxStops = 60

// auditKeyboard goes through the page by Tab: each control is reached in the
// order of the page, and is seen to be.
func (b *tab) auditKeyboard() {
	b.t.Helper()
	b.do(evaluate("window.scrollTo(0, 0); document.activeElement?.blur(); window.controls = " + focusableScript))
	count := eval[int](b, "controls.length")
	if count == 0 {
		b.t.Error("there is nothing for the keyboard")
	}
	first := 0
	if eval[bool](b, "document.querySelector('[autofocus]') !== null") {
		b.do(evaluate("controls[0].focus()"))
		first = 1
	}
	for i := first; i < min(count, maxStops); i++ {
		b.press(kb.Tab)
		at := eval[string](b, fmt.Sprintf(`(() => {
			const e = document.activeElement, want = controls[%d], s = getComputedStyle(e), box = e.getBoundingClientRect();
			if (e !== want) return 'the focus is on ' + e.outerHTML.slice(0, 120) + ', want ' + want.outerHTML.slice(0, 120);
			if (!(s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 1.5) && s.boxShadow === 'none') return 'the focus is not seen on ' + e.outerHTML.slice(0, 120);
			if (box.bottom < 0 || box.top > innerHeight) return 'the focus is out of sight on ' + e.outerHTML.slice(0, 120);
			return '' })()`, i))
		if at != "" {
			b.t.Errorf("after Tab %d times: %s", i+1, at)
			break
		}
	}
	if eval[bool](b, "document.querySelector('.skip') !== null") {
		b.do(evaluate("window.scrollTo(0, 0); document.activeElement?.blur(); document.querySelector('.skip').focus()"))
		if box := eval[[]float64](b, "(() => { const b = document.activeElement.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom] })()"); box[0] < 0 || box[1] < 0 || box[2] > 1280 {
			b.t.Errorf("the focused skip link is out of sight: %v", box)
		}
		b.press(kb.Enter)
		b.until("the skip link's focus", "document.activeElement.id === 'main'")
	}
}
