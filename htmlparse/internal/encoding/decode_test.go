package encoding

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// The data have a byte sequence and its code points on a line, as in
// `\xA1\x40 0x3000`.
func TestDecodersAgainstTheIndexes(t *testing.T) {
	gomod, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(filepath.Dir(strings.TrimSpace(string(gomod))), "..", "shared", "conformance", "encoding")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no conformance data in ../shared/conformance/encoding")
	}
	for _, tt := range []struct {
		file, encoding string
		pairs          int
	}{
		{"big5_map_decode.txt", "Big5", 14686},
		{"euc_jp_map_decode.txt", "EUC-JP", 7724},
		{"euc_kr_map_decode.txt", "EUC-KR", 17176},
		{"gb18030_map_decode.txt", "gb18030", 27659},
		{"gb18030_map_decode.txt", "GBK", 27659},
		{"iso_2022_jp_map_decode.txt", "ISO-2022-JP", 7915},
		{"shift_jis_map_decode.txt", "Shift_JIS", 5125},
	} {
		t.Run(tt.encoding, func(t *testing.T) {
			f, err := os.Open(filepath.Join(dir, tt.file))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			pairs := 0
			for s := bufio.NewScanner(f); s.Scan(); {
				if s.Text() == "" || s.Text()[0] == '#' {
					continue
				}
				src, want, err := indexLine(s.Text())
				if err != nil {
					t.Fatal(err)
				}
				pairs++
				if got, err := Decode(src, tt.encoding); err != nil || got != want {
					t.Errorf("% X decodes to %+q, %v, want %+q", src, got, err, want)
				}
			}
			if pairs != tt.pairs {
				t.Errorf("%d pairs, want %d", pairs, tt.pairs)
			}
		})
	}
}

func indexLine(line string) (src []byte, text string, err error) {
	fields := strings.Fields(line)
	quoted, err := strconv.Unquote(`"` + fields[0] + `"`)
	if err != nil {
		return nil, "", fmt.Errorf("%q: %w", line, err)
	}
	for _, f := range fields[1:] {
		r, err := strconv.ParseUint(f, 0, 32)
		if err != nil {
			return nil, "", fmt.Errorf("%q: %w", line, err)
		}
		text += string(rune(r))
	}
	return []byte(quoted), text, nil
}

