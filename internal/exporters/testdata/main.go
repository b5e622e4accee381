// Command reader reads counters with the packages of two exporters. It prints one line for each counter of an
// instance, with the value at the end. Package exporters copies the packages into the folders "oldest" and "newer".
package main

import (
	"fmt"
	"log"
	"os"

	newer "example.com/reader/newer"
	oldest "example.com/reader/oldest"
)

func main() {
	query := os.Args[1]
	first, err := oldest.QueryPerformanceData(query)
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range first {
		for _, in := range o.Instances {
			for _, c := range in.Counters {
				show("perflib_exporter", o.NameIndex, c.Def.NameIndex, in.Name, c.Value)
			}
		}
	}
	second, err := newer.QueryPerformanceData(query)
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range second {
		for _, in := range o.Instances {
			for _, c := range in.Counters {
				show("windows_exporter", o.NameIndex, c.Def.NameIndex, in.Name, c.Value)
			}
		}
	}
}

func show(reader string, object, counter uint, instance string, value int64) {
	if instance == "" {
		instance = "-"
	}
	fmt.Println(reader, object, counter, instance, value)
}
