meta:
  id: winperf
  title: Windows performance data, version 1 (winperf.h)
  tags:
    - windows
  license: MIT
  ks-version: "0.11"
  encoding: UTF-16LE
  endian: le
doc: |
  The data that `RegQueryValueEx` returns for `HKEY_PERFORMANCE_DATA`: a header
  with times and the computer's name, then objects. An object describes its
  counters once. Their values are in counter blocks: one for each instance, or
  a single one if the object has no instances.

  A provider's Collect function (`PM_COLLECT_PROC`) writes only the objects.
  For such bytes use the type `collect_output`: in the Web IDE replace
  `data_block` below, in generated code construct it instead of the top type.

  The structures are the same for 32-bit and 64-bit programs. Lengths and
  offsets larger than the C structures are followed.
doc-ref: https://learn.microsoft.com/en-us/windows/win32/perfctrs/performance-data-format
seq:
  - id: body
    type: data_block
types:
  data_block:
    -orig-id: PERF_DATA_BLOCK
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/winperf/ns-winperf-perf_data_block
    seq:
      - id: magic
        -orig-id: Signature
        contents: [P, 0, E, 0, R, 0, F, 0]
      - id: little_endian
        -orig-id: LittleEndian
        type: u4
        doc: |
          1: all numbers are little-endian. 0 means big-endian data, which is not
          described here.
      - id: version
        -orig-id: Version
        type: u4
      - id: revision
        -orig-id: Revision
        type: u4
      - id: len_block
        -orig-id: TotalByteLength
        type: u4
        doc: Header and all objects.
      - id: len_header
        -orig-id: HeaderLength
        type: u4
        doc: Offset of the first object. The computer's name is before it.
      - id: num_objects
        -orig-id: NumObjectTypes
        type: u4
      - id: default_object
        -orig-id: DefaultObject
        type: s4
        doc: Title index of an object. The block need not contain the object.
      - id: system_time
        -orig-id: SystemTime
        type: system_time
        doc: In UTC.
      - id: padding
        size: 4
      - id: perf_time
        -orig-id: PerfTime
        type: s8
        doc: Value of `QueryPerformanceCounter`.
      - id: perf_freq
        -orig-id: PerfFreq
        type: s8
        doc: Ticks of `perf_time` in a second.
      - id: perf_time_100ns
        -orig-id: PerfTime100nSec
        type: s8
        doc: Units of 100 ns since 1601-01-01, UTC.
      - id: len_system_name
        -orig-id: SystemNameLength
        type: u4
        doc: In bytes, with the terminator.
      - id: ofs_system_name
        -orig-id: SystemNameOffset
        type: u4
        doc: From the start of the block.
      - id: rest
        size: len_block - 88
        type: room
    instances:
      system_name:
        io: rest._io
        pos: ofs_system_name - 88
        size: len_system_name
        type: strz
        if: len_system_name != 0
      objects:
        io: rest._io
        pos: len_header - 88
        type: object_type
        repeat: expr
        repeat-expr: num_objects
  collect_output:
    doc: The objects that a provider's Collect function writes.
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/winperf/nc-winperf-pm_collect_proc
    seq:
      - id: objects
        type: object_type
        repeat: eos
  object_type:
    -orig-id: PERF_OBJECT_TYPE
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/winperf/ns-winperf-perf_object_type
    seq:
      - id: len_object
        -orig-id: TotalByteLength
        type: u4
        doc: Offset of the next object.
      - id: len_definition
        -orig-id: DefinitionLength
        type: u4
        doc: Offset of the first instance or of the only counter block.
      - id: len_header
        -orig-id: HeaderLength
        type: u4
        doc: Offset of the first counter definition.
      - id: name_title_index
        -orig-id: ObjectNameTitleIndex
        type: u4
        doc: Index of the name in the registry's title database.
      - id: name_title
        -orig-id: ObjectNameTitle
        type: u4
        doc: Reserved. Formerly a pointer for the consumer.
      - id: help_title_index
        -orig-id: ObjectHelpTitleIndex
        type: u4
      - id: help_title
        -orig-id: ObjectHelpTitle
        type: u4
      - id: detail_level
        -orig-id: DetailLevel
        type: u4
        enum: detail_level
      - id: num_counters
        -orig-id: NumCounters
        type: u4
        doc: Includes base counters.
      - id: default_counter
        -orig-id: DefaultCounter
        type: s4
        doc: The counter that a tool preselects, or -1.
      - id: num_instances
        -orig-id: NumInstances
        type: s4
        doc: A count, or a negative value of `no_instances_kind`.
      - id: code_page
        -orig-id: CodePage
        type: u4
        doc: Code page of the instance names. 0 means UTF-16.
      - id: perf_time
        -orig-id: PerfTime
        type: s8
      - id: perf_freq
        -orig-id: PerfFreq
        type: s8
      - id: rest
        size: len_object - 64
        type: room
    instances:
      no_instances_kind:
        -orig-id: NumInstances
        value: num_instances
        enum: no_instances_kind
        if: num_instances < 0
      counters:
        io: rest._io
        pos: len_header - 64
        type: counter_definition
        repeat: expr
        repeat-expr: num_counters
      instances:
        io: rest._io
        pos: len_definition - 64
        type: instance_definition(code_page, counters)
        repeat: expr
        repeat-expr: num_instances
        if: num_instances > 0
      block:
        io: rest._io
        pos: len_definition - 64
        type: counter_block(counters)
        if: no_instances_kind == no_instances_kind::perf_no_instances
        doc: The only counter block, if the object has no instances.
  counter_definition:
    -orig-id: PERF_COUNTER_DEFINITION
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/winperf/ns-winperf-perf_counter_definition
    seq:
      - id: len_definition
        -orig-id: ByteLength
        type: u4
      - id: name_title_index
        -orig-id: CounterNameTitleIndex
        type: u4
      - id: name_title
        -orig-id: CounterNameTitle
        type: u4
      - id: help_title_index
        -orig-id: CounterHelpTitleIndex
        type: u4
      - id: help_title
        -orig-id: CounterHelpTitle
        type: u4
      - id: default_scale
        -orig-id: DefaultScale
        type: s4
        doc: Graphs multiply the value by this power of ten.
      - id: detail_level
        -orig-id: DetailLevel
        type: u4
        enum: detail_level
      - id: counter_type
        -orig-id: CounterType
        type: u4
        enum: counter_type
      - id: len_value
        -orig-id: CounterSize
        type: u4
      - id: ofs_value
        -orig-id: CounterOffset
        type: u4
        doc: From the start of a counter block, which begins with its length.
      - id: rest
        size: len_definition - 40
  instance_definition:
    -orig-id: PERF_INSTANCE_DEFINITION
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/winperf/ns-winperf-perf_instance_definition
    params:
      - id: code_page
        type: u4
      - id: counters
        type: counter_definition[]
    seq:
      - id: len_definition
        -orig-id: ByteLength
        type: u4
        doc: Offset of the instance's counter block.
      - id: parent_object_title_index
        -orig-id: ParentObjectTitleIndex
        type: u4
        doc: 0 without a parent.
      - id: parent_object_instance
        -orig-id: ParentObjectInstance
        type: u4
        doc: Position among the instances of the parent's object.
      - id: unique_id
        -orig-id: UniqueID
        type: s4
        doc: Identifies an instance without a name, otherwise -1.
      - id: ofs_name
        -orig-id: NameOffset
        type: u4
        doc: From the start of the instance.
      - id: len_name
        -orig-id: NameLength
        type: u4
        doc: In bytes, with the terminator. 0 without a name.
      - id: rest
        size: len_definition - 24
        type: room
      - id: block
        type: counter_block(counters)
    instances:
      name:
        io: rest._io
        pos: ofs_name - 24
        size: len_name
        type: strz
        if: len_name != 0 and code_page == 0
      name_in_code_page:
        io: rest._io
        pos: ofs_name - 24
        size: len_name
        if: len_name != 0 and code_page != 0
        doc: Bytes in `code_page`. The last byte is the terminator.
  counter_block:
    -orig-id: PERF_COUNTER_BLOCK
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/winperf/ns-winperf-perf_counter_block
    params:
      - id: counters
        type: counter_definition[]
    seq:
      - id: len_block
        -orig-id: ByteLength
        type: u4
      - id: rest
        size: len_block - 4
        type: room
    instances:
      values:
        type: counter_value(counters[_index])
        repeat: expr
        repeat-expr: num_counters
        doc: In the order of the counter definitions.
      num_counters:
        value: counters.size
  counter_value:
    params:
      - id: definition
        type: counter_definition
    instances:
      number:
        io: _parent.rest._io
        pos: definition.ofs_value - 4
        type:
          switch-on: definition.len_value
          cases:
            4: u4
            8: u8
        if: definition.len_value == 4 or definition.len_value == 8
      bytes:
        io: _parent.rest._io
        pos: definition.ofs_value - 4
        size: definition.len_value
        if: definition.len_value != 4 and definition.len_value != 8
  system_time:
    -orig-id: SYSTEMTIME
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/minwinbase/ns-minwinbase-systemtime
    seq:
      - id: year
        -orig-id: wYear
        type: u2
      - id: month
        -orig-id: wMonth
        type: u2
      - id: day_of_week
        -orig-id: wDayOfWeek
        type: u2
        doc: Sunday is 0.
      - id: day
        -orig-id: wDay
        type: u2
      - id: hour
        -orig-id: wHour
        type: u2
      - id: minute
        -orig-id: wMinute
        type: u2
      - id: second
        -orig-id: wSecond
        type: u2
      - id: milliseconds
        -orig-id: wMilliseconds
        type: u2
  room:
    doc: Bytes whose contents are located by offsets.
