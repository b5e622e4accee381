/* Included by winperf.h before its records: pack them at 8, as on Windows. */
#pragma pack(push, 8)
