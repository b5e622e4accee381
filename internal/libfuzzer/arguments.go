package libfuzzer

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
)

// Encode writes the arguments of a target as libFuzzer is to see them. Numbers come
// first, little-endian and in their order, so that they stay where they are whatever
// becomes of the rest. Strings and bytes follow, each but the last behind its length
// in two bytes. The only argument of many targets is thus the input itself.
func Encode(args ...any) ([]byte, error) {
	var numbers []byte
	var texts [][]byte
	for _, arg := range args {
		switch v := arg.(type) {
		case string:
			texts = append(texts, []byte(v))
		case []byte:
			texts = append(texts, v)
		case int:
			numbers = binary.LittleEndian.AppendUint64(numbers, uint64(v))
		case uint:
			numbers = binary.LittleEndian.AppendUint64(numbers, uint64(v))
		default:
			var err error
			if numbers, err = binary.Append(numbers, binary.LittleEndian, arg); err != nil {
				return nil, err
			}
		}
	}
	for i, text := range texts {
		if i < len(texts)-1 {
			if len(text) > math.MaxUint16 {
				return nil, fmt.Errorf("%d bytes, and %d have a length that can be written", len(text), math.MaxUint16)
			}
			numbers = binary.LittleEndian.AppendUint16(numbers, uint16(len(text)))
		}
		numbers = append(numbers, text...)
	}
	return numbers, nil
}

// decode reads arguments of the given types from any input. What the input is too
// short for is zero or shorter.
func decode(types []reflect.Type, input []byte) []reflect.Value {
	args := make([]reflect.Value, len(types))
	var texts []int
	for i, t := range types {
		if t.Kind() == reflect.String || t.Kind() == reflect.Slice {
			texts = append(texts, i)
			continue
		}
		size := int(t.Size())
		if t.Kind() == reflect.Int || t.Kind() == reflect.Uint {
			size = 8 // on every machine, as Encode has it
		}
		number := make([]byte, size)
		input = input[copy(number, input):]
		args[i] = decodeNumber(t, number)
	}
	for n, i := range texts {
		text := input
		if n < len(texts)-1 {
			var length [2]byte
			input = input[copy(length[:], input):]
			text = input[:min(int(binary.LittleEndian.Uint16(length[:])), len(input))]
			input = input[len(text):]
		}
		// A target may keep or change what it is given; the input is libFuzzer's.
		args[i] = reflect.ValueOf(append([]byte{}, text...)).Convert(types[i])
	}
	return args
}

func decodeNumber(t reflect.Type, b []byte) reflect.Value {
	var whole [8]byte
	copy(whole[:], b)
	bits := binary.LittleEndian.Uint64(whole[:])
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(bits&1 != 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(bits<<(64-8*len(b))) >> (64 - 8*len(b)))
	case reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(uint32(bits))))
	case reflect.Float64:
		v.SetFloat(math.Float64frombits(bits))
	default:
		v.SetUint(bits)
	}
	return v
}
