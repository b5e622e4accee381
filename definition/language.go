package definition

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"github.com/perfblock/perfblock/internal/lazy"
)

// A language is the tag and the LANGID of a language. The lower ten bits of the LANGID are the primary language, the
// upper six bits are the region.
type language struct {
	tag    string
	number uint16
}

// languages has the languages of the language packs of Windows, and other regions of these languages. For each primary
// language, the entry without a region is first.
//
// Source: https://learn.microsoft.com/openspecs/windows_protocols/ms-lcid/a9eac961-e77d-41a6-90a5-ce1a8b0cdb9c
var languages = []language{
	{"ar", 0x01}, {"ar-SA", 0x0401}, {"bg", 0x02}, {"bg-BG", 0x0402}, {"ca", 0x03}, {"ca-ES", 0x0403},
	{"zh", 0x04}, {"zh-TW", 0x0404}, {"zh-CN", 0x0804}, {"zh-HK", 0x0C04}, {"cs", 0x05}, {"cs-CZ", 0x0405},
	{"da", 0x06}, {"da-DK", 0x0406}, {"de", 0x07}, {"de-DE", 0x0407}, {"el", 0x08}, {"el-GR", 0x0408},
	{"en", 0x09}, {"en-US", 0x0409}, {"en-GB", 0x0809}, {"es", 0x0A}, {"es-ES", 0x0C0A}, {"es-MX", 0x080A},
	{"fi", 0x0B}, {"fi-FI", 0x040B}, {"fr", 0x0C}, {"fr-FR", 0x040C}, {"fr-CA", 0x0C0C}, {"he", 0x0D}, {"he-IL", 0x040D},
	{"hu", 0x0E}, {"hu-HU", 0x040E}, {"is", 0x0F}, {"is-IS", 0x040F}, {"it", 0x10}, {"it-IT", 0x0410}, {"ja", 0x11}, {"ja-JP", 0x0411},
	{"ko", 0x12}, {"ko-KR", 0x0412}, {"nl", 0x13}, {"nl-NL", 0x0413}, {"nb", 0x14}, {"nb-NO", 0x0414}, {"pl", 0x15}, {"pl-PL", 0x0415},
	{"pt", 0x16}, {"pt-BR", 0x0416}, {"pt-PT", 0x0816}, {"ro", 0x18}, {"ro-RO", 0x0418}, {"ru", 0x19}, {"ru-RU", 0x0419},
	{"hr", 0x1A}, {"hr-HR", 0x041A}, {"sr-Latn-RS", 0x241A}, {"sk", 0x1B}, {"sk-SK", 0x041B}, {"sv", 0x1D}, {"sv-SE", 0x041D},
	{"th", 0x1E}, {"th-TH", 0x041E}, {"tr", 0x1F}, {"tr-TR", 0x041F}, {"id", 0x21}, {"id-ID", 0x0421}, {"uk", 0x22}, {"uk-UA", 0x0422},
	{"sl", 0x24}, {"sl-SI", 0x0424}, {"et", 0x25}, {"et-EE", 0x0425}, {"lv", 0x26}, {"lv-LV", 0x0426}, {"lt", 0x27}, {"lt-LT", 0x0427},
	{"vi", 0x2A}, {"vi-VN", 0x042A}, {"eu", 0x2D}, {"eu-ES", 0x042D}, {"gl", 0x56}, {"gl-ES", 0x0456},
	{"de-CH", 0x0807}, {"de-AT", 0x0C07}, {"de-LU", 0x1007}, {"de-LI", 0x1407}, {"zh-SG", 0x1004}, {"zh-MO", 0x1404},
	{"en-AU", 0x0C09}, {"en-CA", 0x1009}, {"en-NZ", 0x1409}, {"en-IE", 0x1809}, {"en-ZA", 0x1C09}, {"en-IN", 0x4009},
	{"es-CO", 0x240A}, {"es-PE", 0x280A}, {"es-AR", 0x2C0A}, {"es-CL", 0x340A}, {"fr-BE", 0x080C}, {"fr-CH", 0x100C},
	{"fr-LU", 0x140C}, {"it-CH", 0x0810}, {"nl-BE", 0x0813}, {"nn-NO", 0x0814}, {"sv-FI", 0x081D},
}

