"""Sets of bits written out as bytes of 0 and 1, a whole vector register at a time.

The compiled forms are small pieces of LLVM, which picks the fastest instructions there are; the
plain Python beside each says what it does and runs when the compiler is off.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.extending import intrinsic, overload

from cardcore.jit import kernel

WORD = 64
BYTE = 8
LARGEST_BYTE = 255
HALF_WORD = WORD // 2
AT_ONCE = 32  # bytes stored together: wider stores would nearly all straddle two cache lines
ALL_BUT_TOP = (1 << (WORD - 1)) - 1
HALVINGS = 6  # of a word, down to one bit


def row_of(array: Any, i: int) -> Any:
    """Row i of an array [n, size], or all of an array [size]; compiled it is a bare address.

    Handing arrays from kernel to kernel would count references, which costs more than the writing.
    """
    return array if array.ndim == 1 else array[i]


def write_bits(row: Any, at: int, bits: Any, n: int) -> None:
    """Write bit k of `bits` to place at + k for all k below the constant n, which is at most 64."""
    row[at : at + n] = [int(bits) >> k & 1 for k in range(n)]


def write_sets(row: Any, at: int, low: Any, high: Any, width: int, times: int) -> None:
    """Write four sets of `width` bits, at most 32, side by side, each bit `times` times.

    Each word holds two of them, one in either half. The last two are constants.
    """
    halves = [int(word) >> up for word in (low, high) for up in (0, HALF_WORD)]
    bits = [half >> k & 1 for half in halves for k in range(width)]
    row[at : at + len(bits) * times] = np.repeat(bits, times)


def bytes_of(numbers: Any, n: int) -> int:
    """The first n numbers of an array as the bytes of a word, what is above 255 as 255.

    n is a constant of at most 8, and no number is negative.
    """
    few = numbers.reshape(-1)[:n].tolist()
    return sum(min(one, LARGEST_BYTE) << BYTE * i for i, one in enumerate(few))


def write_levels(row: Any, at: int, levels: Any, n: int, width: int, low: int, step: int) -> None:
    """Write n thermometers of `width` places: the i-th shows byte i of the word `levels`.

    Place k is 1 when the byte is at least low + step * k. The last four are constants, n is at most
    8 and no limit above 255; what is too high fills its thermometer.
    """
    heights = [int(levels) >> BYTE * i & LARGEST_BYTE for i in range(n)]
    limits = [low + step * k for k in range(width)]
    row[at : at + n * width] = [height >= limit for height in heights for limit in limits]


def write_counts(row: Any, at: int, counts: Any, n: int, width: int) -> None:
    """Write n thermometers of `width` places: the i-th shows the i-th of a row of bytes.

    Place k is 1 when the count is above k. The last two are constants; no count is negative.
    """
    row[at : at + n * width] = [counts[i] > k for i in range(n) for k in range(width)]


def write_zeros(row: Any, at: int, n: int) -> None:
    """Write 0 to n places, n being a constant."""
    row[at : at + n] = 0


def read_word(row: Any, at: int) -> int:
    """The 64 places of 0 and 1 from `at` on as the bits of one word."""
    return sum(int(one) << k for k, one in enumerate(row[at : at + WORD]))


def count_bits(bits: Any) -> int:
    """How many bits are set."""
    return (int(bits) % (1 << WORD)).bit_count()


def lowest_bit(bits: Any) -> int:
    """The place of the lowest bit that is set."""
    return (int(bits) & -int(bits)).bit_length() - 1


def nth_set(bits: Any, nth: int) -> int:
    """The place of the nth bit that is set, from 0."""
    return [k for k in range(WORD) if int(bits) >> k & 1][nth]


@intrinsic
def _row_of(typingctx, array, i):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        view = context.make_array(signature.args[0])(context, builder, args[0])
        start = builder.ptrtoint(view.data, ir.IntType(WORD))
        if array.ndim == 1:
            return start
        stride = builder.extract_value(view.strides, 0)
        return builder.add(start, builder.mul(args[1], stride))

    return types.int64(array, types.int64), generate


@intrinsic(prefer_literal=True)
def _write_bits(typingctx, row, at, bits, n):  # type: ignore[no-untyped-def]
    width = n.literal_value

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        size, begins = _chunks(width)
        for k in begins:
            part = builder.trunc(builder.lshr(args[2], _word(k)), ir.IntType(size))
            flags = builder.bitcast(part, ir.VectorType(ir.IntType(1), size))
            _store(builder, args[0], args[1], k, flags)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64, n), generate


def _chunks(n_places: int, most: int = AT_ONCE) -> tuple[int, list[int]]:
    """How to cover a stretch with stores of one size: that size and where each begins.

    The last one may overlap the one before it, with the same values.
    """
    size = min(most, 1 << (n_places.bit_length() - 1))
    return size, [*range(0, n_places - size, size), n_places - size]


def _word(k: int) -> Any:
    """A constant."""
    return ir.Constant(ir.IntType(WORD), k)


def _store(builder: Any, row: Any, at: Any, k: int, flags: Any) -> None:
    """Store flags as bytes of 0 and 1 at place at + k of a row."""
    values = builder.zext(flags, ir.VectorType(ir.IntType(BYTE), flags.type.count))
    place = builder.add(builder.add(row, at), _word(k))
    builder.store(values, builder.inttoptr(place, values.type.as_pointer()), align=1)


def _pick(builder: Any, a: Any, b: Any, places: list[int]) -> Any:
    """A vector of these places of two vectors taken as one."""
    indices = ir.Constant(ir.VectorType(ir.IntType(HALF_WORD), len(places)), places)
    return builder.shuffle_vector(a, b, indices)


def _store_levels(
    builder: Any, row: Any, at: Any, heights: tuple[Any, Any], sources: list[int], steps: list[int]
) -> None:
    """Store for each place whether the byte of two vectors that it comes from reaches its step."""
    size, begins = _chunks(len(sources))
    for k in begins:
        picked = _pick(builder, *heights, sources[k : k + size])
        limits = ir.Constant(picked.type, steps[k : k + size])
        _store(builder, row, at, k, builder.icmp_unsigned(">=", picked, limits))


@intrinsic(prefer_literal=True)
def _write_sets(typingctx, row, at, low, high, width, times):  # type: ignore[no-untyped-def]
    w, n_times = width.literal_value, times.literal_value
    sources = [HALF_WORD * i + k for i in range(4) for k in range(w) for _ in range(n_times)]

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        flags = ir.VectorType(ir.IntType(1), WORD)
        low, high = (
            builder.zext(builder.bitcast(word, flags), ir.VectorType(ir.IntType(BYTE), WORD))
            for word in args[2:4]
        )
        size, begins = _chunks(len(sources))
        for k in begins:
            picked = _pick(builder, low, high, sources[k : k + size])
            zero = ir.Constant(picked.type, None)
            _store(builder, args[0], args[1], k, builder.icmp_unsigned("!=", picked, zero))
        return context.get_dummy_value()

    return types.void(*(types.int64,) * 4, width, times), generate


@intrinsic(prefer_literal=True)
def _bytes_of(typingctx, numbers, n):  # type: ignore[no-untyped-def]
    n_bytes, kind = n.literal_value, ir.IntType(numbers.dtype.bitwidth)

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        view = context.make_array(signature.args[0])(context, builder, args[0])
        place = builder.bitcast(view.data, ir.VectorType(kind, n_bytes).as_pointer())
        values = builder.load(place, align=1)
        if kind.width > BYTE:
            most = ir.Constant(values.type, [LARGEST_BYTE] * n_bytes)
            values = builder.select(builder.icmp_unsigned("<", values, most), values, most)
            values = builder.trunc(values, ir.VectorType(ir.IntType(BYTE), n_bytes))
        zeros = ir.Constant(values.type, None)
        filled = _pick(builder, values, zeros, [min(k, n_bytes) for k in range(WORD // BYTE)])
        return builder.bitcast(filled, ir.IntType(WORD))

    return types.int64(numbers, n), generate


@intrinsic(prefer_literal=True)
def _write_levels(typingctx, row, at, levels, n, width, low, step):  # type: ignore[no-untyped-def]
    n_places, n_levels = width.literal_value, n.literal_value
    places = range(n_levels * n_places)
    sources = [place // n_places for place in places]
    steps = [low.literal_value + step.literal_value * (place % n_places) for place in places]

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        heights = builder.bitcast(args[2], ir.VectorType(ir.IntType(BYTE), WORD // BYTE))
        _store_levels(builder, args[0], args[1], (heights, heights), sources, steps)
        return context.get_dummy_value()

    return types.void(*(types.int64,) * 3, n, width, low, step), generate


@intrinsic(prefer_literal=True)
def _write_counts(typingctx, row, at, counts, n, width):  # type: ignore[no-untyped-def]
    n_counts, n_places = n.literal_value, width.literal_value
    places = range(n_counts * n_places)
    sources = [place // n_places for place in places]
    steps = [place % n_places + 1 for place in places]

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        size, (*_, last) = _chunks(n_counts, WORD)
        kind = ir.VectorType(ir.IntType(BYTE), size).as_pointer()
        start, rest = (
            builder.load(builder.inttoptr(builder.add(args[2], _word(k)), kind), align=1)
            for k in (0, last)
        )
        places = [source if source < size else source - last + size for source in sources]
        _store_levels(builder, args[0], args[1], (start, rest), places, steps)
        return context.get_dummy_value()

    return types.void(*(types.int64,) * 3, n, width), generate


@intrinsic(prefer_literal=True)
def _write_zeros(typingctx, row, at, n):  # type: ignore[no-untyped-def]
    size, begins = _chunks(n.literal_value)

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        zeros = ir.Constant(ir.VectorType(ir.IntType(1), size), None)
        for k in begins:
            _store(builder, args[0], args[1], k, zeros)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, n), generate


@intrinsic
def _read_word(typingctx, row, at):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        kind = ir.VectorType(ir.IntType(8), WORD)
        place = builder.inttoptr(builder.add(args[0], args[1]), kind.as_pointer())
        values = builder.load(place, align=1)
        flags = builder.icmp_unsigned("!=", values, ir.Constant(kind, None))
        return builder.bitcast(flags, ir.IntType(WORD))

    return types.int64(types.int64, types.int64), generate


@intrinsic
def _count_bits(typingctx, bits):  # type: ignore[no-untyped-def]
    return types.int64(types.int64), lambda context, builder, signature, args: builder.ctpop(*args)


@intrinsic
def _lowest_bit(typingctx, bits):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


def _are_constants(*kinds: Any) -> bool:
    """Whether the compiler knows these numbers; it asks again if not."""
    return all(isinstance(kind, types.IntegerLiteral) for kind in kinds)


@intrinsic
def _deposit(typingctx, bits, places):  # type: ignore[no-untyped-def]
    """The lowest bits, each moved to the next place that is set; one instruction of newer PCs."""

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        word = ir.IntType(WORD)
        kind = ir.FunctionType(word, [word, word])
        return builder.call(
            builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind), args
        )

    return types.int64(types.int64, types.int64), generate


@overload(row_of)
def _compiled_row_of(array, i):  # type: ignore[no-untyped-def]
    return lambda array, i: _row_of(array, i)


@overload(write_bits, prefer_literal=True)
def _compiled_write_bits(row, at, bits, n):  # type: ignore[no-untyped-def]
    def write(row, at, bits, n):  # type: ignore[no-untyped-def]
        _write_bits(row, at, bits, n)

    return write if _are_constants(n) else None


@overload(write_sets, prefer_literal=True)
def _compiled_write_sets(row, at, low, high, width, times):  # type: ignore[no-untyped-def]
    def write(row, at, low, high, width, times):  # type: ignore[no-untyped-def]
        _write_sets(row, at, low, high, width, times)

    return write if _are_constants(width, times) else None


@overload(bytes_of, prefer_literal=True)
def _compiled_bytes_of(numbers, n):  # type: ignore[no-untyped-def]
    def read(numbers, n):  # type: ignore[no-untyped-def]
        return _bytes_of(numbers, n)

    return read if _are_constants(n) else None


@overload(write_levels, prefer_literal=True)
def _compiled_write_levels(row, at, levels, n, width, low, step):  # type: ignore[no-untyped-def]
    def write(row, at, levels, n, width, low, step):  # type: ignore[no-untyped-def]
        _write_levels(row, at, levels, n, width, low, step)

    return write if _are_constants(n, width, low, step) else None


@overload(write_counts, prefer_literal=True)
def _compiled_write_counts(row, at, counts, n, width):  # type: ignore[no-untyped-def]
    def write(row, at, counts, n, width):  # type: ignore[no-untyped-def]
        _write_counts(row, at, counts, n, width)

    return write if _are_constants(n, width) else None


@overload(write_zeros, prefer_literal=True)
def _compiled_write_zeros(row, at, n):  # type: ignore[no-untyped-def]
    def write(row, at, n):  # type: ignore[no-untyped-def]
        _write_zeros(row, at, n)

    return write if _are_constants(n) else None


@overload(read_word)
def _compiled_read_word(row, at):  # type: ignore[no-untyped-def]
    return lambda row, at: _read_word(row, at)


@overload(count_bits)
def _compiled_count_bits(bits):  # type: ignore[no-untyped-def]
    return lambda bits: _count_bits(bits)


@overload(lowest_bit)
def _compiled_lowest_bit(bits):  # type: ignore[no-untyped-def]
    return lambda bits: _lowest_bit(bits)


@kernel
def first_bits(n, limit):
    """A thermometer: the lowest n bits, at most `limit` of them."""
    return (1 << max(0, min(int(n), limit))) - 1


@kernel
def bytes_from(word, first, n):
    """The lowest n bytes of a word, fewer than 8, turned so that byte `first` is the lowest."""
    lowest = (1 << BYTE * int(n)) - 1
    kept = word & lowest
    return (kept >> BYTE * int(first) | kept << BYTE * int(n - first)) & lowest


@kernel
def word_of_row(row, n, k):
    """Bits 64k and up of a row of n places, at least 64, without reading beyond it."""
    start = WORD * k
    if start + WORD <= n:
        return read_word(row, start)
    n_before = min(start - n + WORD, WORD)  # places that are read with it but came before
    return (read_word(row, n - WORD) >> 1 & ALL_BUT_TOP) >> (n_before - 1) if n_before < WORD else 0


@kernel
def nth_set_by_halves(bits, nth):
    """`nth_set` on any machine: which half holds it, and which half of that, down to one bit."""
    place = 0
    for k in range(HALVINGS):
        width = HALF_WORD >> k
        n_lower = count_bits(bits >> place & ((1 << width) - 1))
        if nth >= n_lower:
            nth -= n_lower
            place += width
    return place


@overload(nth_set)
def _compiled_nth_set(bits, nth):  # type: ignore[no-untyped-def]
    if get_host_cpu_features().get("bmi2"):
        return lambda bits, nth: lowest_bit(_deposit(1 << nth, bits))
    return lambda bits, nth: nth_set_by_halves(bits, nth)
