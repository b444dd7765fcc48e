// Package body turns response bodies into what is stored of them, and back:
// compressed in a hurry or well, alone or with a dictionary for bodies that are
// alike, and never handed back other than they were.
//
// A crawl packs ([Pack], [Drop]); who cleans up later packs again as small as
// can be ([PackWith]), with a dictionary where [Group.Train] finds that it pays.
// [Unpack] compares a body with its hash, [UnpackFast] with zstd's checksum.
// The dictionaries themselves are read by whoever made [Decoders].
//
// What is packed is zstd, https://www.rfc-editor.org/rfc/rfc8878. Nothing here
// knows a database.
package body
