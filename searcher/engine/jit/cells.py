"""Sets of cells in compiled code: a bitboard of a few machine words.

A cell is a number, `y * stride + x`. A set has one bit for each cell. LLVM keeps the 2, 7 or 10 words in
vector registers. An instruction on a register moves all its cells. So one step of a flood over the whole
board takes a handful of instructions:

    reached |= spread(reached) & free

The number of words is part of the type, so each function is compiled again for each size of board. Moving
cells by a literal amount is cheap. `up_by` and `down_by` take a variable amount and are slower.
"""

import inspect
import operator
from collections.abc import Callable, Iterable, Sequence

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

from searcher.engine.jit.emission import Builder, Operation, Target, Type, TypingContext, Value
from searcher.engine.jit.words import STRIDES, WORD_BITS, WORD_BYTES, WORD_SHIFT
from searcher.engine.position import Direction

_WORD = ir.IntType(WORD_BITS)
_INDEX = ir.IntType(32)
_ONES = (1 << WORD_BITS) - 1


class CellsType(types.Type):
    """The type of a set of cells of `words` machine words."""

    def __init__(self, words: int) -> None:
        self.words = words
        super().__init__(name=f"Cells({words * WORD_BITS})")


@register_model(CellsType)
class _CellsModel(models.PrimitiveModel):
    def __init__(self, manager: Value, cells_type: CellsType) -> None:
        super().__init__(manager, cells_type, ir.VectorType(_WORD, cells_type.words))


def _define(
    python_operator: Callable[..., object], check: Callable[..., Type | None], emit: Callable[..., Value]
) -> None:
    """Define an operator of sets: `check` returns the type of its result, and `emit` its value."""
    type_callable(python_operator)(lambda context: check)
    operands = [CellsType] * len(inspect.signature(check).parameters)
    lower_builtin(python_operator, *operands)(lambda context, builder, sig, args: emit(builder, *args))


def _inverted(cells: Type) -> Type | None:
    return cells if isinstance(cells, CellsType) else None


def _combined(cells: Type, other: Type) -> Type | None:
    return cells if isinstance(cells, CellsType) and cells == other else None


def _compared(cells: Type, other: Type) -> Type | None:
    return types.boolean if isinstance(cells, CellsType) and cells == other else None


def _is_equal(builder: Builder, cells: Value, other: Value) -> Value:
    return builder.icmp_unsigned("==", _as_integer(builder, cells), _as_integer(builder, other))


def _is_different(builder: Builder, cells: Value, other: Value) -> Value:
    return builder.icmp_unsigned("!=", _as_integer(builder, cells), _as_integer(builder, other))


_define(operator.invert, _inverted, ir.IRBuilder.not_)
for _operator in (operator.and_, operator.iand):
    _define(_operator, _combined, ir.IRBuilder.and_)
for _operator in (operator.or_, operator.ior):
    _define(_operator, _combined, ir.IRBuilder.or_)
for _operator in (operator.xor, operator.ixor):
    _define(_operator, _combined, ir.IRBuilder.xor)
_define(operator.eq, _compared, _is_equal)
_define(operator.ne, _compared, _is_different)


def _field(record: types.Record, name: str) -> tuple[int, CellsType]:
    """Return the offset of a record's field of words, and the type of its set."""
    return record.offset(name), CellsType(record.typeof(name).shape[0])


def _field_pointer(builder: Builder, record: Value, offset: int, wide: Value) -> Value:
    start = builder.bitcast(record, cgutils.voidptr_t)
    return builder.bitcast(cgutils.pointer_add(builder, start, offset), wide.as_pointer())


def _locate(context: Target, builder: Builder, cell: Value, cell_type: Type) -> tuple[Value, Value]:
    """Return the index of a cell's word, and the place of its bit there."""
    number = context.cast(builder, cell, cell_type, types.uint64)
    return builder.lshr(number, _WORD(WORD_SHIFT)), builder.and_(number, _WORD(WORD_BITS - 1))


@intrinsic(prefer_literal=True)
def load(typingctx: TypingContext, record: Type, field: Type) -> Operation:
    """Return the set held by a record's field of words: load(record, "field")."""
    offset, cells = _field(record, field.literal_value)

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        pointer = _field_pointer(builder, args[0], offset, context.get_value_type(cells))
        return builder.load(pointer, align=WORD_BYTES)

    return cells(record, field), codegen


@intrinsic(prefer_literal=True)
def store(typingctx: TypingContext, record: Type, field: Type, value: Type) -> Operation:
    """Write a set into a record's field of words: store(record, "field", cells)."""
    offset, cells = _field(record, field.literal_value)

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        pointer = _field_pointer(builder, args[0], offset, context.get_value_type(cells))
        builder.store(args[2], pointer, align=WORD_BYTES)
        return context.get_dummy_value()

    return types.void(record, field, cells), codegen


@intrinsic(prefer_literal=True)
def none(typingctx: TypingContext, record: Type, field: Type) -> Operation:
    """Return the empty set, as wide as a record's field: none(record, "field")."""
    _, cells = _field(record, field.literal_value)

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        return _splat(context.get_value_type(cells), 0)

    return cells(record, field), codegen


@intrinsic(prefer_literal=True)
def one(typingctx: TypingContext, record: Type, field: Type, cell: Type) -> Operation:
    """Return the set of one cell, as wide as a record's field: one(record, "field", cell)."""
    _, cells = _field(record, field.literal_value)

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        word, place = _locate(context, builder, args[2], cell)
        bit = builder.shl(_WORD(1), place)
        result = _splat(context.get_value_type(cells), 0)
        for number in range(cells.words):
            here = builder.icmp_unsigned("==", word, _WORD(number))
            part = builder.select(here, bit, _WORD(0))
            result = builder.insert_element(result, part, _INDEX(number))
        return result

    return cells(record, field, cell), codegen


