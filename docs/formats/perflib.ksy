meta:
  id: perflib
  title: Windows performance data, version 2 (perflib.h)
  tags:
    - windows
  license: MIT
  ks-version: "0.11"
  imports:
    - winperf
  encoding: UTF-16LE
  endian: le
doc: |
  The buffers of the PERFLIB functions, consumer's and provider's. Nothing in a
  buffer says which kind it is: that follows from the call it comes from. Each
  kind has a type:

  * `query_data`: PerfQueryCounterData
  * `identifiers`: PerfAddCounters, PerfDeleteCounters, PerfQueryCounterInfo
  * `instances`: PerfEnumerateCounterSetInstances
  * `guids`: PerfEnumerateCounterSet
  * `counter_set_reg_info`, `counter_reg_info`, `text`, `strings` and `guid`:
    PerfQueryCounterSetRegistrationInfo, by its request code
  * `counter_set_info`: PerfSetCounterSetInfo, and what ctrpp generates
  * `counter_set_instance`: PerfCreateInstance

  The top type is for `query_data`. For another kind write its name below in the
  Web IDE; in generated code construct it instead of the top type.

  Structures start at multiples of 8. Padding may hold any bytes.
doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/
seq:
  - id: body
    type: query_data
types:
  query_data:
    -orig-id: PERF_DATA_HEADER
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/ns-perflib-perf_data_header
    seq:
      - id: len_data
        -orig-id: dwTotalSize
        type: u4
        doc: Header and all counters.
      - id: num_counters
        -orig-id: dwNumCounters
        type: u4
      - id: perf_time_stamp
        -orig-id: PerfTimeStamp
        type: s8
        doc: Value of `QueryPerformanceCounter`.
      - id: perf_time_100ns
        -orig-id: PerfTime100NSec
        type: s8
        doc: Units of 100 ns since 1601-01-01, UTC.
      - id: perf_freq
        -orig-id: PerfFreq
        type: s8
        doc: Ticks of `perf_time_stamp` in a second.
      - id: system_time
        -orig-id: SystemTime
        type: winperf::system_time
        doc: In UTC.
      - id: rest
        size: len_data - 48
        type: room
    instances:
      counters:
        io: rest._io
        pos: 0
        type: counter
        repeat: expr
        repeat-expr: num_counters
        doc: |
          One for each identifier that was added, in the order of the `index`
          that PerfQueryCounterInfo reports for it.
  counter:
    -orig-id: PERF_COUNTER_HEADER
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/ns-perflib-perf_counter_header
    seq:
      - id: status
        -orig-id: dwStatus
        type: u4
        enum: status
      - id: data_type
        -orig-id: dwType
        type: u4
        enum: counter_data_type
        doc: Follows from what was asked for, not from the counter set.
      - id: len_counter
        -orig-id: dwSize
        type: u4
      - id: reserved
        -orig-id: Reserved
        type: u4
      - id: data
        size: len_counter - 16
        type:
          switch-on: data_type
          cases:
            'counter_data_type::perf_error_return': room
            'counter_data_type::perf_single_counter': single_counter
            'counter_data_type::perf_multiple_counters': multiple_counters
            'counter_data_type::perf_multiple_instances': multiple_instances
            'counter_data_type::perf_counterset': counter_set
  single_counter:
    doc: One counter of one instance.
    seq:
      - id: value
        type: counter_data
  multiple_counters:
    doc: All counters of one instance.
    seq:
      - id: counters
        type: multi_counters
      - id: values
        type: counter_data
        repeat: expr
        repeat-expr: counters.num_ids
        doc: In the order of the ids.
  multiple_instances:
    doc: One counter of several instances.
    seq:
      - id: instances
        type: multi_instances(1)
  counter_set:
    doc: All counters of several instances.
    seq:
      - id: counters
        type: multi_counters
      - id: instances
        type: multi_instances(counters.num_ids)
  multi_counters:
    -orig-id: PERF_MULTI_COUNTERS
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/ns-perflib-perf_multi_counters
    seq:
      - id: len_counters
        -orig-id: dwSize
        type: u4
        doc: For an odd number of ids with or without the 4 bytes of padding.
      - id: num_ids
        -orig-id: dwCounters
        type: u4
      - id: ids
        type: u4
        repeat: expr
        repeat-expr: num_ids
      - id: padding
        size: num_ids % 2 * 4
  multi_instances:
    -orig-id: PERF_MULTI_INSTANCES
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/ns-perflib-perf_multi_instances
    params:
      - id: num_values
        type: u4
        doc: Of each instance.
    seq:
      - id: len_instances
        -orig-id: dwTotalSize
        type: u4
      - id: num_instances
        -orig-id: dwInstances
        type: u4
      - id: rest
        size: len_instances - 8
        type: room
    instances:
      instances:
        io: rest._io
        pos: 0
        type: instance_values(num_values)
        repeat: expr
        repeat-expr: num_instances
  instance_values:
    params:
      - id: num_values
        type: u4
    seq:
      - id: instance
        type: instance
      - id: values
        type: counter_data
        repeat: expr
        repeat-expr: num_values
        doc: In the order of the ids.
  instance:
    -orig-id: PERF_INSTANCE_HEADER
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/ns-perflib-perf_instance_header
    seq:
      - id: len_instance
        -orig-id: Size
        type: u4
        doc: Header and name, without the values that follow.
      - id: instance_id
        -orig-id: InstanceId
        type: u4
      - id: name
        size: len_instance - 8
        type: strz
  counter_data:
    -orig-id: PERF_COUNTER_DATA
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/ns-perflib-perf_counter_data
    seq:
      - id: len_value
        -orig-id: dwDataSize
        type: u4
      - id: len_data
        -orig-id: dwSize
        type: u4
        doc: This structure, the value and its padding.
      - id: rest
        size: len_data - 8
        type: room
    instances:
      number:
        io: rest._io
        pos: 0
        type:
          switch-on: len_value
          cases:
            4: u4
            8: u8
        if: len_value == 4 or len_value == 8
      bytes:
        io: rest._io
        pos: 0
        size: len_value
        if: len_value != 4 and len_value != 8
  identifiers:
    seq:
      - id: identifiers
        type: identifier
        repeat: eos
  identifier:
    -orig-id: PERF_COUNTER_IDENTIFIER
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/ns-perflib-perf_counter_identifier
    seq:
      - id: counter_set_guid
        -orig-id: CounterSetGuid
        type: guid
      - id: status
        -orig-id: Status
        type: u4
        enum: status
      - id: len_identifier
        -orig-id: Size
        type: u4
      - id: counter_id
        -orig-id: CounterId
        type: u4
        doc: 0xffffffff stands for all counters.
      - id: instance_id
        -orig-id: InstanceId
        type: u4
        doc: 0xffffffff stands for any.
      - id: index
        -orig-id: Index
        type: u4
      - id: reserved
        -orig-id: Reserved
        type: u4
      - id: name
        size: len_identifier - 40
        type: strz
        if: len_identifier > 40
        doc: Of the instance. `*` stands for any run of characters, `?` for one.
  instances:
    seq:
      - id: instances
        type: instance
        repeat: eos
  guids:
    seq:
      - id: guids
        type: guid
        repeat: eos
  text:
    seq:
      - id: text
        size-eos: true
        type: strz
  strings:
    -orig-id: PERF_STRING_BUFFER_HEADER
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/ns-perflib-perf_string_buffer_header
    seq:
      - id: len_strings
        -orig-id: dwSize
        type: u4
        doc: Header, entries and strings.
      - id: num_entries
        -orig-id: dwCounters
        type: u4
      - id: rest
        size: len_strings - 8
        type: room
    instances:
      entries:
        io: rest._io
        pos: 0
        type: string_entry
        repeat: expr
        repeat-expr: num_entries
      entries_up_to_low:
        io: rest._io
        pos: 0
        type: string_entry
        repeat: until
        repeat-until: _.is_low or rest._io.pos == 8 * num_entries
        if: num_entries > 0
      is_from_entries:
        value: num_entries > 0 and entries_up_to_low.last.is_low
        doc: |
          Whether offsets count from the end of the entries, as [MS-PCQ] has it,
          and not from the start of the buffer, as perflib.h has it.
  string_entry:
    -orig-id: PERF_STRING_COUNTER_HEADER
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/ns-perflib-perf_string_counter_header
    seq:
      - id: counter_id
        -orig-id: dwCounterId
        type: u4
      - id: ofs_text
        -orig-id: dwOffset
        type: u4
        doc: 0xffffffff where there is no string.
    instances:
      has_text:
        value: ofs_text != 0xffffffff
      is_low:
        value: has_text and ofs_text < 8 + 8 * _parent.num_entries
        doc: From the start of the buffer this would lie among the entries.
      ofs_first:
        value: '_parent.is_from_entries ? 8 + 8 * _parent.num_entries : 0'
        doc: Where `ofs_text` counts from.
      text:
        io: _parent.rest._io
        pos: ofs_text - 8 + ofs_first
        type: strz
        if: has_text
  counter_set_reg_info:
    -orig-id: PERF_COUNTERSET_REG_INFO
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/ns-perflib-perf_counterset_reg_info
    seq:
      - id: counter_set_guid
        -orig-id: CounterSetGuid
        type: guid
      - id: counter_set_type
        -orig-id: CounterSetType
        type: u4
        doc: Not used.
      - id: detail_level
        -orig-id: DetailLevel
        type: u4
        enum: winperf::detail_level
      - id: num_counters
        -orig-id: NumCounters
        type: u4
      - id: instance_type
        -orig-id: InstanceType
        type: u4
        enum: instance_type
      - id: counters
        type: counter_reg_info
        repeat: expr
        repeat-expr: num_counters
  counter_reg_info:
    -orig-id: PERF_COUNTER_REG_INFO
    doc: The ids of other counters are 0xffffffff where there is none.
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/ns-perflib-perf_counter_reg_info
    seq:
      - id: counter_id
        -orig-id: CounterId
        type: u4
      - id: counter_type
        -orig-id: Type
        type: u4
        enum: winperf::counter_type
      - id: attributes
        -orig-id: Attrib
        type: attributes
      - id: detail_level
        -orig-id: DetailLevel
        type: u4
        enum: winperf::detail_level
      - id: default_scale
        -orig-id: DefaultScale
        type: s4
        doc: Power of ten by which graphs multiply a value.
      - id: base_counter_id
        -orig-id: BaseCounterId
        type: u4
      - id: perf_time_id
        -orig-id: PerfTimeId
        type: u4
      - id: perf_freq_id
        -orig-id: PerfFreqId
        type: u4
      - id: multi_id
        -orig-id: MultiId
        type: u4
      - id: aggregate_func
        -orig-id: AggregateFunc
        type: u4
        enum: aggregate_func
      - id: reserved
        -orig-id: Reserved
        type: u4
  counter_set_info:
    -orig-id: PERF_COUNTERSET_INFO
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/ns-perflib-perf_counterset_info
    seq:
      - id: counter_set_guid
        -orig-id: CounterSetGuid
        type: guid
      - id: provider_guid
        -orig-id: ProviderGuid
        type: guid
      - id: num_counters
        -orig-id: NumCounters
        type: u4
      - id: instance_type
        -orig-id: InstanceType
        type: u4
        enum: instance_type
      - id: counters
        type: counter_info
        repeat: expr
        repeat-expr: num_counters
  counter_info:
    -orig-id: PERF_COUNTER_INFO
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/ns-perflib-perf_counter_info
    seq:
      - id: counter_id
        -orig-id: CounterId
        type: u4
      - id: counter_type
        -orig-id: Type
        type: u4
        enum: winperf::counter_type
      - id: attributes
        -orig-id: Attrib
        type: attributes
      - id: len_value
        -orig-id: Size
        type: u4
      - id: detail_level
        -orig-id: DetailLevel
        type: u4
        enum: winperf::detail_level
      - id: scale
        -orig-id: Scale
        type: s4
        doc: Power of ten by which graphs multiply a value.
      - id: ofs_value
        -orig-id: Offset
        type: u4
        doc: Windows does not look at it.
  counter_set_instance:
    -orig-id: PERF_COUNTERSET_INSTANCE
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/perflib/ns-perflib-perf_counterset_instance
    seq:
      - id: counter_set_guid
        -orig-id: CounterSetGuid
        type: guid
      - id: len_instance
        -orig-id: dwSize
        type: u4
      - id: instance_id
        -orig-id: InstanceId
        type: u4
      - id: ofs_name
        -orig-id: InstanceNameOffset
        type: u4
        doc: From the start of the instance.
      - id: len_name
        -orig-id: InstanceNameSize
        type: u4
        doc: In bytes, the terminator among them.
      - id: rest
        size: len_instance - 32
        type: room
    instances:
      values:
        io: rest._io
        pos: 0
        type: u8
        repeat: expr
        repeat-expr: (ofs_name - 32) / 8
        doc: One for each counter; an address where it was set by reference.
      name:
        io: rest._io
        pos: ofs_name - 32
        size: len_name
        type: strz
  guid:
    -orig-id: GUID
    doc-ref: https://learn.microsoft.com/en-us/windows/win32/api/guiddef/ns-guiddef-guid
    seq:
      - id: data1
        -orig-id: Data1
        type: u4
      - id: data2
        -orig-id: Data2
        type: u2
      - id: data3
        -orig-id: Data3
        type: u2
      - id: data4
        -orig-id: Data4
        size: 8
  attributes:
    meta:
      bit-endian: le
    seq:
      - id: perf_attrib_by_reference
        type: b1
      - id: perf_attrib_no_displayable
        type: b1
      - id: perf_attrib_no_group_separator
        type: b1
      - id: perf_attrib_display_as_real
        type: b1
      - id: perf_attrib_display_as_hex
        type: b1
      - id: reserved1
        type: b27
      - id: reserved2
        type: u4
  room:
    doc: Bytes in which offsets say where things lie.
enums:
  counter_data_type:
    0: perf_error_return
    1: perf_single_counter
    2: perf_multiple_counters
    4: perf_multiple_instances
    6: perf_counterset
  instance_type:
    0: perf_counterset_single_instance
    2: perf_counterset_multi_instances
    4: perf_counterset_single_aggregate
    6: perf_counterset_multi_aggregate
    12: perf_counterset_single_aggregate_history
    22: perf_counterset_instance_aggregate
  aggregate_func:
    0: perf_aggregate_undefined
    1: perf_aggregate_total
    2: perf_aggregate_avg
    3: perf_aggregate_min
    4: perf_aggregate_max
  status:
    0: error_success
    3: error_path_not_found
    5: error_access_denied
    8: error_not_enough_memory
    14: error_outofmemory
    87: error_invalid_parameter
    183: error_already_exists
    232: error_no_data
    1168: error_not_found
    1450: error_no_system_resources
    4200: error_wmi_guid_not_found
    4201: error_wmi_instance_not_found
    4202: error_wmi_itemid_not_found
    4211: error_wmi_invalid_reginfo
