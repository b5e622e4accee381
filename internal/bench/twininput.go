package main

import (
	"bufio"
	"encoding/binary"
	"io"

	"github.com/perfblock/perfblock/internal/wire"
	"github.com/perfblock/perfblock/layout"
)

// An inputWriter writes the file that c/input.c reads: parts that each start on a multiple of 8, integers little-endian. The first
// error is kept by the buffer, and told by its Flush.
type inputWriter struct{ w *bufio.Writer }

func newInputWriter(to io.Writer) inputWriter { return inputWriter{bufio.NewWriterSize(to, 1<<20)} }

// What is encoded already, as in Go's templates, comes from the block.

func (f *objectFeed) writeInput(to io.Writer, block []byte) error {
	data, err := layout.ReadDataBlock(block)
	if err != nil {
		return err
	}
	w := newInputWriter(to)
	w.numbers(0, uint64(len(block)), uint64(len(f.objects)), uint64(len(f.header.SystemName)))
	header := wire.GetDataBlock(data.Bytes())
	header.TotalByteLength, header.HeaderLength, header.NumObjectTypes, header.SystemNameLength, header.SystemNameOffset = 0, 0, 0, 0, 0
	w.part(header.Append(nil))
	w.part([]byte(f.header.SystemName))
	for o, err := range data.Objects() {
		if err == nil {
			err = w.object(o, f.objects[o.Index()])
		}
		if err != nil {
			return err
		}
	}
	return w.w.Flush()
}

// none is PERF_NO_INSTANCES as C reads it.
const none = 1<<64 - 1

func namesLen(rows []feedRow) (n int) {
	for _, r := range rows {
		n += len(r.name)
	}
	return n
}

func (w inputWriter) object(o layout.Object, f feedObject) error {
	var slots []byte
	blockLength := uint32(0)
	for c, err := range o.Counters() {
		if err != nil {
			return err
		}
		slots = binary.LittleEndian.AppendUint32(slots, c.CounterOffset())
		slots = binary.LittleEndian.AppendUint32(slots, c.CounterSize())
		blockLength = max(blockLength, c.CounterOffset()+c.CounterSize())
	}
	for b, err := range counterBlocks(o) {
		if err != nil {
			return err
		}
		blockLength = b.ByteLength()
		break
	}
	names := namesLen(f.rows)
	w.numbers(uint64(o.DefinitionLength()), uint64(o.NumCounters()), uint64(blockLength), uint64(o.NumInstances()), uint64(names))
	w.part(o.Bytes()[:o.DefinitionLength()])
	w.part(slots)
	w.rows(f.rows, names)
	return nil
}

func (w inputWriter) rows(rows []feedRow, names int) {
	var b [24]byte
	for _, r := range rows {
		for i, n := range []uint32{uint32(len(r.name)), r.parentTitle, r.parentPosition, uint32(r.uniqueID)} {
			binary.LittleEndian.PutUint32(b[4*i:], n)
		}
		w.part(b[:])
	}
	for _, r := range rows {
		_, _ = w.w.WriteString(r.name)
	}
	w.pad(names)
	for _, r := range rows {
		w.numbers(r.values...)
	}
}

func (w inputWriter) numbers(numbers ...uint64) {
	var b [8]byte
	for _, n := range numbers {
		binary.LittleEndian.PutUint64(b[:], n)
		_, _ = w.w.Write(b[:])
	}
}

func (w inputWriter) part(b []byte) {
	_, _ = w.w.Write(b)
	w.pad(len(b))
}

// pad follows n bytes.
func (w inputWriter) pad(n int) {
	_, _ = w.w.Write(make([]byte, (layout.Align-n%layout.Align)%layout.Align))
}
