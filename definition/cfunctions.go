package definition

import (
	"fmt"
	"slices"

	"github.com/perfblock/perfblock/layout"
)

// cBegin, cReserve and cAdd are C functions that the generated functions of all sets call.
const (
	cBegin = `
// begin copies definitions to the buffer and adds First Counter and First Help to the title indexes.
static size_t begin(void *buffer, size_t size, const void *definitions, size_t length, DWORD first_counter, DWORD first_help,
                    LONGLONG perf_time, LONGLONG perf_freq)
{
    PERF_OBJECT_TYPE object;
    PERF_COUNTER_DEFINITION counter;
    unsigned char *to = buffer;
    size_t at;

    if (size < length) {
        return 0;
    }
    memcpy(to, definitions, length);
    memcpy(&object, to, sizeof object);
    object.ObjectNameTitleIndex += first_counter;
    object.ObjectHelpTitleIndex += first_help;
    object.PerfTime.QuadPart = perf_time;
    object.PerfFreq.QuadPart = perf_freq;
    memcpy(to, &object, sizeof object);
    for (at = sizeof object; at < length; at += sizeof counter) {
        memcpy(&counter, to + at, sizeof counter);
        if (counter.CounterNameTitleIndex != 0) { // 0 for a base
            counter.CounterNameTitleIndex += first_counter;
            counter.CounterHelpTitleIndex += first_help;
        }
        memcpy(to + at, &counter, sizeof counter);
    }
    return length;
}
`
	cReserve = `
// reserve appends length bytes to the object and returns a pointer to them, or NULL if the buffer is too small.
static unsigned char *reserve(void *buffer, size_t size, size_t length, LONG instances)
{
    PERF_OBJECT_TYPE object;
    size_t end;

    if (size < sizeof object) {
        return NULL;
    }
    memcpy(&object, buffer, sizeof object);
    end = object.TotalByteLength;
    if (size < end || size - end < length || (DWORD)(end + length) != end + length) {
        return NULL;
    }
    object.TotalByteLength = (DWORD)(end + length);
    object.NumInstances += instances;
    memcpy(buffer, &object, sizeof object);
    return (unsigned char *)buffer + end;
}
`
	cAdd = `
// add adds an instance and its counter block to the object.
static size_t add(void *buffer, size_t size, DWORD parent_title, DWORD parent, const WCHAR *name, const void *block, size_t length)
{
    PERF_INSTANCE_DEFINITION instance;
    size_t characters = 0;
    unsigned char *to;

    while (name[characters] != 0) {
        characters++;
        if (characters > 1023) {
            return 0;
        }
    }
    instance.NameOffset = sizeof instance;
    instance.NameLength = (DWORD)((characters + 1) * sizeof *name);
    instance.ByteLength = (instance.NameOffset + instance.NameLength + 7) / 8 * 8;
    instance.ParentObjectTitleIndex = parent_title;
    instance.ParentObjectInstance = parent;
    instance.UniqueID = -1;
    to = reserve(buffer, size, instance.ByteLength + length, 1);
    if (to == NULL) {
        return 0;
    }
    memset(to, 0, instance.ByteLength);
    memcpy(to, &instance, sizeof instance);
    memcpy(to + instance.NameOffset, name, instance.NameLength);
    memcpy(to + instance.ByteLength, block, length);
    return (size_t)(to - (unsigned char *)buffer) + instance.ByteLength + length;
}
`
)

// sharedFunctions writes the C functions that the sets with a V1 object share. Only sets with instances call cAdd.
func (w *cWriter) sharedFunctions(sets []cSet) {
	if slices.ContainsFunc(sets, func(s cSet) bool { return s.values != nil }) {
		w.printf("%s%s", cBegin, cReserve)
	}
	if slices.ContainsFunc(sets, func(s cSet) bool { return s.values != nil && s.set.hasInstances() }) {
		w.printf("%s", cAdd)
	}
}

