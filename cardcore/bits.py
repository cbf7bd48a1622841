"""Sets of bits written out as bytes of 0 and 1, a whole vector register at a time.

The compiled forms are five small pieces of LLVM, which picks the fastest instructions there are;
the plain Python beside each says what it does and runs when the compiler is off.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from cardcore.jit import kernel

WORD = 64
ALL_BUT_TOP = (1 << (WORD - 1)) - 1
_HALF = 9  # bits doubled per look-up
TWICE = np.array(
    [sum(3 << 2 * k for k in range(_HALF) if bits >> k & 1) for bits in range(1 << _HALF)]
)


def row_of(array: Any, i: int) -> Any:
    """Row i of an array [n, size], or all of an array [size]; compiled it is a bare address.

    Handing arrays from kernel to kernel would count references, which costs more than the writing.
    """
    return array if array.ndim == 1 else array[i]


def write_bits(row: Any, at: int, bits: Any, n: int) -> None:
    """Write bit k of `bits` to place at + k for all k below the constant n, which is at most 64."""
    row[at : at + n] = [int(bits) >> k & 1 for k in range(n)]


def read_word(row: Any, at: int) -> int:
    """The 64 places of 0 and 1 from `at` on as the bits of one word."""
    return sum(int(one) << k for k, one in enumerate(row[at : at + WORD]))


def count_bits(bits: Any) -> int:
    """How many bits are set."""
    return (int(bits) % (1 << WORD)).bit_count()


def lowest_bit(bits: Any) -> int:
    """The place of the lowest bit that is set."""
    return (int(bits) & -int(bits)).bit_length() - 1


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
        flags = args[2] if width == WORD else builder.trunc(args[2], ir.IntType(width))
        flags = builder.bitcast(flags, ir.VectorType(ir.IntType(1), width))
        values = builder.zext(flags, ir.VectorType(ir.IntType(8), width))
        place = builder.inttoptr(builder.add(args[0], args[1]), values.type.as_pointer())
        builder.store(values, place, align=1)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64, n), generate


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


@overload(row_of)
def _compiled_row_of(array, i):  # type: ignore[no-untyped-def]
    return lambda array, i: _row_of(array, i)


@overload(write_bits, prefer_literal=True)
def _compiled_write_bits(row, at, bits, n):  # type: ignore[no-untyped-def]
    if isinstance(n, types.IntegerLiteral):
        return lambda row, at, bits, n: _write_bits(row, at, bits, n)
    return None


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
def twice(bits):
    """Every bit of a set of up to 18 two times in a row."""
    return TWICE[bits & 511] | TWICE[bits >> 9] << 18


@kernel
def first_bits(n, limit):
    """A thermometer: the lowest n bits, at most `limit` of them."""
    return (1 << max(0, min(int(n), limit))) - 1


@kernel
def word_of_row(row, n, k):
    """Bits 64k and up of a row of n places, at least 64, without reading beyond it."""
    start = WORD * k
    if start + WORD <= n:
        return read_word(row, start)
    return (read_word(row, n - WORD) >> 1 & ALL_BUT_TOP) >> (WORD - 1 - n + start)


@kernel
def nth_set(bits, nth):
    """The place of the nth bit that is set, from 0."""
    for _ in range(nth):
        bits &= bits - 1
    return lowest_bit(bits)