def _as_integer(builder: Builder, value: Value) -> Value:
    """Return the words of a set as one wide integer."""
    return builder.bitcast(value, ir.IntType(value.type.count * WORD_BITS))


def _splat(words: Value, value: int) -> Value:
    """Return the constant with the same value in every word."""
    return ir.Constant(words, [words.element(value)] * words.count)


def _constant(words: Value, bits: int) -> Value:
    """Return the constant set of cells with the bits of a number."""
    parts = [bits >> (WORD_BITS * index) & _ONES for index in range(words.count)]
    return ir.Constant(words, [words.element(part) for part in parts])


def _up(builder: Builder, value: Value, amount: int) -> Value:
    """Raise every cell's number by a literal amount, from 1 to less than WORD_BITS."""
    count = value.type.count
    return _shift_words(builder, value, [count, *range(count - 1)], "shl", "lshr", amount)


def _down(builder: Builder, value: Value, amount: int) -> Value:
    """Lower every cell's number by a literal amount, from 1 to less than WORD_BITS."""
    return _shift_words(builder, value, range(1, value.type.count + 1), "lshr", "shl", amount)


def _shift_words(
    builder: Builder, value: Value, neighbours: Iterable[int], away: str, back: str, amount: int
) -> Value:
    """Shift each word by the instruction `away`, and fill it with the bits shifted out of its neighbour.

    `neighbours` has, for each word, the index of the word whose bits come in. The number of words stands for
    a word of zeros.
    """
    words = value.type
    order = ir.Constant(ir.VectorType(_INDEX, words.count), [_INDEX(number) for number in neighbours])
    adjacent = builder.shuffle_vector(value, _splat(words, 0), order)
    kept = getattr(builder, away)(value, _splat(words, amount))
    return builder.or_(kept, getattr(builder, back)(adjacent, _splat(words, WORD_BITS - amount)))


def _step(builder: Builder, value: Value, direction: int) -> Value:
    """Replace every cell by its neighbour in a direction. The end of a row has no neighbour beyond it."""
    words = value.type
    stride = STRIDES[words.count]
    if direction == Direction.UP:
        return _up(builder, value, stride)
    if direction == Direction.DOWN:
        return _down(builder, value, stride)
    first_column = sum(1 << cell for cell in range(0, words.count * WORD_BITS, stride))
    if direction == Direction.LEFT:
        last_column = first_column << stride - 1
        return builder.and_(_down(builder, value, 1), _constant(words, ~last_column))
    return builder.and_(_up(builder, value, 1), _constant(words, ~first_column))


@intrinsic(prefer_literal=True)
def spread(typingctx: TypingContext, cells: Type) -> Operation:
    """Return the four neighbours of every cell: spread(cells). Mask the result: it may leave the board."""

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        up, down, left, right = (_step(builder, args[0], direction) for direction in Direction)
        return builder.or_(builder.or_(up, down), builder.or_(left, right))

    return cells(cells), codegen


@intrinsic(prefer_literal=True)
def up_by(typingctx: TypingContext, cells: Type, amount: Type) -> Operation:
    """Raise every cell's number by an amount below the width of the set: up_by(cells, amount)."""
    return _shift(cells, amount, "shl")


@intrinsic(prefer_literal=True)
def down_by(typingctx: TypingContext, cells: Type, amount: Type) -> Operation:
    """Lower every cell's number by an amount below the width of the set: down_by(cells, amount)."""
    return _shift(cells, amount, "lshr")


def _shift(cells: Type, amount: Type, method: str) -> Operation:
    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        number = _as_integer(builder, args[0])
        by = builder.zext(context.cast(builder, args[1], amount, types.uint64), number.type)
        return builder.bitcast(getattr(builder, method)(number, by), args[0].type)

    return cells(cells, amount), codegen


@intrinsic(prefer_literal=True)
def count(typingctx: TypingContext, cells: Type) -> Operation:
    """Return the number of cells in the set: count(cells)."""

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        return builder.trunc(builder.ctpop(_as_integer(builder, args[0])), _WORD)

    return types.int64(cells), codegen


@intrinsic(prefer_literal=True)
def first(typingctx: TypingContext, cells: Type) -> Operation:
    """Return the lowest cell of a set that is not empty: first(cells)."""

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        # Not of the set as one integer: LLVM then misses cells from 512 on if the set has 640 bits.
        result = _WORD(0)
        for number in reversed(range(cells.words)):
            word = builder.extract_element(args[0], _INDEX(number))
            here = builder.add(builder.cttz(word, ir.IntType(1)(1)), _WORD(number * WORD_BITS))
            is_empty = builder.icmp_unsigned("==", word, _WORD(0))
            result = builder.select(is_empty, result, here)
        return result

    return types.int64(cells), codegen


@intrinsic(prefer_literal=True)
def contains(typingctx: TypingContext, cells: Type, cell: Type) -> Operation:
    """Return whether the set contains the cell: contains(cells, cell).

    The word of the cell is picked first, because shifting the whole set by a variable amount would go through
    memory.
    """

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        word, place = _locate(context, builder, args[1], cell)
        picked = _WORD(0)
        for number in range(cells.words):
            part = builder.extract_element(args[0], _INDEX(number))
            here = builder.icmp_unsigned("==", word, _WORD(number))
            picked = builder.select(here, part, picked)
        return builder.trunc(builder.lshr(picked, place), ir.IntType(1))

    return types.boolean(cells, cell), codegen
