package fuzz

import "github.com/perfblock/perfblock/layout"

// A measure is the meaning of a displayed value.
type measure uint8

const (
	noMeasure         measure = iota
	measuresLevel             // a number that rises and falls
	measuresChange            // events in the interval
	measuresRate              // events in a second
	measuresQueue             // the average length of a queue
	measuresUse               // the used part of a capacity, in percent
	measuresBusy              // the busy part of the interval, in percent; the counter counts busy ticks
	measuresIdle              // the busy part of the interval, in percent; the counter counts idle ticks
	measuresSpan              // the busy part of the time that the base counts, in percent
	measuresHits              // the part of attempts that succeed, in percent
	measuresParts             // like measuresBusy; the average of several components
	measuresIdleParts         // like measuresIdle; the sum of several components
	measuresDuration          // the average seconds of an operation
	measuresSize              // the average size of an operation
	measuresAge               // seconds since the start
)

// A seriesClock is the clock whose ticks a counter counts.
type seriesClock uint8

const (
	noClock seriesClock = iota
	tickClock
	clock100ns
	objectClock
	seriesClocks
)

// A seriesType describes a counter type as the documentation of Windows does.
type seriesType struct {
	measure measure
	clock   seriesClock
	unit    string
}

// seriesTypes has the counter types with a displayed value. Tests compare the values with package samples, so this
// file must not use samples.
var seriesTypes = map[layout.CounterType]seriesType{
	layout.PERF_COUNTER_RAWCOUNT_HEX:           {measuresLevel, noClock, ""},
	layout.PERF_COUNTER_LARGE_RAWCOUNT_HEX:     {measuresLevel, noClock, ""},
	layout.PERF_COUNTER_RAWCOUNT:               {measuresLevel, noClock, ""},
	layout.PERF_COUNTER_LARGE_RAWCOUNT:         {measuresLevel, noClock, ""},
	layout.PERF_COUNTER_DELTA:                  {measuresChange, noClock, ""},
	layout.PERF_COUNTER_LARGE_DELTA:            {measuresChange, noClock, ""},
	layout.PERF_SAMPLE_COUNTER:                 {measuresRate, tickClock, ""},
	layout.PERF_COUNTER_COUNTER:                {measuresRate, tickClock, "/sec"},
	layout.PERF_COUNTER_BULK_COUNT:             {measuresRate, tickClock, "/sec"},
	layout.PERF_COUNTER_QUEUELEN_TYPE:          {measuresQueue, tickClock, ""},
	layout.PERF_COUNTER_LARGE_QUEUELEN_TYPE:    {measuresQueue, tickClock, ""},
	layout.PERF_COUNTER_100NS_QUEUELEN_TYPE:    {measuresQueue, clock100ns, ""},
	layout.PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE: {measuresQueue, objectClock, ""},
	layout.PERF_RAW_FRACTION:                   {measuresUse, noClock, "%"},
	layout.PERF_LARGE_RAW_FRACTION:             {measuresUse, noClock, "%"},
	layout.PERF_COUNTER_TIMER:                  {measuresBusy, tickClock, "%"},
	layout.PERF_100NSEC_TIMER:                  {measuresBusy, clock100ns, "%"},
	layout.PERF_OBJ_TIME_TIMER:                 {measuresBusy, objectClock, "%"},
	layout.PERF_COUNTER_TIMER_INV:              {measuresIdle, tickClock, "%"},
	layout.PERF_100NSEC_TIMER_INV:              {measuresIdle, clock100ns, "%"},
	layout.PERF_PRECISION_SYSTEM_TIMER:         {measuresSpan, tickClock, "%"},
	layout.PERF_PRECISION_100NS_TIMER:          {measuresSpan, clock100ns, "%"},
	layout.PERF_PRECISION_OBJECT_TIMER:         {measuresSpan, objectClock, "%"},
	layout.PERF_SAMPLE_FRACTION:                {measuresHits, noClock, "%"},
	layout.PERF_COUNTER_MULTI_TIMER:            {measuresParts, tickClock, "%"},
	layout.PERF_100NSEC_MULTI_TIMER:            {measuresParts, clock100ns, "%"},
	layout.PERF_COUNTER_MULTI_TIMER_INV:        {measuresIdleParts, tickClock, "%"},
	layout.PERF_100NSEC_MULTI_TIMER_INV:        {measuresIdleParts, clock100ns, "%"},
	layout.PERF_AVERAGE_TIMER:                  {measuresDuration, tickClock, "secs"},
	layout.PERF_AVERAGE_BULK:                   {measuresSize, noClock, ""},
	layout.PERF_ELAPSED_TIME:                   {measuresAge, objectClock, "secs"},
}

// needsTwo reports whether the displayed value needs two samples.
func (m measure) needsTwo() bool {
	return m != measuresLevel && m != measuresUse && m != measuresAge
}

// aggregated reports whether the other rows determine the value of _Total, as their sum or average.
func (m measure) aggregated() bool {
	return m != measuresParts && m != measuresIdleParts && m != measuresAge
}
