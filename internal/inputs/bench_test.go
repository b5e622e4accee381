package inputs_test

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"

	"github.com/perfblock/perfblock/internal/inputs"
)

// BenchmarkFiles reads 10,000 files of 20 KB in two ways: one after the other, and with package
// inputs.
func BenchmarkFiles(b *testing.B) {
	const files, size = 10_000, 20_000
	dir := b.TempDir()
	for i := range files {
		name := filepath.Join(dir, fmt.Sprintf("%03d", i/100), fmt.Sprintf("%05d.bin", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, bytes.Repeat([]byte{byte(i)}, size), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("read", func(b *testing.B) {
		b.SetBytes(files * size)
		for b.Loop() {
			err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
				if err != nil || e.IsDir() {
					return err
				}
				text, err := os.ReadFile(path)
				crc32.ChecksumIEEE(text)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("inputs", func(b *testing.B) {
		b.SetBytes(files * size)
		b.ReportAllocs()
		for b.Loop() {
			n := 0
			ctx := context.Background()
			for err := range inputs.Ordered(ctx, (inputs.List{Args: []string{dir}}).All(ctx), inputs.Parallel{}, sum) {
				if err != nil {
					b.Fatal(err)
				}
				n++
			}
			if n != files {
				b.Fatalf("%d files", n)
			}
		}
	})
	var members []testMember
	for i := range files {
		members = append(members, testMember{name: fmt.Sprintf("%05d.bin", i), text: string(bytes.Repeat([]byte{byte(i)}, size))})
	}
	for name, text := range map[string]string{"zip": zipOf(members...), "tgz": gzipOf(tarOf(members...))} {
		file := filepath.Join(b.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(files * size)
			for b.Loop() {
				ctx := context.Background()
				for err := range inputs.Ordered(ctx, (inputs.List{Args: []string{file}}).All(ctx), inputs.Parallel{}, sum) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func sum(m inputs.Member, err error) error {
	if err != nil {
		return err
	}
	text, err := m.Read()
	crc32.ChecksumIEEE(text)
	return err
}
