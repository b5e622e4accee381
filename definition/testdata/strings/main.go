// This command lists its own string resources. Each line has an id and a text.
package main

import (
	"fmt"
	"syscall"
	"unsafe"
)

func main() {
	loadString := syscall.NewLazyDLL("user32.dll").NewProc("LoadStringW")
	for id := range 200 {
		var text [1024]uint16
		n, _, _ := loadString.Call(0, uintptr(id), uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)))
		if n > 0 {
			fmt.Printf("%d %s\n", id, syscall.UTF16ToString(text[:n]))
		}
	}
}
