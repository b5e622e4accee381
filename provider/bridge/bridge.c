//go:build ignore

// The bridge: a V1 provider of performance counters that answers from shared memory.
//
// A program, the publisher, writes finished objects to shared memory (package provider, function Publish). Windows loads
// this DLL into each process that reads counters, and calls Collect. Collect copies the objects, checks the copy,
// replaces the bases of the titles, and returns the objects that the query requests.
//
// layout.h describes the memory: the root names the current generation, and a generation has two buffers. Each buffer
// has a sequence number, which is odd while the publisher writes the buffer. A copy is complete if the number is even,
// and is the same before and after the copy.
//
// The bridge keeps nothing between two calls except the name of the service: no memory, no handle, no lock. So a call
// waits for no other call and not for the publisher, Close has nothing to free, and calls of several threads cannot
// disturb each other.
//
// The process of the consumer can have more rights than the publisher. So each value in the memory is hostile: the
// bridge copies a value once, and checks the copy before it uses it. A consumer gets objects only if a reader that
// follows their lengths, offsets, bases and parents stays inside them.
#include "bridge.h"
#include "layout.h"

#include <stdatomic.h>
#include <stddef.h> // NULL

// ATTEMPTS limits how often the bridge copies a buffer that the publisher changes at the same time.
#define ATTEMPTS 16

// reports has the texts for the event log. A state without a text is normal: no publisher runs, or it has written nothing.
static const char *const reports[STATES] = {
	[UNREGISTERED] = "The registry has no First Counter, Last Counter, First Help and Last Help for the service. Run lodctr with the .ini file of the provider.",
	[NO_RIGHTS] = "The account of the program that reads counters has no right to read the registry key Performance of the service, or the shared memory of the publisher. Add the account to the group Performance Monitor Users.",
	[OTHER_VERSION] = "The publisher and the bridge have different versions of the shared memory. Install the bridge of the perfblock release that the publisher was built with, and restart the publisher.",
	[INVALID_MEMORY] = "The shared memory is damaged. Restart the publisher. If this does not help, another program writes to the memory.",
	[INVALID_OBJECTS] = "The objects in the shared memory are damaged. Restart the publisher. If this does not help, another program writes to the memory.",
	[UNKNOWN_TITLE] = "The publisher has a title that is not registered. Run unlodctr, and then lodctr with the .ini file of the same definition.",
};

// A copy has the objects of a buffer in memory of the bridge.
struct copy {
	uint8_t *bytes; // NULL if length is 0
	uint32_t length, costly;
	uint32_t count, at[MOST_OBJECTS]; // the offsets of the checked objects
};

// load returns a field of shared memory. Later loads are not moved before it.
static uint32_t load(const struct mapping *m, uint32_t at)
{
	return atomic_load_explicit((const _Atomic uint32_t *)(m->bytes + at), memory_order_acquire);
}

// get returns a field of the copy. Fields can have any alignment.
static uint32_t get(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void put(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)value;
	p[1] = (uint8_t)(value >> 8);
	p[2] = (uint8_t)(value >> 16);
	p[3] = (uint8_t)(value >> 24);
}

// COUNTER_FORM has the bits of a counter type that say whether it is or needs a base.
#define COUNTER_FORM 0x800F0C00u

// GET and PUT access a field of a record.
#define GET(p, record, field) get((p) + record##_##field)
#define PUT(p, record, field, value) put((p) + record##_##field, value)

// copy_words copies shared memory, or memory that starts at a higher address. Each word is loaded once.
static void copy_words(uint8_t *to, const uint8_t *from, uint32_t length)
{
	for (uint32_t i = 0; i < length; i += 4)
		put(to + i, atomic_load_explicit((const _Atomic uint32_t *)(from + i), memory_order_relaxed));
}

// newest returns the header of the buffer with the newest complete objects, or 0 if there is none.
static uint32_t newest(const struct mapping *m, uint32_t *sequence)
{
	uint32_t best = 0;

	for (uint32_t i = 0; i < BUFFER_COUNT; i++) {
		uint32_t header = GENERATION_BUFFERS_AT + i * BUFFER_HEADER_SIZE;
		uint32_t n = load(m, header + BUFFER_SEQUENCE_AT);
		if (n == 0 || n % 2 != 0)
			continue;
		if (best == 0 || (int32_t)(n - *sequence) > 0) { // the numbers can wrap
			best = header;
			*sequence = n;
		}
	}
	return best;
}

