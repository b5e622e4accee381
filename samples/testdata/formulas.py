#!/usr/bin/env python3
"""The displayed values of performance counters as exact fractions: an oracle for package samples.

The table was written from the documentation of the types, without the source of package samples.

    python3 formulas.py < cases.jsonl
    in:  {"type":"PERF_COUNTER_BULK_COUNT","n0":1,"n1":5,"b0":0,"b1":0,"d0":100,"d1":200,"f":10,"wrap":false}
    out: {"value":"2/5","unit":"/sec"}, or {"missing":REASON}, or {"error":TEXT} and exit status 1

Several reasons can apply. The first one in this order is given: no-older-sample, fell-or-wrapped, base-unchanged,
zero-denominator, no-time. A case without n0, b0 or d0 has no older sample.
"""
import json
import sys
from fractions import Fraction

NO_OLDER = "no-older-sample"
FELL = "fell-or-wrapped"
BASE_UNCHANGED = "base-unchanged"
ZERO = "zero-denominator"
NO_TIME = "no-time"


class Missing(Exception):
    """There is no value. args[0] is the reason."""


class BadCase(Exception):
    """The case is malformed."""


class Case:
    __slots__ = ("n0", "n1", "b0", "b1", "d0", "d1", "f", "wrap")

    def __init__(self, n0=None, n1=None, b0=None, b1=None, d0=None, d1=None, f=None, wrap=False):
        self.n0, self.n1, self.b0, self.b1 = n0, n1, b0, b1
        self.d0, self.d1, self.f, self.wrap = d0, d1, f, wrap


def integer(case, name, size=None):
    v = getattr(case, name)
    if v is None:
        raise BadCase("%s is needed and absent" % name)
    if isinstance(v, bool) or not isinstance(v, int):
        raise BadCase("%s is not an integer" % name)
    if size is not None and not 0 <= v < 1 << (8 * size):
        raise BadCase("%s is outside an unsigned %d-byte value" % (name, size))
    return v


def need_older(case, *names):
    if any(getattr(case, name) is None for name in names):
        raise Missing(NO_OLDER)


def diff_n(case, size):
    """N1 - N0. If N1 < N0, there is a value only with wrap and for 4 bytes."""
    n0, n1 = integer(case, "n0", size), integer(case, "n1", size)
    if n1 < n0:
        if case.wrap and size == 4:
            return (n1 - n0) % (1 << 32)
        raise Missing(FELL)
    return n1 - n0


def diff_b(case, size):
    """B1 - B0, which divides. A base of 4 bytes can wrap too."""
    b0, b1 = integer(case, "b0", size), integer(case, "b1", size)
    if b1 < b0 and case.wrap and size == 4:
        return (b1 - b0) % (1 << 32)
    if b1 < b0:
        raise Missing(FELL)
    if b1 == b0:
        raise Missing(BASE_UNCHANGED)
    return b1 - b0


def divisor(case, name, size=None):
    """B, B1 or F where it divides."""
    v = integer(case, name, size)
    if v == 0:
        raise Missing(ZERO)
    return v


def diff_d(case):
    """D1 - D0, which divides. Clocks do not wrap."""
    d0, d1 = integer(case, "d0"), integer(case, "d1")
    if d1 <= d0:
        raise Missing(NO_TIME)
    return d1 - d0


def raw(size):
    def formula(c):
        return Fraction(integer(c, "n1", size))
    return formula


def delta(size):
    def formula(c):
        need_older(c, "n0")
        return Fraction(diff_n(c, size))
    return formula


def rate(size):
    def formula(c):
        need_older(c, "n0", "d0")
        dn = diff_n(c, size)
        f = divisor(c, "f")
        dd = diff_d(c)
        return Fraction(dn) / (Fraction(dd) / f)
    return formula


def queue_length(size):
    def formula(c):
        need_older(c, "n0", "d0")
        dn = diff_n(c, size)
        return Fraction(dn, diff_d(c))
    return formula


def raw_fraction(size, base_size):
    def formula(c):
        n = integer(c, "n1", size)
        return Fraction(100 * n, divisor(c, "b1", base_size))
    return formula


def timer(size):
    def formula(c):
        need_older(c, "n0", "d0")
        dn = diff_n(c, size)
        return 100 * Fraction(dn, diff_d(c))
    return formula


def timer_inv(size):
    def formula(c):
        need_older(c, "n0", "d0")
        dn = diff_n(c, size)
        return 100 * (1 - Fraction(dn, diff_d(c)))
    return formula


def base_fraction(size, base_size):
    def formula(c):
        need_older(c, "n0", "b0")
        dn = diff_n(c, size)
        return 100 * Fraction(dn, diff_b(c, base_size))
    return formula


def multi_timer(size, base_size):
    def formula(c):
        need_older(c, "n0", "d0")
        dn = diff_n(c, size)
        b1 = divisor(c, "b1", base_size)
        dd = diff_d(c)
        return 100 * Fraction(dn, dd) / b1
    return formula


