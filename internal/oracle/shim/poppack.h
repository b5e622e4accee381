/* Included by winperf.h after its records. */
#pragma pack(pop)
