package extract

// typeSchemas are the JSON Schemas of the types' values as they are written.
// What may be in an enum is the field's to say.
//
// Formats say what a text is: https://json-schema.org/draft/2020-12/json-schema-validation#name-defined-formats
var typeSchemas = [...]Object{
	Text:      {{"type", "string"}},
	HTML:      {{"type", "string"}, {"contentMediaType", "text/html"}},
	Number:    {{"type", "number"}},
	Integer:   {{"type", "integer"}},
	PriceType: priceSchema,
	Bool:      {{"type", "boolean"}},
	URL:       urlSchema,
	Date:      {{"type", "string"}, {"format", "date"}},
	Pairs:     pairsSchema,
	Table:     tableSchema,
	Markdown:  {{"type", "string"}, {"contentMediaType", "text/markdown"}},
	DateTime:  {{"type", "string"}, {"format", "date-time"}},
	Duration:  {{"type", "string"}, {"description", "A duration of ISO 8601."}, {"pattern", `^P([0-9.]+[YMWD])*(T([0-9.]+[HMS])+)?$`}}, // the format duration has no fractions
	Email:     {{"type", "string"}, {"format", "idn-email"}},
	Phone:     {{"type", "string"}, {"description", "A number of E.164, or digits alone where the country is not known."}, {"pattern", `^\+?[0-9]+$`}},
	JSON:      {}, // anything
	Enum:      {{"type", "string"}},
	Links:     linksSchema,
	Images:    imagesSchema,
}

var (
	textSchema = Object{{"type", "string"}}
	urlSchema  = Object{{"type", "string"}, {"format", "uri"}}

	priceSchema = Object{
		{"type", "object"},
		{"properties", Object{
			{"amount", Object{{"description", "The amount, or the lower end of a range."}, {"type", "number"}}},
			{"amount_max", Object{{"description", "The upper end of a range."}, {"type", "number"}}},
			{"currency", Object{{"description", "Code of ISO 4217, empty where the page says none."}, {"type", "string"}, {"pattern", "^([A-Z]{3})?$"}}},
		}},
		{"required", []any{"amount", "currency"}},
		{"additionalProperties", false},
	}

	pairsSchema = Object{
		{"type", "object"},
		{"additionalProperties", Object{{"anyOf", []any{
			textSchema,
			Object{{"type", "array"}, {"items", textSchema}},
		}}}},
	}

	tableSchema = listSchema(Object{{"type", "object"}, {"additionalProperties", textSchema}})

	linksSchema = listSchema(Object{
		{"type", "object"},
		{"properties", Object{{"url", urlSchema}, {"text", textSchema}, {"title", textSchema}, {"rel", textSchema}}},
		{"required", []any{"url"}},
		{"additionalProperties", false},
	})

	imagesSchema = listSchema(Object{
		{"type", "object"},
		{"properties", Object{{"url", urlSchema}, {"alt", textSchema}, {"title", textSchema}, {"width", pixelsSchema}, {"height", pixelsSchema}}},
		{"required", []any{"url"}},
		{"additionalProperties", false},
	})

	pixelsSchema = Object{{"type", "integer"}, {"minimum", int64(0)}}
)
