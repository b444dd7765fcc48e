package htmlparse

import "golang.org/x/net/html"

// adjustAttributes gives the attributes of a foreign element's tag the case and the namespace that they have in XML.
//
// https://html.spec.whatwg.org/multipage/parsing.html#adjust-mathml-attributes
// https://html.spec.whatwg.org/multipage/parsing.html#adjust-svg-attributes
// https://html.spec.whatwg.org/multipage/parsing.html#adjust-foreign-attributes
func (b *treeBuilder) adjustAttributes(t *Token, namespace string) {
	for i := range t.Attr {
		a := &t.Attr[i]
		if namespace == "svg" {
			if adjusted, ok := svgAttributes[a.Key]; ok {
				a.Key = adjusted
			}
		} else if a.Key == "definitionurl" {
			a.Key = "definitionURL"
		}
		if prefix, local := foreignAttribute(a.Key); prefix != "" {
			a.Namespace, a.Key = prefix, local
		}
	}
}

// foreignAttribute splits the name of an attribute that is in a namespace of XML. The attribute xmlns is in one too, but
// has no prefix: it stays as it is, as in the trees of golang.org/x/net/html.
func foreignAttribute(name string) (prefix, local string) {
	switch name {
	case "xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title", "xlink:type":
		return "xlink", name[len("xlink:"):]
	case "xml:lang", "xml:space":
		return "xml", name[len("xml:"):]
	case "xmlns:xlink":
		return "xmlns", name[len("xmlns:"):]
	}
	return "", name
}

// annotatesHTML says whether a MathML annotation-xml element is an HTML integration point.
//
// https://html.spec.whatwg.org/multipage/parsing.html#html-integration-point
func annotatesHTML(n *html.Node) bool {
	encoding, _ := attribute(n.Attr, "encoding")
	return equalFoldASCII(encoding, "text/html") || equalFoldASCII(encoding, "application/xhtml+xml")
}

// svgTagNames are the names of SVG elements that are not in lower case.
//
// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign
var svgTagNames = map[string]string{
	"altglyph":            "altGlyph",
	"altglyphdef":         "altGlyphDef",
	"altglyphitem":        "altGlyphItem",
	"animatecolor":        "animateColor",
	"animatemotion":       "animateMotion",
	"animatetransform":    "animateTransform",
	"clippath":            "clipPath",
	"feblend":             "feBlend",
	"fecolormatrix":       "feColorMatrix",
	"fecomponenttransfer": "feComponentTransfer",
	"fecomposite":         "feComposite",
	"feconvolvematrix":    "feConvolveMatrix",
	"fediffuselighting":   "feDiffuseLighting",
	"fedisplacementmap":   "feDisplacementMap",
	"fedistantlight":      "feDistantLight",
	"fedropshadow":        "feDropShadow",
	"feflood":             "feFlood",
	"fefunca":             "feFuncA",
	"fefuncb":             "feFuncB",
	"fefuncg":             "feFuncG",
	"fefuncr":             "feFuncR",
	"fegaussianblur":      "feGaussianBlur",
	"feimage":             "feImage",
	"femerge":             "feMerge",
	"femergenode":         "feMergeNode",
	"femorphology":        "feMorphology",
	"feoffset":            "feOffset",
	"fepointlight":        "fePointLight",
	"fespecularlighting":  "feSpecularLighting",
	"fespotlight":         "feSpotLight",
	"fetile":              "feTile",
	"feturbulence":        "feTurbulence",
	"foreignobject":       "foreignObject",
	"glyphref":            "glyphRef",
	"lineargradient":      "linearGradient",
	"radialgradient":      "radialGradient",
	"textpath":            "textPath",
}

// svgAttributes are the names of SVG attributes that are not in lower case.
//
// https://html.spec.whatwg.org/multipage/parsing.html#adjust-svg-attributes
var svgAttributes = map[string]string{
	"attributename":       "attributeName",
	"attributetype":       "attributeType",
	"basefrequency":       "baseFrequency",
	"baseprofile":         "baseProfile",
	"calcmode":            "calcMode",
	"clippathunits":       "clipPathUnits",
	"diffuseconstant":     "diffuseConstant",
	"edgemode":            "edgeMode",
	"filterunits":         "filterUnits",
	"glyphref":            "glyphRef",
	"gradienttransform":   "gradientTransform",
	"gradientunits":       "gradientUnits",
	"kernelmatrix":        "kernelMatrix",
	"kernelunitlength":    "kernelUnitLength",
	"keypoints":           "keyPoints",
	"keysplines":          "keySplines",
	"keytimes":            "keyTimes",
	"lengthadjust":        "lengthAdjust",
	"limitingconeangle":   "limitingConeAngle",
	"markerheight":        "markerHeight",
	"markerunits":         "markerUnits",
	"markerwidth":         "markerWidth",
	"maskcontentunits":    "maskContentUnits",
	"maskunits":           "maskUnits",
	"numoctaves":          "numOctaves",
	"pathlength":          "pathLength",
	"patterncontentunits": "patternContentUnits",
	"patterntransform":    "patternTransform",
	"patternunits":        "patternUnits",
	"pointsatx":           "pointsAtX",
	"pointsaty":           "pointsAtY",
	"pointsatz":           "pointsAtZ",
	"preservealpha":       "preserveAlpha",
	"preserveaspectratio": "preserveAspectRatio",
	"primitiveunits":      "primitiveUnits",
	"refx":                "refX",
	"refy":                "refY",
	"repeatcount":         "repeatCount",
	"repeatdur":           "repeatDur",
	"requiredextensions":  "requiredExtensions",
	"requiredfeatures":    "requiredFeatures",
	"specularconstant":    "specularConstant",
	"specularexponent":    "specularExponent",
	"spreadmethod":        "spreadMethod",
	"startoffset":         "startOffset",
	"stddeviation":        "stdDeviation",
	"stitchtiles":         "stitchTiles",
	"surfacescale":        "surfaceScale",
	"systemlanguage":      "systemLanguage",
	"tablevalues":         "tableValues",
	"targetx":             "targetX",
	"targety":             "targetY",
	"textlength":          "textLength",
	"viewbox":             "viewBox",
	"viewtarget":          "viewTarget",
	"xchannelselector":    "xChannelSelector",
	"ychannelselector":    "yChannelSelector",
	"zoomandpan":          "zoomAndPan",
}