// copy_buffer copies the newest objects of a generation.
static enum state copy_buffer(const struct mapping *m, uint32_t size, struct copy *c)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		uint32_t sequence = 0, header = newest(m, &sequence);
		if (header == 0)
			return SILENT;
		uint32_t length = load(m, header + BUFFER_LENGTH_AT), costly = load(m, header + BUFFER_COSTLY_AT);
		bool fits = length <= size && length <= MOST_OBJECT_BYTES && length % 8 == 0 && costly <= length && costly % 8 == 0;
		if (fits && length > 0) {
			uint32_t buffer = (header - GENERATION_BUFFERS_AT) / BUFFER_HEADER_SIZE;
			c->bytes = system_allocate(length);
			if (!c->bytes)
				return SILENT;
			copy_words(c->bytes, m->bytes + GENERATION_DATA_AT + buffer * size, length);
			atomic_thread_fence(memory_order_acquire);
		}
		if (load(m, header + BUFFER_SEQUENCE_AT) == sequence) {
			c->length = length;
			c->costly = costly;
			return fits ? READY : INVALID_MEMORY;
		}
		system_free(c->bytes);
		c->bytes = NULL;
	}
	return CHANGING;
}

// copy_generation copies the objects of a generation.
static enum state copy_generation(const struct mapping *m, uint32_t generation, struct copy *c)
{
	if (m->size < GENERATION_DATA_AT || load(m, GENERATION_MAGIC_AT) != GENERATION_MAGIC)
		return INVALID_MEMORY;
	if (load(m, GENERATION_VERSION_AT) != MAPPING_VERSION)
		return OTHER_VERSION;
	uint32_t size = load(m, GENERATION_SIZE_AT);
	if (load(m, GENERATION_NUMBER_AT) != generation || size % 8 != 0 || size > (m->size - GENERATION_DATA_AT) / BUFFER_COUNT)
		return INVALID_MEMORY;
	return copy_buffer(m, size, c);
}

// read_root returns the number of the current generation.
static enum state read_root(const struct mapping *m, uint32_t *generation)
{
	if (m->size < ROOT_SIZE)
		return INVALID_MEMORY;
	uint32_t magic = load(m, ROOT_MAGIC_AT); // 0 if the publisher is making the root
	if (magic != ROOT_MAGIC)
		return magic == 0 ? SILENT : INVALID_MEMORY;
	if (load(m, ROOT_VERSION_AT) != MAPPING_VERSION)
		return OTHER_VERSION;
	*generation = load(m, ROOT_NUMBER_AT);
	uint32_t alive = load(m, ROOT_ALIVE_AT); // loaded before the current time, so that it is not greater
	if (*generation == 0 || system_seconds() - alive > DEAD_AFTER)
		return SILENT;
	return READY;
}

// copy_objects copies the objects that are published now.
static enum state copy_objects(struct copy *c)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		struct mapping m;
		uint32_t generation = 0;
		enum state s = system_map(0, &m);
		if (s != READY)
			return s;
		s = read_root(&m, &generation);
		system_unmap(&m);
		if (s != READY)
			return s;
		s = system_map(generation, &m);
		if (s == SILENT)
			continue; // the publisher has made another generation
		if (s != READY)
			return s;
		s = copy_generation(&m, generation, c);
		system_unmap(&m);
		return s;
	}
	return CHANGING;
}

// replace replaces the base of the title at p, which is TITLE_BASE or HELP_BASE. Title 0 means that there is no title, and
// stays 0. replace returns false if the title does not belong to the service.
static bool replace(uint8_t *p, uint32_t base, const struct registration *r)
{
	uint32_t title = get(p), first = base == TITLE_BASE ? r->first_counter : r->first_help, last = base == TITLE_BASE ? r->last_counter : r->last_help;

	if (title == 0)
		return true;
	if (title < base || last < first || title - base > last - first)
		return false;
	put(p, title - base + first);
	return true;
}

