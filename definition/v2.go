package definition

import (
	"fmt"

	"github.com/perfblock/perfblock/builder"
	"github.com/perfblock/perfblock/layout"
	"github.com/perfblock/perfblock/provider"
)

// V2 returns the definition for [provider.Start]. Use V2 for counters that are known only at run time. For counters
// that are known when the program is written, use the .go file of [Provider.Output].
//
// The counter sets have the type *provider.CounterSet[provider.Values]. The values of an instance are in the order of
// the counters of the set. The losses name the values that package provider cannot offer, and the sets that V2 leaves
// out. V2 leaves out all sets of a kernel-mode provider.
func (p *Provider) V2() (provider.Definition, []Loss) {
	d := provider.Definition{Name: p.Name, GUID: p.ID()}
	var losses []Loss
	for e, s := range p.sets() {
		if lost := p.unfitForV2(e, s); lost != nil {
			losses = append(losses, lost...)
			continue
		}
		info, lost := p.template(e, s)
		losses = append(losses, lost...)
		d.CounterSets = append(d.CounterSets, provider.NewCounterSet(s.Name.String(), info))
	}
	return d, losses
}

// unfitForV2 returns the reasons why package provider cannot offer a set, or nil.
func (p *Provider) unfitForV2(set element, s *CounterSet) (losses []Loss) {
	lose := func(e element, key, text string) {
		losses = append(losses, e.loss(key, "the set "+quoted(s.Name.String())+" for package provider: "+text))
	}
	if p.Type == kernelMode {
		lose(set, "", "the provider is in kernel mode, and a Go program is in user mode")
		return losses
	}
	if len(s.Counters) == 0 {
		lose(set, "counters", "it has no counters")
	}
	for e, c := range s.counters(set.path) {
		if width, _ := c.Type.Width(); width != 4 && width != 8 || c.Type.IsText() {
			lose(e, "type", fmt.Sprintf("%s is a %v, whose value is not a number of 4 or 8 bytes", called(c.Name), c.Type))
		}
	}
	return losses
}

// template returns the V2 template of a set, and the values that the template cannot hold.
func (p *Provider) template(set element, s *CounterSet) (builder.CounterSetInfo, []Loss) {
	info := builder.CounterSetInfo{CounterSetGuid: p.SetID(s), ProviderGuid: p.ID(), InstanceType: s.Instances}
	var losses []Loss
	for e, c := range s.counters(set.path) {
		size, _ := c.Type.Width()
		level := c.Level()
		if level > layout.PERF_DETAIL_ADVANCED {
			loss := e.loss("detailLevel", fmt.Sprintf("the detail level of %s is %s: V2 has only standard and advanced, so the template has advanced", called(c.Name), wordFor(levelWords, level)))
			losses = append(losses, loss.inOtherForms()) // the struct of V1 has the level, and AppendManifest reports the same loss
			level = layout.PERF_DETAIL_ADVANCED
		}
		info.Define(builder.CounterInfo{CounterId: c.ID, Type: c.Type, Attrib: p.Attributes(c), Size: size, DetailLevel: level, Scale: c.Scale})
	}
	return info, losses
}
