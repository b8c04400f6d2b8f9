"""Plain memory in compiled code: copying a record, and reading or writing a number at an address.

Memory that other threads share (the clock, the transposition table) is reached by its address, so that a
search takes records alone.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def copy_record(typingctx: Any, target: Any, source: Any) -> Any:
    """copy_record(target, source) makes one record equal to another of its type."""
    if not isinstance(target, types.Record) or target != source:
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        start, origin = (builder.bitcast(record, cgutils.voidptr_t) for record in args)
        cgutils.raw_memcpy(builder, start, origin, ir.IntType(64)(target.size), 1)
        return context.get_dummy_value()

    return types.void(target, source), codegen


def _word_pointer(context: Any, builder: Any, address: Any, address_type: Any) -> Any:
    number = context.cast(builder, address, address_type, types.uint64)
    return builder.inttoptr(number, ir.IntType(64).as_pointer())


@intrinsic
def peek(typingctx: Any, address: Any) -> Any:
    """peek(address) -> the 64-bit word there, as other threads may have just written it."""
    if not isinstance(address, types.Integer):
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _word_pointer(context, builder, args[0], address)
        return builder.load_atomic(pointer, "monotonic", 8)

    return types.uint64(address), codegen


@intrinsic
def poke(typingctx: Any, address: Any, value: Any) -> Any:
    """poke(address, value) writes the 64-bit word there."""
    if not isinstance(address, types.Integer) or not isinstance(value, types.Integer):
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _word_pointer(context, builder, args[0], address)
        word = context.cast(builder, args[1], value, types.uint64)
        builder.store_atomic(word, pointer, "monotonic", 8)
        return context.get_dummy_value()

    return types.void(address, value), codegen


@intrinsic
def prefetch(typingctx: Any, address: Any) -> Any:
    """prefetch(address) has the cache line of an address brought, without waiting for it."""
    if not isinstance(address, types.Integer):
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        number, text = ir.IntType(32), ir.IntType(8).as_pointer()
        pointer = builder.bitcast(_word_pointer(context, builder, args[0], address), text)
        kind = ir.FunctionType(ir.VoidType(), [text, number, number, number])
        prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        to_write, near, data = number(1), number(3), number(1)
        builder.call(prefetch, [pointer, to_write, near, data])
        return context.get_dummy_value()

    return types.void(address), codegen


@intrinsic
def call_evaluator(typingctx: Any, address: Any, game: Any, board: Any, weights: Any, snake: Any) -> Any:
    """call_evaluator(address, game, board, weights, snake) -> what the evaluator at the address says."""
    return _call(types.float64, address, game, board, weights, snake)


@intrinsic
def call_lower_bound(
    typingctx: Any, address: Any, game: Any, board: Any, weights: Any, snake: Any, move: Any
) -> Any:
    """call_lower_bound(address, ...) -> what the evaluator's function at the address assures a move of."""
    return _call(types.float64, address, game, board, weights, snake, move)


@intrinsic
def call_search(
    typingctx: Any,
    address: Any,
    state: Any,
    game: Any,
    weights: Any,
    ply: Any,
    depth: Any,
    move: Any,
    alpha: Any,
    beta: Any,
) -> Any:
    """call_search(address, ...) -> the score that the search function at the address gives my move."""
    return _call(types.int64, address, state, game, weights, ply, depth, move, alpha, beta)


def _call(result: Any, address: Any, *parameters: Any) -> Any:
    """A call of a C function by its address: records as pointers, whole numbers as 64 bits."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        values = []
        for value, kind in zip(args[1:], parameters, strict=True):
            if isinstance(kind, types.Record):
                values.append(builder.bitcast(value, cgutils.voidptr_t))
            else:
                values.append(context.cast(builder, value, kind, types.int64))
        function = ir.FunctionType(context.get_value_type(result), [value.type for value in values])
        number = context.cast(builder, args[0], address, types.uint64)
        return builder.call(builder.inttoptr(number, function.as_pointer()), values)

    return result(address, *parameters), codegen