// next_is_base reports whether the definition after the one at an offset is a base.
static bool next_is_base(const uint8_t *object, uint32_t at)
{
	at += SIZEOF_PERF_COUNTER_DEFINITION;
	return at < GET(object, PERF_OBJECT_TYPE, DefinitionLength) &&
	       (GET(object + at, PERF_COUNTER_DEFINITION, CounterType) & COUNTER_FORM) == (PERF_TYPE_COUNTER | PERF_COUNTER_BASE);
}

// check_counter checks the counter definition at an offset and replaces its titles. *need is the size that a counter block
// must have. check_counter raises *need to the end of the value.
static enum state check_counter(uint8_t *object, uint32_t at, const struct registration *r, uint32_t *need)
{
	const uint8_t *frequency = object + PERF_OBJECT_TYPE_PerfFreq;
	uint8_t *p = object + at;
	uint32_t type = GET(p, PERF_COUNTER_DEFINITION, CounterType), offset = GET(p, PERF_COUNTER_DEFINITION, CounterOffset);
	uint32_t size = GET(p, PERF_COUNTER_DEFINITION, CounterSize), form = type & COUNTER_FORM;
	uint32_t read = type & PERF_SIZE_ZERO ? 0 : type & PERF_SIZE_LARGE ? 8 : 4; // some readers use this size
	int32_t scale = (int32_t)GET(p, PERF_COUNTER_DEFINITION, DefaultScale);
	bool several = (type & PERF_MULTI_COUNTER) && type != PERF_COUNTER_MULTI_BASE;

	if ((type & PERF_SIZE_VARIABLE_LEN) == PERF_SIZE_VARIABLE_LEN) // a text, which Windows does not support
		return INVALID_OBJECTS;
	if (size != 4 && size != 8 && (size != 0 || read != 0)) // a reader copies the bytes to a variable
		return INVALID_OBJECTS;
	if (several)
		read = 12; // the value and the number of components
	if (GET(p, PERF_COUNTER_DEFINITION, ByteLength) != SIZEOF_PERF_COUNTER_DEFINITION || offset < SIZEOF_PERF_COUNTER_BLOCK || offset > MOST_OBJECT_BYTES || scale < -MAX_SCALE || scale > MAX_SCALE)
		return INVALID_OBJECTS;
	if (GET(p, PERF_COUNTER_DEFINITION, CounterNameTitle) != 0 || GET(p, PERF_COUNTER_DEFINITION, CounterHelpTitle) != 0)
		return INVALID_OBJECTS;
	if (!several && (form == (PERF_TYPE_COUNTER | PERF_COUNTER_FRACTION) || form == (PERF_TYPE_COUNTER | PERF_COUNTER_PRECISION)) && !next_is_base(object, at))
		return INVALID_OBJECTS;
	if (type == PERF_ELAPSED_TIME && ((get(frequency) | get(frequency + 4)) == 0 || get(frequency + 4) > INT32_MAX)) // a reader divides by it
		return INVALID_OBJECTS;
	if (*need < offset + (size < read ? read : size))
		*need = offset + (size < read ? read : size);
	if (!replace(p + PERF_COUNTER_DEFINITION_CounterNameTitleIndex, TITLE_BASE, r) || !replace(p + PERF_COUNTER_DEFINITION_CounterHelpTitleIndex, HELP_BASE, r))
		return UNKNOWN_TITLE;
	return READY;
}

// check_block checks the counter block at *at, and moves *at to its end.
static enum state check_block(const uint8_t *object, uint32_t *at, uint32_t end, uint32_t need)
{
	if (end - *at < SIZEOF_PERF_COUNTER_BLOCK)
		return INVALID_OBJECTS;
	uint32_t length = GET(object + *at, PERF_COUNTER_BLOCK, ByteLength);
	if (length < need || length > end - *at || length % 8 != 0)
		return INVALID_OBJECTS;
	*at += length;
	return READY;
}

// check_instance checks the instance definition at *at, replaces the title of its parent, and moves *at to its end.
static enum state check_instance(uint8_t *object, uint32_t *at, uint32_t end, const struct registration *r)
{
	uint8_t *p = object + *at;