func TestDecode(t *testing.T) {
	tests := []struct{ encoding, name, src, want string }{
		{"UTF-8", "byte order mark", "\xEF\xBB\xBFx", "x"},
		{"UTF-8", "the second mark is text", "\xEF\xBB\xBF\uFEFF", "\uFEFF"},
		{"UTF-8", "cut off after one", "a\xE6", "a\uFFFD"},
		{"UTF-8", "cut off after two", "a\xE6\x97", "a\uFFFD"},
		{"UTF-8", "cut off by ASCII", "\xF0\x9F\x98<", "\uFFFD<"},
		{"UTF-8", "surrogate", "\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},
		{"UTF-8", "overlong", "\xC0\xAF\xE0\x80\xAF", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"},
		{"UTF-8", "beyond Unicode", "\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},

		{"windows-1252", "C1", "\x80\x81\x8D\x8F\x90\x9D\x9F", "€\u0081\u008D\u008F\u0090\u009DŸ"},
		{"windows-1252", "a byte order mark wins", "\xEF\xBB\xBF\xC3\xA9", "é"},
		{"ISO-8859-2", "C1", "\x80\x9F\xA1", "\u0080\u009FĄ"},
		{"windows-1253", "undefined", "\x81\xAA\xD2\xFF", "\u0081\uFFFD\uFFFD\uFFFD"},
		{"windows-1255", "undefined", "\xD9\xDF", "\uFFFD\uFFFD"},
		{"windows-874", "undefined", "\x80\x81\xDB", "€\u0081\uFFFD"},
		{"ISO-8859-8-I", "C1 and letters", "\x80\xE0\xA1", "\u0080א\uFFFD"},
		{"KOI8-U", "short u", "\xAE\xBE", "ўЎ"},
		{"macintosh", "euro", "\xDB", "€"},
		{"x-user-defined", "all", "a\x80\xFF", "a\uF780\uF7FF"},

		{"Big5", "two code points", "\x88\x62\x88\x64\x88\xA3\x88\xA5", "Ê\u0304Ê\u030Cê\u0304ê\u030C"},
		{"Big5", "cut off", "a\x88", "a\uFFFD"},
		{"Big5", "ASCII trail that makes no character", "\x81\x40<", "\uFFFD@<"},
		{"Big5", "trail DEL", "\x88\x7F", "\uFFFD\x7F"},
		{"Big5", "markup behind a lead", "\xA1<b>", "\uFFFD<b>"},
		{"Big5", "trail outside of ASCII that makes no character", "\x81\xFE<", "\uFFFD<"},
		{"Big5", "no lead", "\x80\xFFa", "\uFFFD\uFFFDa"},

		{"EUC-KR", "cut off", "\xB0", "\uFFFD"},
		{"EUC-KR", "ASCII trail", "\xB0<", "\uFFFD<"},
		{"EUC-KR", "ASCII trail that makes no character", "\xFEA", "\uFFFDA"},
		{"EUC-KR", "no lead", "\x80\xFF", "\uFFFD\uFFFD"},

		{"Shift_JIS", "half-width katakana", "\xA1\xDF", "｡ﾟ"},
		{"Shift_JIS", "C1", "\x80", "\u0080"},
		{"Shift_JIS", "no lead", "\xA0\xFD\xFF", "\uFFFD\uFFFD\uFFFD"},
		{"Shift_JIS", "user-defined", "\xF0\x40\xF9\xFC", "\uE000\uE757"},
		{"Shift_JIS", "ASCII trail that makes no character", "\x85\x5C", "\uFFFD\\"},
		{"Shift_JIS", "quote behind a lead", "\x82\"", "\uFFFD\""},
		{"Shift_JIS", "backslash as a trail", "\x83\x5C", "ソ"},
		{"Shift_JIS", "cut off", "\x82", "\uFFFD"},
		{"Shift_JIS", "trail FD", "\x82\xFDa", "\uFFFDa"},

		{"EUC-JP", "half-width katakana", "\x8E\xB1", "ｱ"},
		{"EUC-JP", "half-width katakana out of range", "\x8E\xE0a", "\uFFFDa"},
		{"EUC-JP", "three bytes", "\x8F\xB0\xA1", "丂"},
		{"EUC-JP", "three bytes, markup", "\x8F\xB0<", "\uFFFD<"},
		{"EUC-JP", "three bytes cut off", "\x8F\xB0", "\uFFFD"},
		{"EUC-JP", "three bytes, wrong second", "\x8F\x80a", "\uFFFDa"},
		{"EUC-JP", "three bytes, ASCII second", "\x8Fa", "\uFFFDa"},
		{"EUC-JP", "trail out of range", "\xA4\x80a", "\uFFFDa"},
		{"EUC-JP", "ASCII trail", "\xA4<", "\uFFFD<"},
		{"EUC-JP", "no lead", "\x80\xFF", "\uFFFD\uFFFD"},

		{"gb18030", "euro", "\x80\xA2\xE3", "€€"},
		{"gb18030", "four bytes", "\x81\x30\x81\x30\x90\x30\x81\x30\xE3\x32\x9A\x35", "\u0080\U00010000\U0010FFFF"},
		{"gb18030", "four bytes beyond Unicode", "\xE3\x32\x9A\x36a", "\uFFFDa"},
		{"gb18030", "four bytes between the planes", "\x84\x31\xA5\x30a", "\uFFFDa"},
		{"gb18030", "U+FFFD itself", "\x84\x31\xA4\x37a", "\uFFFDa"},
		{"gb18030", "2022: m with acute", "\xA8\xBC\x81\x35\xF4\x37", "\u1E3F\uE7C7"},
		{"gb18030", "2022: vertical forms", "\xA6\xD9\xFE\x59", "\uFE10\u9FB4"},
		{"gb18030", "private use", "\xAA\xA1\xFE\xFE\xA1\x40", "\uE000\uE4C5\uE4C6"},
		{"gb18030", "cut off after one", "\x81", "\uFFFD"},
		{"gb18030", "cut off after two", "\x81\x30", "\uFFFD"},
		{"gb18030", "cut off after three", "\x81\x30\x81", "\uFFFD"},
		{"gb18030", "wrong third", "\x81\x30<", "\uFFFD0<"},
		{"gb18030", "wrong third at the end", "\x81\x300", "\uFFFD00"},
		{"gb18030", "wrong fourth", "\x81\x30\x81\x40", "\uFFFD0丂"},
		{"gb18030", "markup behind a lead", "\x81<", "\uFFFD<"},
		{"gb18030", "trail DEL", "\x81\x7F", "\uFFFD\x7F"},
		{"gb18030", "trail FF", "\x81\xFFa", "\uFFFDa"},
		{"gb18030", "lead FF", "\xFFa", "\uFFFDa"},
		{"GBK", "four bytes", "\x81\x30\x81\x30", "\u0080"},

		{"ISO-2022-JP", "Roman", "\x1B(J\\~\x1B(B\\~", "¥‾\\~"},
		{"ISO-2022-JP", "katakana", "\x1B(I!_\x1B(B", "｡ﾟ"},
		{"ISO-2022-JP", "katakana, wrong byte", "\x1B(I\x60", "\uFFFD"},
		{"ISO-2022-JP", "kanji by both escapes", "\x1B$@0!\x1B$B0!\x1B(B", "亜亜"},
		{"ISO-2022-JP", "two escapes without text between", "\x1B$B\x1B(Ba", "\uFFFDa"},
		{"ISO-2022-JP", "an escape at the start is fine", "\x1B(Ba", "a"},
		{"ISO-2022-JP", "unknown escape", "\x1B(Ka", "\uFFFD(Ka"},
		{"ISO-2022-JP", "JIS X 0212 is not supported", "\x1B$(D0!", "\uFFFD$(D0!"},
		{"ISO-2022-JP", "escape at the end", "a\x1B", "a\uFFFD"},
		{"ISO-2022-JP", "escape cut off", "a\x1B$", "a\uFFFD$"},
		{"ISO-2022-JP", "escape within a character", "\x1B$B0\x1B(Ba", "\uFFFDa"},
		{"ISO-2022-JP", "a character cut off", "\x1B$B0", "\uFFFD"},
		{"ISO-2022-JP", "a line end among kanji", "\x1B$B\n0!", "\uFFFD亜"},
		{"ISO-2022-JP", "trail out of range", "\x1B$B0\n0!", "\uFFFD亜"},
		{"ISO-2022-JP", "shift out and in", "\x0E\x0Fa", "\uFFFD\uFFFDa"},
		{"ISO-2022-JP", "eight bits", "\x80\xFF", "\uFFFD\uFFFD"},

		{"UTF-16LE", "pair", "\x3D\xD8\x00\xDE", "😀"},
		{"UTF-16BE", "pair", "\xD8\x3D\xDE\x00", "😀"},
		{"UTF-16BE", "odd length", "\x00a\x00", "a\uFFFD"},
		{"UTF-16BE", "half a pair at the end", "\x00a\xD8\x00", "a\uFFFD"},
		{"UTF-16BE", "half a pair and a byte", "\x00a\xD8\x00\x00", "a\uFFFD"},
		{"UTF-16BE", "half a pair, then text", "\xD8\x00\x00a", "\uFFFDa"},
		{"UTF-16BE", "half a pair, then a pair", "\xD8\x00\xD8\x3D\xDE\x00", "\uFFFD😀"},
		{"UTF-16BE", "second half alone", "\xDC\x00\x00a", "\uFFFDa"},
		{"UTF-16BE", "NUL", "\x00\x00", "\x00"},
		{"UTF-16BE", "the other byte order mark wins", "\xFF\xFEa\x00", "a"},

		{"replacement", "anything", "<b>x", "\uFFFD"},
		{"replacement", "nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.encoding+"/"+tt.name, func(t *testing.T) {
			got, err := Decode([]byte(tt.src), tt.encoding)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("Decode(% X) = %+q, want %+q", tt.src, got, tt.want)
			}
		})
	}
	t.Run("no such encoding", func(t *testing.T) {
		if _, err := Decode(nil, "utf-8"); err == nil {
			t.Error("a label was taken for a name")
		}
	})
}

// Whatever the bytes, the text is Unicode and ASCII behind them is kept: no
// byte hides the markup that follows.
func FuzzDecode(f *testing.F) {
	for i := range labels {
		f.Add(uint8(i), []byte("a\x81\x30\x81\xFE\x1B$B0\xD8\x00"))
	}
	f.Fuzz(func(t *testing.T, which uint8, src []byte) {
		name, _, _ := strings.Cut(labels[int(which)%len(labels)], " ")
		text, err := Decode(src, name)
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.ValidString(text) {
			t.Errorf("%s: % X decodes to what is not UTF-8", name, src)
		}
		if bom, _ := BOM(src); bom != "" || name == "ISO-2022-JP" || name == "replacement" || strings.HasPrefix(name, "UTF-16") {
			return
		}
		if text, _ := Decode(append(src, "<b>"...), name); !strings.HasSuffix(text, "<b>") {
			t.Errorf("%s: % X swallows the tag behind it", name, src)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	text := map[string]string{
		"UTF-8":        "日本語のページ <p>text</p>",
		"windows-1252": "caf\xE9 <p>text</p>",
		"Shift_JIS":    "\x93\xFA\x96\x7B\x8C\xEA <p>text</p>",
		"gb18030":      "\xC4\xE3\xBA\xC3 <p>text</p>",
	}
	for name, line := range text {
		src := []byte(strings.Repeat(line, 10_000))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if _, err := Decode(src, name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