// mostRegions maps a primary language to its largest region number. The default is 1.
//
// Source: the same as for languages
var mostRegions = map[uint16]uint16{
	0x01: 16, 0x03: 2, 0x04: 5, 0x07: 5, 0x09: 25, 0x0A: 23, 0x0C: 15, 0x10: 2, 0x11: 2, 0x12: 2, 0x13: 2, 0x14: 2, 0x16: 2,
	0x18: 2, 0x19: 2, 0x1A: 12, 0x1D: 2, 0x20: 2, 0x27: 2, 0x2C: 2, 0x2E: 2, 0x32: 2, 0x3B: 9, 0x3C: 2, 0x3E: 2, 0x43: 2,
	0x45: 2, 0x46: 2, 0x49: 2, 0x50: 3, 0x51: 3, 0x59: 2, 0x5D: 2, 0x5F: 4, 0x60: 2, 0x61: 2, 0x67: 2, 0x6B: 3, 0x73: 2,
}

// mostPrimaryLanguage is the largest number of a primary language.
const mostPrimaryLanguage = 0x93

// knownLANGID reports whether Windows can have a language with the number. It also accepts some numbers that Windows
// does not use.
func knownLANGID(number uint16) bool {
	primary, region := number&primaryLanguage, number>>10
	// A region number of 26 or more is the number of a script or a variety of the language, not of a country. For example,
	// 0x6C1A is Serbian in Cyrillic letters, and 0x7814 is Nynorsk.
	return primary != 0 && primary <= mostPrimaryLanguage && (region >= 26 || region <= max(1, mostRegions[primary]))
}

// wantLANGID returns the field Want of a finding about an invalid language number.
func wantLANGID(tag string) string {
	if n, err := strconv.ParseUint(tag, 10, 16); err == nil && knownLANGID(uint16(n)) {
		return fmt.Sprintf("must be in hexadecimal; %s is %04X", tag, n)
	}
	return "must be a known tag such as en or de-DE, or the number of a language, such as 009"
}

// languageNumbers has the numbers of the languages, by their tags in small letters.
var languageNumbers = func() map[string]uint16 {
	numbers := make(map[string]uint16)
	for _, l := range languages {
		numbers[strings.ToLower(l.tag)] = l.number
	}
	return numbers
}()

// languageForm matches the tag or the number of a language.
var languageForm = lazy.Regexp(`^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*|[0-9A-Fa-f]{3,4})$`)

// LanguageNumber returns the LANGID for a tag such as de or de-DE, or for a number in hexadecimal with at least three
// digits, such as 007. For an unknown tag, the error says which tags are accepted.
func LanguageNumber(tag string) (uint16, error) {
	if number, is := languageNumbers[strings.ToLower(tag)]; is {
		return number, nil
	}
	if n, err := strconv.ParseUint(tag, 16, 16); err == nil && n != 0 && len(tag) >= 3 { // be and fa are tags, not numbers
		return uint16(n), nil
	}
	return 0, fmt.Errorf("%q is not a known language: write a tag such as en or de-DE, or the number of the language in hexadecimal, such as 009", tag)
}

// languageTag returns the tag for a LANGID, or the number in hexadecimal with at least three digits
// if no tag is known.
func languageTag(number uint16) string {
	for _, l := range languages {
		if l.number == number {
			return l.tag
		}
	}
	return fmt.Sprintf("%03X", number)
}

// primaryLanguage is the mask of the primary language in a LANGID.
const primaryLanguage = 0x3FF

// sameLanguage reports whether two tags have the same primary language. An unknown tag equals only itself.
func sameLanguage(a, b string) bool {
	m, err := LanguageNumber(a)
	n, err2 := LanguageNumber(b)
	if err != nil || err2 != nil {
		return strings.EqualFold(a, b)
	}
	return m&primaryLanguage == n&primaryLanguage
}

// mostText is the largest size of a text in bytes.
const mostText = 32 << 20

// codePages maps the tag of a language to its Windows code page. The default is 1252.
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

// codePage returns the code page of a LANGID. It searches codePages for the language, then for the primary language.
// The default is latin.
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

// decodeText converts a text in UTF-16, in UTF-8 or in the code page to UTF-8, without a byte order mark.
func decodeText(b []byte, page encoding.Encoding) (string, error) {
	if len(b) > mostText {
		return "", errors.New("the text has more than 32 MiB")
	}
	if bytes.HasPrefix(b, []byte{0xFF, 0xFE}) || bytes.HasPrefix(b, []byte{0xFE, 0xFF}) {
		page = unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM) // the mark decides the order of bytes
	} else if b = bytes.TrimPrefix(b, []byte("\uFEFF")); utf8.Valid(b) {
		return string(b), nil
	}
	text, err := page.NewDecoder().Bytes(b)
	return string(text), err
}

// encodeUTF16 returns a text as UTF-16LE with a byte order mark and the line ends of Windows.
func encodeUTF16(text string) []byte {
	text = strings.ReplaceAll(text, "\n", "\r\n")
	b, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes([]byte(text)) // never fails
	return b
}
