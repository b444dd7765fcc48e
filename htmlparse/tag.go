package htmlparse

import "golang.org/x/net/html/atom"

// tag is the small number of an element type that tree construction speaks of, so that sets of element types
// are bits, tables or a switch. Element types that the rules never name share tagOther and tagForeign.
type tag uint8

// elementClass says which sets of the standard an element type belongs to.
type elementClass uint32

const (
	special                    elementClass = 1 << iota // https://html.spec.whatwg.org/multipage/parsing.html#special
	formatting                                          // https://html.spec.whatwg.org/multipage/parsing.html#formatting
	scopeBoundary                                       // ends https://html.spec.whatwg.org/multipage/parsing.html#has-an-element-in-scope
	listItemBarrier                                     // special, but not address, div or p: ends the search for an open li, dd or dt
	impliedEnd                                          // https://html.spec.whatwg.org/multipage/parsing.html#generate-implied-end-tags
	impliedEndThoroughly                                // https://html.spec.whatwg.org/multipage/parsing.html#generate-all-implied-end-tags-thoroughly
	mayStayOpen                                         // no parse error when the end of the body finds it open
	heading                                             // h1 to h6
	fosterContext                                       // as the target of an insertion it leads to foster parenting, while that is on
	structural                                          // document, table and template structure: pushed whatever the depth, see Options.MaxDepth
	marked                                              // puts a marker into the list of active formatting elements
	breakout                                            // its start tag ends foreign content
	foreign                                             // not in the HTML namespace
	mathMLTextIntegrationPoint                          // https://html.spec.whatwg.org/multipage/parsing.html#mathml-text-integration-point
	htmlIntegrationPoint                                // https://html.spec.whatwg.org/multipage/parsing.html#html-integration-point
	annotationXML                                       // MathML's annotation-xml
)

const (
	tagOther tag = iota // any HTML element without a number of its own
	tagA
	tagAddress
	tagApplet
	tagArea
	tagArticle
	tagAside
	tagB
	tagBase
	tagBasefont
	tagBgsound
	tagBig
	tagBlockquote
	tagBody
	tagBr
	tagButton
	tagCaption
	tagCenter
	tagCode
	tagCol
	tagColgroup
	tagDatalist
	tagDd
	tagDetails
	tagDialog
	tagDir
	tagDiv
	tagDl
	tagDt
	tagEm
	tagEmbed
	tagFieldset
	tagFigcaption
	tagFigure
	tagFont
	tagFooter
	tagForm
	tagFrame
	tagFrameset
	tagH1
	tagH2
	tagH3
	tagH4
	tagH5
	tagH6
	tagHead
	tagHeader
	tagHgroup
	tagHr
	tagHTML
	tagI
	tagIframe
	tagImage
	tagImg
	tagInput
	tagKeygen
	tagLi
	tagLink
	tagListing
	tagMain
	tagMalignmark
	tagMarquee
	tagMath
	tagMenu
	tagMeta
	tagMglyph
	tagNav
	tagNobr
	tagNoembed
	tagNoframes
	tagNoscript
	tagObject
	tagOl
	tagOptgroup
	tagOption
	tagP
	tagParam
	tagPlaintext
	tagPre
	tagRb
	tagRp
	tagRt
	tagRtc
	tagRuby
	tagS
	tagScript
	tagSearch
	tagSection
	tagSelect
	tagSelectedcontent
	tagSmall
	tagSource
	tagSpan
	tagStrike
	tagStrong
	tagStyle
	tagSub
	tagSummary
	tagSup
	tagSvg
	tagTable
	tagTbody
	tagTd
	tagTemplate
	tagTextarea
	tagTfoot
	tagTh
	tagThead
	tagTitle
	tagTr
	tagTrack
	tagTt
	tagU
	tagUl
	tagVar
	tagWbr
	tagXmp

	tagForeign // any element outside the HTML namespace without a number of its own
	tagMathMLText
	tagAnnotationXML
	tagSVGForeignObject
	tagSVGDesc
	tagSVGTitle
	tagSVGScript

	tagCount
)

const (
	barrier      = special | listItemBarrier
	barrierScope = barrier | scopeBoundary
)