enums:
  no_instances_kind:
    -1:
      id: perf_no_instances
      doc: One counter block and no instances.
    -2:
      id: perf_metadata_multiple_instances
      doc: Only definitions, of an object with instances.
    -3:
      id: perf_metadata_no_instances
      doc: Only definitions, of an object without instances.
  detail_level:
    100: perf_detail_novice
    200: perf_detail_advanced
    300: perf_detail_expert
    400: perf_detail_wizard
  counter_type:
    0x00000000: perf_counter_rawcount_hex
    0x00000100: perf_counter_large_rawcount_hex
    0x00000b00: perf_counter_text
    0x00010000: perf_counter_rawcount
    0x00010100: perf_counter_large_rawcount
    0x00400400: perf_counter_delta
    0x00400500: perf_counter_large_delta
    0x00410400: perf_sample_counter
    0x00450400: perf_counter_queuelen_type
    0x00450500: perf_counter_large_queuelen_type
    0x00550500: perf_counter_100ns_queuelen_type
    0x00650500: perf_counter_obj_time_queuelen_type
    0x10410400: perf_counter_counter
    0x10410500: perf_counter_bulk_count
    0x20020400: perf_raw_fraction
    0x20020500: perf_large_raw_fraction
    0x20410500: perf_counter_timer
    0x20470500: perf_precision_system_timer
    0x20510500: perf_100nsec_timer
    0x20570500: perf_precision_100ns_timer
    0x20610500: perf_obj_time_timer
    0x20670500: perf_precision_object_timer
    0x20c20400: perf_sample_fraction
    0x21410500: perf_counter_timer_inv
    0x21510500: perf_100nsec_timer_inv
    0x22410500: perf_counter_multi_timer
    0x22510500: perf_100nsec_multi_timer
    0x23410500: perf_counter_multi_timer_inv
    0x23510500: perf_100nsec_multi_timer_inv
    0x30020400: perf_average_timer
    0x30240500: perf_elapsed_time
    0x40000200: perf_counter_nodata
    0x40020500: perf_average_bulk
    0x40030401: perf_sample_base
    0x40030402: perf_average_base
    0x40030403: perf_raw_base
    0x40030500:
      id: perf_large_raw_base
      doc: Also called PERF_PRECISION_TIMESTAMP.
    0x42030500: perf_counter_multi_base
    0x80000000: perf_counter_histogram_type