def multi_timer_inv(size, base_size):
    def formula(c):
        need_older(c, "n0", "d0")
        dn = diff_n(c, size)
        b1 = integer(c, "b1", base_size)
        return 100 * (b1 - Fraction(dn, diff_d(c)))
    return formula


def average_timer(size, base_size):
    def formula(c):
        need_older(c, "n0", "b0")
        dn = diff_n(c, size)
        db = diff_b(c, base_size)
        f = divisor(c, "f")
        return Fraction(dn) / f / db
    return formula


def average_bulk(size, base_size):
    def formula(c):
        need_older(c, "n0", "b0")
        dn = diff_n(c, size)
        return Fraction(dn, diff_b(c, base_size))
    return formula


def elapsed_time(size):
    def formula(c):
        n, d = integer(c, "n1", size), integer(c, "d1")
        return Fraction(d - n) / divisor(c, "f")
    return formula


FORMULAS = {
    "PERF_COUNTER_RAWCOUNT_HEX": raw(4),
    "PERF_COUNTER_LARGE_RAWCOUNT_HEX": raw(8),
    "PERF_COUNTER_RAWCOUNT": raw(4),
    "PERF_COUNTER_LARGE_RAWCOUNT": raw(8),
    "PERF_COUNTER_DELTA": delta(4),
    "PERF_COUNTER_LARGE_DELTA": delta(8),
    "PERF_SAMPLE_COUNTER": rate(4),
    "PERF_COUNTER_QUEUELEN_TYPE": queue_length(4),
    "PERF_COUNTER_LARGE_QUEUELEN_TYPE": queue_length(8),
    "PERF_COUNTER_100NS_QUEUELEN_TYPE": queue_length(8),
    "PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE": queue_length(8),
    "PERF_COUNTER_COUNTER": rate(4),
    "PERF_COUNTER_BULK_COUNT": rate(8),
    "PERF_RAW_FRACTION": raw_fraction(4, 4),
    "PERF_LARGE_RAW_FRACTION": raw_fraction(8, 8),
    "PERF_COUNTER_TIMER": timer(8),
    "PERF_PRECISION_SYSTEM_TIMER": base_fraction(8, 8),
    "PERF_100NSEC_TIMER": timer(8),
    "PERF_PRECISION_100NS_TIMER": base_fraction(8, 8),
    "PERF_OBJ_TIME_TIMER": timer(8),
    "PERF_PRECISION_OBJECT_TIMER": base_fraction(8, 8),
    "PERF_SAMPLE_FRACTION": base_fraction(4, 4),
    "PERF_COUNTER_TIMER_INV": timer_inv(8),
    "PERF_100NSEC_TIMER_INV": timer_inv(8),
    "PERF_COUNTER_MULTI_TIMER": multi_timer(8, 8),
    "PERF_100NSEC_MULTI_TIMER": multi_timer(8, 8),
    "PERF_COUNTER_MULTI_TIMER_INV": multi_timer_inv(8, 8),
    "PERF_100NSEC_MULTI_TIMER_INV": multi_timer_inv(8, 8),
    "PERF_AVERAGE_TIMER": average_timer(4, 4),
    "PERF_ELAPSED_TIME": elapsed_time(8),
    "PERF_AVERAGE_BULK": average_bulk(8, 4),
}

UNITS = {name: "" for name in FORMULAS}
UNITS.update({name: "/sec" for name in ("PERF_COUNTER_COUNTER", "PERF_COUNTER_BULK_COUNT")})
UNITS.update({name: "%" for name in list(FORMULAS)[13:28]})
UNITS.update({name: "secs" for name in ("PERF_AVERAGE_TIMER", "PERF_ELAPSED_TIME")})


def answer(text):
    try:
        obj = json.loads(text)
        if not isinstance(obj, dict):
            raise BadCase("not a JSON object")
        name = obj.pop("type", None)
        if not isinstance(name, str) or name not in FORMULAS:
            raise BadCase("no formula for type %r" % (name,))
        unknown = sorted(set(obj) - set(Case.__slots__))
        if unknown:
            raise BadCase("unknown key %s" % ", ".join(unknown))
        if not isinstance(obj.get("wrap", False), bool):
            raise BadCase("wrap is not a boolean")
        value = FORMULAS[name](Case(**obj))
        return {"value": "%d/%d" % (value.numerator, value.denominator), "unit": UNITS[name]}
    except Missing as e:
        return {"missing": e.args[0]}
    except (BadCase, ValueError) as e:
        return {"error": str(e)}


def main():
    status = 0
    for line in sys.stdin:
        if not line.strip():
            line = "null"
        out = answer(line)
        if "error" in out:
            status = 1
        print(json.dumps(out))
    return status


if __name__ == "__main__":
    sys.exit(main())