// tagInfo holds the atom of each tag and its class. The tags of foreign elements have no atom here:
// only foreignTag gives them.
var tagInfo = [tagCount]struct {
	atom  atom.Atom
	class elementClass
}{
	tagA:          {atom.A, formatting},
	tagAddress:    {atom.Address, special},
	tagApplet:     {atom.Applet, barrierScope | marked},
	tagArea:       {atom.Area, barrier},
	tagArticle:    {atom.Article, barrier},
	tagAside:      {atom.Aside, barrier},
	tagB:          {atom.B, formatting | breakout},
	tagBase:       {atom.Base, barrier},
	tagBasefont:   {atom.Basefont, barrier},
	tagBgsound:    {atom.Bgsound, barrier},
	tagBig:        {atom.Big, formatting | breakout},
	tagBlockquote: {atom.Blockquote, barrier | breakout},
	tagBody:       {atom.Body, barrier | breakout | mayStayOpen | structural},
	tagBr:         {atom.Br, barrier | breakout},
	tagButton:     {atom.Button, barrier},
	tagCaption:    {atom.Caption, barrierScope | impliedEndThoroughly | structural | marked},
	tagCenter:     {atom.Center, barrier | breakout},
	tagCode:       {atom.Code, formatting | breakout},
	tagCol:        {atom.Col, barrier},
	tagColgroup:   {atom.Colgroup, barrier | impliedEndThoroughly | structural},
	tagDatalist:   {atom.Datalist, 0},
	tagDd:         {atom.Dd, barrier | breakout | impliedEnd | impliedEndThoroughly | mayStayOpen},
	tagDetails:    {atom.Details, barrier},
	tagDialog:     {atom.Dialog, 0},
	tagDir:        {atom.Dir, barrier},
	tagDiv:        {atom.Div, special | breakout},
	tagDl:         {atom.Dl, barrier | breakout},
	tagDt:         {atom.Dt, barrier | breakout | impliedEnd | impliedEndThoroughly | mayStayOpen},
	tagEm:         {atom.Em, formatting | breakout},
	tagEmbed:      {atom.Embed, barrier | breakout},
	tagFieldset:   {atom.Fieldset, barrier},
	tagFigcaption: {atom.Figcaption, barrier},
	tagFigure:     {atom.Figure, barrier},
	tagFont:       {atom.Font, formatting},
	tagFooter:     {atom.Footer, barrier},
	tagForm:       {atom.Form, barrier},
	tagFrame:      {atom.Frame, barrier},
	tagFrameset:   {atom.Frameset, barrier},
	tagH1:         {atom.H1, barrier | breakout | heading},
	tagH2:         {atom.H2, barrier | breakout | heading},
	tagH3:         {atom.H3, barrier | breakout | heading},
	tagH4:         {atom.H4, barrier | breakout | heading},
	tagH5:         {atom.H5, barrier | breakout | heading},
	tagH6:         {atom.H6, barrier | breakout | heading},
	tagHead:       {atom.Head, barrier | breakout | structural},
	tagHeader:     {atom.Header, barrier},
	tagHgroup:     {atom.Hgroup, barrier},
	tagHr:         {atom.Hr, barrier | breakout},
	tagHTML:       {atom.Html, barrierScope | mayStayOpen | structural},
	tagI:          {atom.I, formatting | breakout},
	tagIframe:     {atom.Iframe, barrier},
	tagImage:      {atom.Image, 0},
	tagImg:        {atom.Img, barrier | breakout},
	tagInput:      {atom.Input, barrier},
	tagKeygen:     {atom.Keygen, barrier},
	tagLi:         {atom.Li, barrier | breakout | impliedEnd | impliedEndThoroughly | mayStayOpen},
	tagLink:       {atom.Link, barrier},
	tagListing:    {atom.Listing, barrier | breakout},
	tagMain:       {atom.Main, barrier},
	tagMalignmark: {atom.Malignmark, 0},
	tagMarquee:    {atom.Marquee, barrierScope | marked},
	tagMath:       {atom.Math, 0},
	tagMenu:       {atom.Menu, barrier | breakout},
	tagMeta:       {atom.Meta, barrier | breakout},
	tagMglyph:     {atom.Mglyph, 0},
	tagNav:        {atom.Nav, barrier},
	tagNobr:       {atom.Nobr, formatting | breakout},
	tagNoembed:    {atom.Noembed, barrier},
	tagNoframes:   {atom.Noframes, barrier},
	tagNoscript:   {atom.Noscript, barrier},
	tagObject:     {atom.Object, barrierScope | marked},
	tagOl:         {atom.Ol, barrier | breakout},
	tagOptgroup:   {atom.Optgroup, impliedEnd | impliedEndThoroughly | mayStayOpen},
	tagOption:     {atom.Option, impliedEnd | impliedEndThoroughly | mayStayOpen},
	tagP:          {atom.P, special | breakout | impliedEnd | impliedEndThoroughly | mayStayOpen},
	tagParam:      {atom.Param, barrier},
	tagPlaintext:  {atom.Plaintext, barrier},
	tagPre:        {atom.Pre, barrier | breakout},
	tagRb:         {atom.Rb, impliedEnd | impliedEndThoroughly | mayStayOpen},
	tagRp:         {atom.Rp, impliedEnd | impliedEndThoroughly | mayStayOpen},
	tagRt:         {atom.Rt, impliedEnd | impliedEndThoroughly | mayStayOpen},
	tagRtc:        {atom.Rtc, impliedEnd | impliedEndThoroughly | mayStayOpen},
	tagRuby:       {atom.Ruby, breakout},
	tagS:          {atom.S, formatting | breakout},
	tagScript:     {atom.Script, barrier},
	tagSearch:     {atom.Search, barrier},
	tagSection:    {atom.Section, barrier},
	tagSelect:     {atom.Select, barrierScope | structural},
	tagSmall:      {atom.Small, formatting | breakout},
	tagSource:     {atom.Source, barrier},
	tagSpan:       {atom.Span, breakout},
	tagStrike:     {atom.Strike, formatting | breakout},
	tagStrong:     {atom.Strong, formatting | breakout},
	tagStyle:      {atom.Style, barrier},
	tagSub:        {atom.Sub, breakout},
	tagSummary:    {atom.Summary, barrier},
	tagSup:        {atom.Sup, breakout},
	tagSvg:        {atom.Svg, 0},
	tagTable:      {atom.Table, barrierScope | breakout | fosterContext | structural},
	tagTbody:      {atom.Tbody, barrier | impliedEndThoroughly | mayStayOpen | fosterContext | structural},
	tagTd:         {atom.Td, barrierScope | impliedEndThoroughly | mayStayOpen | structural | marked},
	tagTemplate:   {atom.Template, barrierScope | structural | marked},
	tagTextarea:   {atom.Textarea, barrier},
	tagTfoot:      {atom.Tfoot, barrier | impliedEndThoroughly | mayStayOpen | fosterContext | structural},
	tagTh:         {atom.Th, barrierScope | impliedEndThoroughly | mayStayOpen | structural | marked},
	tagThead:      {atom.Thead, barrier | impliedEndThoroughly | mayStayOpen | fosterContext | structural},
	tagTitle:      {atom.Title, barrier},
	tagTr:         {atom.Tr, barrier | impliedEndThoroughly | mayStayOpen | fosterContext | structural},
	tagTrack:      {atom.Track, barrier},
	tagTt:         {atom.Tt, formatting | breakout},
	tagU:          {atom.U, formatting | breakout},
	tagUl:         {atom.Ul, barrier | breakout},
	tagVar:        {atom.Var, breakout},
	tagWbr:        {atom.Wbr, barrier},
	tagXmp:        {atom.Xmp, barrier},

	tagForeign:          {0, foreign},
	tagMathMLText:       {0, foreign | barrierScope | mathMLTextIntegrationPoint},
	tagAnnotationXML:    {0, foreign | barrierScope | annotationXML},
	tagSVGForeignObject: {0, foreign | barrierScope | htmlIntegrationPoint},
	tagSVGDesc:          {0, foreign | barrierScope | htmlIntegrationPoint},
	tagSVGTitle:         {0, foreign | barrierScope | htmlIntegrationPoint},
	tagSVGScript:        {0, foreign},
}

