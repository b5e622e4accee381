package provider_test

//go:generate go run ../cmd/perfblock define internal/shop/shop.yaml -o internal/shop/shop.go

import (
	"fmt"
	"log"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/provider"
	"github.com/perfblock/perfblock/provider/internal/shop"
)

// This program sets two counters. Package shop is generated from internal/shop/shop.yaml.
func Example() {
	p, err := provider.Start(shop.Provider)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	q, err := shop.Queues.Create(p, "orders")
	if err != nil {
		log.Fatal(err)
	}
	q.Published.Add(1)
	q.Depth.Store(17)

	fmt.Println(q.Name(), q.Published.Load(), q.Depth.Load())
	// Output: orders 1 17
}

// Snapshot returns the data that a consumer reads. It also works in a test on Linux.
func ExampleProvider_Snapshot() {
	p, err := provider.Start(shop.Provider)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	q, err := shop.Queues.Create(p, "orders")
	if err != nil {
		log.Fatal(err)
	}
	q.Published.Add(1)
	q.Depth.Store(17)

	block, err := p.Snapshot()
	if err != nil {
		log.Fatal(err)
	}
	var data builder.QueryData
	if err := data.UnmarshalBinary(block); err != nil {
		log.Fatal(err)
	}
	for _, in := range data.Results[0].Instances {
		fmt.Println(in.Name, in.Values)
	}
	// Output: orders [1 17]
}

// Collect computes values only when a consumer reads them.
func ExampleOptions() {
	var totals *shop.TotalsInstance
	orders := []string{"one", "two"}
	p, err := provider.Options{Collect: func() {
		if totals != nil {
			totals.Orders.Store(uint64(len(orders)))
		}
	}}.Start(shop.Provider)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	if totals, err = shop.Totals.Create(p, ""); err != nil {
		log.Fatal(err)
	}
	if _, err := p.Snapshot(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(totals.Orders.Load())
	// Output: 2
}
