package definition

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
)

// mostText is the largest size of a text in bytes.
const mostText = 32 << 20

// codePages maps the tag of a language to its Windows code page. Languages that it lacks have code page 1252.
//
// Source: https://learn.microsoft.com/windows/win32/intl/code-page-identifiers
var codePages = map[string]encoding.Encoding{
	"ja": japanese.ShiftJIS, "ko": korean.EUCKR, "zh-CN": simplifiedchinese.GBK, "zh-TW": traditionalchinese.Big5, "zh-HK": traditionalchinese.Big5,
	"zh": simplifiedchinese.GBK, // lodctr reads 004 as 804
	"th": charmap.Windows874, "el": charmap.Windows1253, "tr": charmap.Windows1254, "he": charmap.Windows1255,
	"ar": charmap.Windows1256, "vi": charmap.Windows1258,
	"bg": charmap.Windows1251, "ru": charmap.Windows1251, "uk": charmap.Windows1251,
	"cs": charmap.Windows1250, "hr": charmap.Windows1250, "hu": charmap.Windows1250, "pl": charmap.Windows1250,
	"ro": charmap.Windows1250, "sk": charmap.Windows1250, "sl": charmap.Windows1250,
	"et": charmap.Windows1257, "lv": charmap.Windows1257, "lt": charmap.Windows1257,
}

// codePage returns the code page of a LANGID. If the language has no entry, it returns that of the primary language, or
// latin.
func codePage(number uint16) encoding.Encoding {
	if page, is := codePages[languageTag(number)]; is {
		return page
	}
	if page, is := codePages[languageTag(number&primaryLanguage)]; is {
		return page
	}
	return latin
}

// latin is code page 1252: the code page of most languages, and of a text whose language is not known.
var latin encoding.Encoding = charmap.Windows1252

// decodeText returns b as UTF-8, without its byte order mark. It reads b as UTF-16 if b starts with a byte order mark
// of UTF-16, else as UTF-8 if b is valid UTF-8, else in the code page. A text of more than 32 MiB is an error.
func decodeText(b []byte, page encoding.Encoding) (string, error) {
	if len(b) > mostText {
		return "", errors.New("the text has more than 32 MiB")
	}
	switch {
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE}):
		return decodeWith(unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM), b)
	case bytes.HasPrefix(b, []byte{0xFE, 0xFF}):
		return decodeWith(unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM), b)
	}
	if b = bytes.TrimPrefix(b, []byte("\uFEFF")); utf8.Valid(b) {
		return string(b), nil
	}
	return decodeWith(page, b)
}

func decodeWith(e encoding.Encoding, b []byte) (string, error) {
	text, err := e.NewDecoder().Bytes(b)
	return string(text), err
}

// encodeUTF16 returns a text as UTF-16LE with a byte order mark and the line ends of Windows.
func encodeUTF16(text string) ([]byte, error) {
	text = string(bytes.ReplaceAll([]byte(text), []byte("\n"), []byte("\r\n")))
	return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes([]byte(text))
}
