// Command publisher publishes objects of the service in its first argument until it is killed.
//
//	publisher SERVICE FILE    publishes the objects in the file and writes the line "ready"
//	publisher SERVICE         publishes objects whose values are all the same, as fast as it can
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/provider"
)

func main() {
	p, err := provider.Publish(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	if len(os.Args) == 3 {
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
	// The process writes all the time, so a kill hits it while it writes. Two blocks in a row have different values, so
	// a mixture of them is seen.
	var blocks [][]byte
	for n := range uint64(16) {
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
	for {
		for _, objects := range blocks {
			if err := p.Write(objects); err != nil {
				log.Fatal(err)
			}
		}
	}
}
