// Command publisher publishes objects of a service until it is killed, or probes the DLL of a service.
//
//	publisher SERVICE FILE    publishes the objects in the file and writes the line "ready"
//	publisher SERVICE FILE OTHER
//	                          does the same, but first creates a mapping of the file OTHER, and gives it the
//	                          name Global\perfblock-SERVICE, as a hostile program can
//	publisher SERVICE         publishes objects whose values are all the same, as fast as it can
//	publisher probe SERVICE   probes the DLL of the service, and writes the log of the calls and the findings
//	publisher serve           is the process in which probe loads the DLL
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/provider"
	"github.com/perfblock/perfblock/validate"
)

func main() {
	switch os.Args[1] {
	case "probe":
		probe(os.Args[2])
	case "serve":
		if err := provider.Serve(os.Stdin, os.Stdout); err != nil {
			log.Fatal(err)
		}
	default:
		publish()
	}
}

func probe(service string) {
	dll, settings, err := provider.Service(service)
	if err != nil {
		log.Fatal(err)
	}
	result, err := settings.DLL(context.Background(), dll, os.Args[0], "serve")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(result.Log)
	if err := result.Err(validate.Info); err != nil {
		log.Fatal(err)
	}
	fmt.Println("no findings")
}

// squat creates the mapping Global\perfblock-SERVICE before the publisher does, as a hostile program under the same
// account can. The memory of the mapping is the file at path.
func squat(service, path string) {
	f, err := os.Create(path)
	if err == nil {
		err = f.Truncate(16)
	}
	if err != nil {
		log.Fatal(err)
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		log.Fatal(err)
	}
	// The descriptor sets the owner of the mapping, because Wine does not.
	security, err := windows.SecurityDescriptorFromString("O:" + user.User.Sid.String() + "D:(A;;GA;;;WD)")
	if err != nil {
		log.Fatal(err)
	}
	attributes := windows.SecurityAttributes{Length: uint32(unsafe.Sizeof(windows.SecurityAttributes{})), SecurityDescriptor: security}
	name, err := windows.UTF16PtrFromString(`Global\perfblock-` + service)
	if err == nil {
		_, err = windows.CreateFileMapping(windows.Handle(f.Fd()), &attributes, windows.PAGE_READWRITE, 0, 16, name)
	}
	if err != nil {
		log.Fatal(err)
	}
}

func publish() {
	if len(os.Args) == 4 {
		squat(os.Args[1], os.Args[3]) // the publisher must use the mapping of squat
	}
	p, err := provider.Publish(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if len(os.Args) > 2 {
		objects, err := os.ReadFile(os.Args[2])
		if err == nil {
			err = p.Write(objects)
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("ready")
		select {}
	}
	// The publisher writes three blocks in turn to two buffers, so each write replaces the block in a buffer by a
	// different block. The test then detects a mixture of two blocks.
	var blocks [][]byte
	for n := range uint64(3) {
		o := builder.NewObject(provider.FirstCounter).Counter(provider.FirstCounter+2, layout.PERF_COUNTER_LARGE_RAWCOUNT)
		for i := range 500 {
			o.Instance(fmt.Sprint(i), n)
		}
		objects, err := builder.Objects{*o}.MarshalBinary()
		if err != nil {
			log.Fatal(err)
		}
		blocks = append(blocks, objects)
	}
	for { // write all the time, so that a kill interrupts a write
		for _, objects := range blocks {
			if err := p.Write(objects); err != nil {
				log.Fatal(err)
			}
		}
	}
}
