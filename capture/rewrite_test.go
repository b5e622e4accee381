package capture

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
)

// rewrite copies a zip to w and replaces text in its manifest.
func rewrite(w io.Writer, contents []byte, before, after string) error {
	from, err := zip.NewReader(bytes.NewReader(contents), int64(len(contents)))
	if err != nil {
		return err
	}
	to := zip.NewWriter(w)
	for _, f := range from.File {
		if f.Name != ManifestName {
			if err := to.Copy(f); err != nil {
				return err
			}
			continue
		}
		text, err := unpack(f, maxDirectory)
		if err != nil {
			return err
		}
		changed, err := to.Create(f.Name)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(changed, strings.ReplaceAll(string(text), before, after)); err != nil {
			return err
		}
	}
	return to.Close()
}
