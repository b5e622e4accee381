package inputs

import "testing"

// TestRatio checks that an archive may unpack to its size times Ratio, and not to one byte more.
func TestRatio(t *testing.T) {
	t.Parallel()
	const packed, ratio = FreeTotal, 3
	for _, tt := range []struct {
		unpacked int64
		fails    bool
	}{
		{packed * ratio, false},
		{packed*ratio + 1, true},
	} {
		b := budget{limits: Limits{Total: 1 << 60, Ratio: ratio}, packed: packed}
		if err := b.unpack(tt.unpacked); (err != nil) != tt.fails {
			t.Errorf("%d bytes from %d: %v", tt.unpacked, packed, err)
		}
	}
}
