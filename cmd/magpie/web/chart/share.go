package chart

import "html/template"

// Size of a Share, in pixels.
const (
	shareWidth  = 120
	shareHeight = 12
)

// Share draws a share of a whole, from 0 to 1, as a bar, and as a mark on it
// what the share usually is; a usual of NaN is not known. Classes: share with
// share-worse if it drifted; share-ground, share-bar, share-usual.
func Share(title string, share, usual float64, worse bool) template.HTML {
	class := "share"
	if worse {
		class += " share-worse"
	}
	d := begin(class, title, shareWidth, shareHeight)
	d.rect("share-ground", 0, 2, shareWidth, shareHeight-4, "")
	if finite(share) && share > 0 {
		d.rect("share-bar", 0, 2, max(1, min(1, share)*shareWidth), shareHeight-4, "")
	}
	if finite(usual) {
		x := min(1, max(0, usual)) * shareWidth
		d.rect("share-usual", max(0, min(shareWidth-2, x-1)), 0, 2, shareHeight, "")
	}
	return d.end()
}

// Cells draws shares over time as columns, the oldest first, each as high as
// its share. Classes: spark, spark-fill, spark-low for shares below half of the
// largest, spark-zero.
func Cells(title string, shares []float64) template.HTML {
	most := largest(shares)
	return columns(title, shares, func(s float64) (string, float64) {
		class := "spark-fill"
		if s < most/2 {
			class = "spark-low"
		}
		return class, max(1, min(1, s)*SparkHeight)
	})
}
