"""Memory and calls in compiled code: copying a record, words at an address, functions at an address.

Threads share the clock and the transposition table. Records hold the addresses of both, so a search needs no
other argument that refers to memory.
"""

from collections.abc import Sequence

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from searcher.engine.jit.emission import Builder, Operation, Target, Type, TypingContext, Value
from searcher.engine.jit.words import WORD_BITS, WORD_BYTES

clock_gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.CPointer(types.int64)))
"""The C library's function: clock_gettime(clock, address of seconds and nanoseconds)."""

sched_yield = types.ExternalFunction("sched_yield", types.int32())
"""The C library's function: sched_yield()."""

_WORD = ir.IntType(WORD_BITS)

_TO_WRITE, _KEEP_IN_ALL_CACHES, _DATA = 1, 3, 1
"""The arguments of LLVM's prefetch instruction: its purpose, the locality, the kind of cache."""


@intrinsic
def copy_record(typingctx: TypingContext, target: Type, source: Type) -> Operation | None:
    """Copy a record onto another one of its type: copy_record(target, source)."""
    if not isinstance(target, types.Record) or target != source:
        return None

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        start, origin = (builder.bitcast(record, cgutils.voidptr_t) for record in args)
        cgutils.raw_memcpy(builder, start, origin, _WORD(target.size), 1)
        return context.get_dummy_value()

    return types.void(target, source), codegen


def _word_pointer(context: Target, builder: Builder, address: Value, address_type: Type) -> Value:
    """Return an address as a pointer to a word."""
    number = context.cast(builder, address, address_type, types.uint64)
    return builder.inttoptr(number, _WORD.as_pointer())


@intrinsic
def peek(typingctx: TypingContext, address: Type) -> Operation | None:
    """Return the 64-bit word at an address while other threads may write it: peek(address)."""
    if not isinstance(address, types.Integer):
        return None

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        pointer = _word_pointer(context, builder, args[0], address)
        return builder.load_atomic(pointer, "monotonic", WORD_BYTES)

    return types.uint64(address), codegen


@intrinsic
def poke(typingctx: TypingContext, address: Type, value: Type) -> Operation | None:
    """Write the 64-bit word at an address while other threads may read it: poke(address, value)."""
    if not isinstance(address, types.Integer) or not isinstance(value, types.Integer):
        return None

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        pointer = _word_pointer(context, builder, args[0], address)
        word = context.cast(builder, args[1], value, types.uint64)
        builder.store_atomic(word, pointer, "monotonic", WORD_BYTES)
        return context.get_dummy_value()

    return types.void(address, value), codegen


@intrinsic
def prefetch(typingctx: TypingContext, address: Type) -> Operation | None:
    """Request the cache line of an address without waiting for it: prefetch(address)."""
    if not isinstance(address, types.Integer):
        return None

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        number, text = ir.IntType(32), ir.IntType(8).as_pointer()
        pointer = builder.bitcast(_word_pointer(context, builder, args[0], address), text)
        kind = ir.FunctionType(ir.VoidType(), [text, number, number, number])
        prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        options = [number(_TO_WRITE), number(_KEEP_IN_ALL_CACHES), number(_DATA)]
        builder.call(prefetch, [pointer, *options])
        return context.get_dummy_value()

    return types.void(address), codegen


@intrinsic
def call_evaluator(
    typingctx: TypingContext, address: Type, game: Type, board: Type, weights: Type, snake: Type
) -> Operation:
    """Call the evaluator at an address and return its value, a float64."""
    return _call(types.float64, address, game, board, weights, snake)


@intrinsic
def call_search(
    typingctx: TypingContext,
    address: Type,
    state: Type,
    game: Type,
    weights: Type,
    ply: Type,
    depth: Type,
    move: Type,
    alpha: Type,
    beta: Type,
) -> Operation:
    """Call the search function at an address and return the score of my move, an int64."""
    return _call(types.int64, address, state, game, weights, ply, depth, move, alpha, beta)


def _call(result: Type, address: Type, *parameters: Type) -> Operation:
    """Emit a call of a C function by its address: records pass as pointers, integers as 64 bits."""

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
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
