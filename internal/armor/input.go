package armor

import "github.com/perfblock/perfblock/internal/suggest"

// An Input is a value of the flag --input. It selects the form in which blocks are read.
type Input struct {
	Name    string
	Doc     string
	Example string // a line of the form; "" for auto and raw

	decode func(text []byte) ([]Block, error)
}

// Inputs returns all inputs. The first input is auto, which chooses one of the other inputs. The second input is raw.
func Inputs() []Input {
	return []Input{
		{Name: "auto", Doc: "raw if the bytes have the PERF signature or are not text, otherwise the form that fits"},
		{Name: "raw", Doc: "the bytes as they are"},
		{Name: "hex", Doc: "digits with spaces, commas, dashes or 0x", Example: "50 00 45 00", decode: decodeHex},
		{Name: "dump", Doc: "output of perfblock dump", Example: "0000 | 50 00 45 00 | Signature", decode: columnForm{"dump", dumpColumns}.decode},
		{Name: "xxd", Doc: "output of xxd", Example: "00000000: 5000 4500  P.E.", decode: columnForm{"xxd", xxdColumns}.decode},
		{Name: "hexdump", Doc: "output of hexdump -C", Example: "00000000  50 00 45 00  |P.E.|", decode: columnForm{"hexdump", hexdumpColumns}.decode},
		{Name: "array", Doc: "an array of C or Go, each byte with 0x", Example: "BYTE block[] = { 0x50, 0x00 };", decode: decodeArray},
		{Name: "format-hex", Doc: "output of Format-Hex in PowerShell 5, 6 or 7", Example: formatHex.example, decode: formatHex.decode},
		{Name: "certutil", Doc: "output of certutil -encodehex, also with type 4, 5, 10, 11 or 12", Example: certutil.example, decode: decodeCertutil},
		{Name: "windbg", Doc: "output of db, dc or dd in WinDbg", Example: windbg.example, decode: windbg.decode},
		{Name: "reg-query", Doc: "output of reg query: the REG_BINARY values", Example: "    Block    REG_BINARY    50004500", decode: decodeRegQuery},
		{Name: "reg", Doc: "a .reg file: all values in hex", Example: `"Block"=hex:50,00,45,00`, decode: decodeReg},
		// base64 must be last: "auto" tries it only if no other form fits.
		{Name: "base64", Doc: "the standard or the URL alphabet, in any number of lines", Example: "UABFAFIARgA=", decode: decodeBase64},
	}
}

// InputNamed returns the input with the given name. If there is none, the error lists all inputs.
func InputNamed(name string) (Input, error) {
	return suggest.Named("input", name, Inputs(), func(in Input) string { return in.Name })
}

// Decode returns the blocks in text, at least one, and the Input that can read them. Raw bytes are not copied. A text
// is UTF-8, UTF-16 or in a code page of Windows. Its lines end in LF, CR LF or CR.
//
// The input "auto" tries every form. It tries base64 only if no other form fits, because any hex could also be base64.
// If two forms give different bytes, the error names the two forms. Bytes are raw if they have the signature of a data
// block, or if they are not text, for example because they have control characters.
//
// The error is a [*PlaceError]. It wraps [ErrNoForm] if "auto" finds no form.
func (in Input) Decode(text []byte) ([]Block, Input, error) {
	if in.Name == "raw" {
		return []Block{{Bytes: text}}, in, nil
	}
	plain, is, err := textOf(text)
	switch {
	case err != nil:
		return nil, in, err
	case in.decode != nil:
		blocks, err := in.decode(withLineFeeds(plain))
		return blocks, in, err
	case is == binary:
		return []Block{{Bytes: text}}, Inputs()[1], nil
	}
	found := detect(withLineFeeds(plain))
	if is == unclear && !found.sure() {
		return []Block{{Bytes: text}}, Inputs()[1], nil
	}
	return found.result(in)
}