	if (end - *at < SIZEOF_PERF_INSTANCE_DEFINITION)
		return INVALID_OBJECTS;
	uint32_t length = GET(p, PERF_INSTANCE_DEFINITION, ByteLength);
	uint32_t offset = GET(p, PERF_INSTANCE_DEFINITION, NameOffset), size = GET(p, PERF_INSTANCE_DEFINITION, NameLength);
	if (length < SIZEOF_PERF_INSTANCE_DEFINITION || length > end - *at || length % 8 != 0 || offset > length || size > length - offset)
		return INVALID_OBJECTS;
	if (size > 0 && (offset < SIZEOF_PERF_INSTANCE_DEFINITION || size % 2 != 0 || p[offset + size - 2] != 0 || p[offset + size - 1] != 0))
		return INVALID_OBJECTS; // the name must end with NUL
	if (!replace(p + PERF_INSTANCE_DEFINITION_ParentObjectTitleIndex, TITLE_BASE, r))
		return UNKNOWN_TITLE;
	*at += length;
	return READY;
}

// check_header checks the header of the object at p in the room bytes up to the end of the buffer.
static enum state check_header(uint8_t *p, uint32_t room, const struct registration *r)
{
	if (room < SIZEOF_PERF_OBJECT_TYPE)
		return INVALID_OBJECTS;
	uint32_t total = GET(p, PERF_OBJECT_TYPE, TotalByteLength), definitions = GET(p, PERF_OBJECT_TYPE, DefinitionLength);
	int64_t count = GET(p, PERF_OBJECT_TYPE, NumCounters);
	if (total > room || total % 8 != 0 || definitions > total || GET(p, PERF_OBJECT_TYPE, HeaderLength) != SIZEOF_PERF_OBJECT_TYPE)
		return INVALID_OBJECTS;
	if (definitions != SIZEOF_PERF_OBJECT_TYPE + count * SIZEOF_PERF_COUNTER_DEFINITION || (int32_t)GET(p, PERF_OBJECT_TYPE, NumInstances) < PERF_NO_INSTANCES)
		return INVALID_OBJECTS;
	if (GET(p, PERF_OBJECT_TYPE, ObjectNameTitle) != 0 || GET(p, PERF_OBJECT_TYPE, ObjectHelpTitle) != 0 || GET(p, PERF_OBJECT_TYPE, CodePage) != 0)
		return INVALID_OBJECTS;
	int32_t preset = (int32_t)GET(p, PERF_OBJECT_TYPE, DefaultCounter); // a title, a position or -1
	if (preset < -1 || (preset > 0 && preset >= count && preset < (int32_t)TITLE_BASE))
		return INVALID_OBJECTS;
	if (GET(p, PERF_OBJECT_TYPE, ObjectNameTitleIndex) == 0 || !replace(p + PERF_OBJECT_TYPE_ObjectNameTitleIndex, TITLE_BASE, r) || !replace(p + PERF_OBJECT_TYPE_ObjectHelpTitleIndex, HELP_BASE, r))
		return UNKNOWN_TITLE;
	if (preset >= (int32_t)TITLE_BASE && !replace(p + PERF_OBJECT_TYPE_DefaultCounter, TITLE_BASE, r))
		return UNKNOWN_TITLE;
	return READY;
}

// check_object checks an object, and replaces its titles.
static enum state check_object(uint8_t *p, uint32_t room, const struct registration *r)
{
	uint32_t need = SIZEOF_PERF_COUNTER_BLOCK;
	enum state s = check_header(p, room, r);

	if (s != READY)
		return s;
	uint32_t at = SIZEOF_PERF_OBJECT_TYPE, end = GET(p, PERF_OBJECT_TYPE, TotalByteLength);
	for (; s == READY && at < GET(p, PERF_OBJECT_TYPE, DefinitionLength); at += SIZEOF_PERF_COUNTER_DEFINITION)
		s = check_counter(p, at, r, &need);
	int32_t instances = (int32_t)GET(p, PERF_OBJECT_TYPE, NumInstances);
	if (s == READY && instances == PERF_NO_INSTANCES)
		s = check_block(p, &at, end, need);
	for (; s == READY && instances > 0; instances--) {
		s = check_instance(p, &at, end, r);
		if (s == READY)
			s = check_block(p, &at, end, need);
	}
	return s == READY && at != end ? INVALID_OBJECTS : s;
}

// A choice for an object: not in the answer, in the answer, or in the answer with its parents.
enum { OMIT, WANT, WANT_PARENTS };