// definitions writes the C constant with the V1 definitions of the object and its counters.
func (w *cWriter) definitions(s *cSet) {
	level := s.values[0].level
	for i := range s.values {
		if v := &s.values[i]; v.of == nil {
			level = min(level, v.level)
		}
	}
	instances := int32(0)
	if !s.set.hasInstances() {
		instances = layout.PERF_NO_INSTANCES
	}
	w.printf("\n// The next line does not compile if the compiler adds padding to the struct.\ntypedef char %s_size[sizeof(%[1]s) == %d ? 1 : -1];\n", s.block, s.length)
	w.printf(`
const %s %s = {
    .Object = {
        .TotalByteLength = sizeof(%[1]s),
        .DefinitionLength = sizeof(%[1]s),
        .HeaderLength = sizeof(PERF_OBJECT_TYPE),
        .ObjectNameTitleIndex = %[3]du,
        .ObjectHelpTitleIndex = %[3]du,
        .DetailLevel = %[4]du,
        .NumCounters = %[5]du,
        .NumInstances = %[6]d,
    },
    .Counters = {
`, s.definition, s.constant, s.title, uint32(level), len(s.values), instances)
	for _, m := range s.named {
		v := m.value
		w.printf("        { // %s, %v\n            .ByteLength = sizeof(PERF_COUNTER_DEFINITION),\n", quoted(v.name), v.typ)
		if v.of == nil {
			w.printf("            .CounterNameTitleIndex = %du,\n            .CounterHelpTitleIndex = %[1]du,\n", v.title)
		}
		w.printf(`            .DefaultScale = %d,
            .DetailLevel = %du,
            .CounterType = 0x%08xu,
            .CounterSize = %du,
            .CounterOffset = offsetof(%s, %s),
        },
`, v.scale, uint32(v.level), uint32(v.typ), v.size(), s.block, m.name)
	}
	w.printf("    },\n};\n")
}

// functions writes the functions of a set.
func (w *cWriter) functions(s *cSet) {
	times := "0, 0"
	if s.clock {
		times = "perf_time, perf_freq"
	}
	begin := "begin(buffer, size, &" + s.constant + ", sizeof " + s.constant + ", first_counter, first_help, " + times + ")"
	for _, f := range s.functions() {
		w.printf("\n%s\n{\n", f)
		switch {
		case f.name == s.begin:
			w.printf("    return %s;\n", begin)
		case s.set.hasInstances():
			w.block(s)
			w.printf("    return add(buffer, size, parent_title, parent, name, &block, sizeof block);\n")
		default:
			w.block(s)
			w.printf(`    if (%s == 0) {
        return 0;
    }
    to = reserve(buffer, size, sizeof block, 0);
    if (to == NULL) {
        return 0;
    }
    memcpy(to, &block, sizeof block);
    return sizeof %s + sizeof block;
`, begin, s.constant)
		}
		w.printf("}\n")
	}
}

// block writes C statements that copy the values to the counter block.
func (w *cWriter) block(s *cSet) {
	w.printf("    %s block = *values;\n", s.block)
	if !s.set.hasInstances() {
		w.printf("    unsigned char *to;\n")
	}
	w.printf("\n    block.Block.ByteLength = sizeof block;\n")
	for _, m := range s.members {
		switch {
		case m.value != nil:
		case m.words > 1:
			w.printf("    memset(block.%s, 0, sizeof block.%[1]s);\n", m.name)
		default:
			w.printf("    block.%s = 0;\n", m.name)
		}
	}
}

func (w *cWriter) template(p *Provider, s *cSet) []Loss {
	if len(s.set.Counters) == 0 {
		return []Loss{s.loss("counters", "the set "+quoted(s.set.Name.String())+": a template has at least one counter")}
	}
	info, losses := p.template(s.element, s.set)
	w.printf(`
const %s %s = {
    .Set = {
        .CounterSetGuid = %s,
        .ProviderGuid = %s,
        .NumCounters = %du,
        .InstanceType = %du,
    },
    .Counters = {
`, s.templateType, s.templateName, cGUID(info.CounterSetGuid), cGUID(info.ProviderGuid), len(info.Counters), uint32(info.InstanceType))
	for i, c := range info.Counters {
		w.printf(`        { // %s, %v
            .CounterId = %du,
            .Type = 0x%08xu,
            .Attrib = 0x%xu,
            .Size = %du,
            .DetailLevel = %du,
            .Scale = %d,
        },
`, quoted(s.set.Counters[i].label()), c.Type, c.CounterId, uint32(c.Type), uint64(c.Attrib), c.Size, uint32(c.DetailLevel), c.Scale)
	}
	w.printf("    },\n};\n")
	return losses
}

// cGUID returns a GUID as an initializer.
func cGUID(id layout.GUID) string {
	return fmt.Sprintf("{0x%08xu, 0x%04x, 0x%04x, {%s}}", id.Data1, id.Data2, id.Data3, hexBytes(id.Data4[:]))
}