// class gives the sets that the element type belongs to.
func (t tag) class() elementClass { return tagInfo[t].class }

// atom gives the atom of an HTML element type that has a number of its own.
func (t tag) atom() atom.Atom { return tagInfo[t].atom }

// tagIndex finds a tag by its atom: an open-addressing hash table, with twice the slots it needs at least.
var tagIndex = func() (index [tagSlots]tag) {
	for t := tagOther + 1; t < tagForeign; t++ {
		if tagInfo[t].atom == 0 {
			continue
		}
		slot := tagSlot(tagInfo[t].atom)
		for index[slot] != tagOther {
			slot = (slot + 1) % tagSlots
		}
		index[slot] = t
	}
	return index
}()

const tagSlots = 512

func tagSlot(a atom.Atom) uint32 { return uint32(a) * 0x9E3779B1 >> 23 }

// tagOf gives the tag of an element of the HTML namespace. a is the atom of name, 0 if it has none.
func tagOf(a atom.Atom, name string) tag {
	if a == 0 {
		if name == "selectedcontent" {
			return tagSelectedcontent
		}
		return tagOther
	}
	for slot := tagSlot(a); ; slot = (slot + 1) % tagSlots {
		if t := tagIndex[slot]; t == tagOther || tagInfo[t].atom == a {
			return t
		}
	}
}

// foreignTag gives the tag of an element of the MathML or SVG namespace. name is in lower case.
func foreignTag(namespace, name string) tag {
	if namespace == "math" {
		switch name {
		case "mi", "mo", "mn", "ms", "mtext":
			return tagMathMLText
		case "annotation-xml":
			return tagAnnotationXML
		}
		return tagForeign
	}
	switch name {
	case "foreignobject":
		return tagSVGForeignObject
	case "desc":
		return tagSVGDesc
	case "title":
		return tagSVGTitle
	case "script":
		return tagSVGScript
	}
	return tagForeign
}