// choose_parents chooses the objects that have the parents of the instances of object n. It returns false if an instance
// has a parent that does not exist. *changes counts the instances whose parent has another title than the parent of the
// instance before. The count has a limit, because choose_parents searches all objects for each such title.
static bool choose_parents(const struct copy *c, uint32_t n, uint8_t *choices, uint32_t *changes)
{
	const uint8_t *p = c->bytes + c->at[n];
	uint32_t at = GET(p, PERF_OBJECT_TYPE, DefinitionLength), last = 0;
	int64_t instances = 0;

	for (int32_t i = (int32_t)GET(p, PERF_OBJECT_TYPE, NumInstances); i > 0; i--) {
		uint32_t title = GET(p + at, PERF_INSTANCE_DEFINITION, ParentObjectTitleIndex);
		if (title != 0 && title != last) {
			if (++*changes > MOST_PARENTS)
				return false;
			last = title;
			instances = INT64_MAX; // the parent can be an object of another provider
			for (uint32_t o = c->count; o > 0; o--) { // down, so that the first object with the title counts
				const uint8_t *parent = c->bytes + c->at[o - 1];
				if (GET(parent, PERF_OBJECT_TYPE, ObjectNameTitleIndex) != title)
					continue;
				if (choices[o - 1] == OMIT)
					choices[o - 1] = WANT;
				instances = (int32_t)GET(parent, PERF_OBJECT_TYPE, NumInstances);
			}
		}
		if (title != 0 && GET(p + at, PERF_INSTANCE_DEFINITION, ParentObjectInstance) >= instances)
			return false;
		at += GET(p + at, PERF_INSTANCE_DEFINITION, ByteLength);
		at += GET(p + at, PERF_COUNTER_BLOCK, ByteLength);
	}
	return true;
}

// check_objects checks all objects and replaces their titles. It also checks the offset costly: an object must start
// there, or costly must be the length of all objects.
static enum state check_objects(struct copy *c, const struct registration *r)
{
	uint8_t choices[MOST_OBJECTS] = {OMIT};
	uint32_t changes = 0;
	bool split = c->costly == c->length;

	for (uint32_t at = 0; at < c->length; at += GET(c->bytes + at, PERF_OBJECT_TYPE, TotalByteLength)) {
		if (c->count == MOST_OBJECTS)
			return INVALID_OBJECTS;
		split = split || at == c->costly;
		enum state s = check_object(c->bytes + at, c->length - at, r);
		if (s != READY)
			return s;
		c->at[c->count++] = at;
	}
	for (uint32_t n = 0; n < c->count; n++)
		if (!choose_parents(c, n, choices, &changes))
			return INVALID_OBJECTS;
	return split ? READY : INVALID_MEMORY;
}

// published copies and checks the objects. The caller frees the copy, also after a fault.
static enum state published(struct copy *c, struct registration *r)
{
	c->bytes = NULL;
	c->length = c->count = 0;
	enum state s = system_registration(r);
	if (s == READY)
		s = copy_objects(c);
	return s == READY ? check_objects(c, r) : s;
}

uint32_t bridge_open(void)
{
	struct copy c;
	struct registration r;
	enum state s = published(&c, &r);

	system_free(c.bytes);
	if (reports[s])
		system_report(reports[s]);
	return STATUS_SUCCESS; // after another status Windows does not call Collect, even if the fault is corrected
}

// A query is the request of a consumer.
struct query {
	enum { NOTHING, GLOBAL, COSTLY, LIST } sort;
	bool metadata;         // definitions without instances
	const uint16_t *titles; // of LIST
};

// word_is reports whether the word at q is the given word, in any case.
static bool word_is(const uint16_t *q, const char *word)
{
	for (; *word; word++, q++) {
		uint16_t c = *q >= 'A' && *q <= 'Z' ? (uint16_t)(*q - 'A' + 'a') : *q;
		if (c != (uint16_t)*word)
			return false;
	}
	return *q == 0 || *q == ' ';
}

// parse returns the request. An empty query is Global, and a query that starts with a digit is a list.
static struct query parse(const uint16_t *q)
{
	static const struct {
		const char *word;
		struct query query;
	} words[] = {
		{"", {GLOBAL, false, NULL}}, {"global", {GLOBAL, false, NULL}}, {"costly", {COSTLY, false, NULL}},
		{"metadataglobal", {GLOBAL, true, NULL}}, {"metadatacostly", {COSTLY, true, NULL}},
	};

	while (*q == ' ')
		q++;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (word_is(q, words[i].word))
			return words[i].query;
	return (struct query){*q >= '0' && *q <= '9' ? LIST : NOTHING, false, q}; // Foreign and others ask for nothing
}

// is_listed reports whether a title is one of the numbers at q. Words that are not numbers are ignored.
static bool is_listed(uint32_t title, const uint16_t *q)
{
	do {
		uint64_t n = 0;
		bool number = *q != ' ' && *q != 0;
		for (; *q != ' ' && *q != 0; q++) {
			number = number && *q >= '0' && *q <= '9';
			if (n <= UINT32_MAX)
				n = n * 10 + (uint64_t)(*q - '0');
		}
		if (number && n == title)
			return true;
	} while (*q++ != 0);
	return false;
}

// choose chooses the objects that the query requests. For a query of titles, it also chooses the parents, because a
// consumer needs them for the names of instances.
static void choose(const struct copy *c, const struct query *q, uint8_t *choices)
{
	uint32_t changes = 0;

	for (uint32_t n = 0; n < c->count; n++) {
		bool costly = c->at[n] >= c->costly, wanted = costly == (q->sort == COSTLY);
		if (q->sort == LIST)
			wanted = is_listed(GET(c->bytes + c->at[n], PERF_OBJECT_TYPE, ObjectNameTitleIndex), q->titles);
		choices[n] = wanted ? WANT : OMIT;
	}
	for (bool more = q->sort == LIST; more;) {
		more = false;
		for (uint32_t n = 0; n < c->count; n++) {
			if (choices[n] != WANT)
				continue;
			choices[n] = WANT_PARENTS;
			choose_parents(c, n, choices, &changes);
			more = true;
		}
	}
}

// reduce makes the object at p an answer to a metadata query: it removes the instances and returns the new length.
static uint32_t reduce(uint8_t *p)
{
	bool single = (int32_t)GET(p, PERF_OBJECT_TYPE, NumInstances) == PERF_NO_INSTANCES;

	PUT(p, PERF_OBJECT_TYPE, NumInstances, (uint32_t)(single ? PERF_METADATA_NO_INSTANCES : PERF_METADATA_MULTIPLE_INSTANCES));
	PUT(p, PERF_OBJECT_TYPE, TotalByteLength, GET(p, PERF_OBJECT_TYPE, DefinitionLength));
	return GET(p, PERF_OBJECT_TYPE, TotalByteLength);
}

// answer moves the requested objects to the start of the copy, and returns their number. It sets the length of the
// copy to their length.
static uint32_t answer(struct copy *c, const struct query *q)
{
	uint8_t choices[MOST_OBJECTS];
	uint32_t count = 0, end = 0;

	choose(c, q, choices);
	for (uint32_t n = 0; n < c->count; n++) {
		if (choices[n] == OMIT)
			continue;
		uint8_t *p = c->bytes + c->at[n];
		uint32_t length = q->metadata ? reduce(p) : GET(p, PERF_OBJECT_TYPE, TotalByteLength);
		copy_words(c->bytes + end, p, length);
		end += length;
		count++;
	}
	c->length = end;
	return count;
}

uint32_t bridge_collect(const uint16_t *query, void **data, uint32_t *bytes, uint32_t *objects)
{
	struct copy c;
	struct registration r;
	uint32_t status = STATUS_SUCCESS, room;

	if (!data || !bytes || !objects)
		return STATUS_SUCCESS;
	room = *bytes;
	*bytes = *objects = 0;
	if (!query)
		return STATUS_SUCCESS;
	struct query q = parse(query);
	if (q.sort == NOTHING)
		return STATUS_SUCCESS;
	if (published(&c, &r) == READY && (!q.metadata || r.metadata)) {
		uint32_t count = answer(&c, &q);
		if (count > 0 && (c.length > room || !*data)) {
			status = STATUS_MORE_DATA;
		} else if (count > 0) {
			copy_words(*data, c.bytes, c.length);
			*data = (uint8_t *)*data + c.length;
			*bytes = c.length;
			*objects = count;
		}
	}
	system_free(c.bytes);
	return status;
}
