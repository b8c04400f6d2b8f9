"""Sets of cells in compiled code: a bitboard of a few machine words.

A cell is a number, `y * stride + x`. A set has one bit for each cell. LLVM keeps the 2, 7 or 10 words in
vector registers. Their instructions move all cells together. So one step of a flood over the whole board
takes a handful of instructions:

    reached |= spread(reached) & free

The width is part of the type, so the same code is compiled for each size of board. Moving cells by a literal
amount is cheap. `up_by` and `down_by` take a variable amount and are slower.
"""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from searcher.engine.jit import vectors
from searcher.engine.jit.words import WORD_BITS, WORD_BYTES, WORD_SHIFT
from searcher.engine.position import Direction

_WORD = ir.IntType(WORD_BITS)
_INDEX = ir.IntType(32)


class CellsType(types.Type):
    """The type of a set of cells of `words` machine words."""

    def __init__(self, words: int) -> None:
        self.words = words
        super().__init__(name=f"Cells({words * WORD_BITS})")


@register_model(CellsType)
class _CellsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, cells_type: CellsType) -> None:
        super().__init__(manager, cells_type, ir.VectorType(_WORD, cells_type.words))


class _Binary(AbstractTemplate):
    """cells OP cells -> cells"""

    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 2 and isinstance(args[0], CellsType) and args[0] == args[1]:
            return signature(args[0], *args)
        return None


class _Unary(AbstractTemplate):
    """OP cells -> cells"""

    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], CellsType):
            return signature(args[0], *args)
        return None


class _Comparison(AbstractTemplate):
    """cells OP cells -> bool"""

    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) == 2 and isinstance(args[0], CellsType) and args[0] == args[1]:
            return signature(types.boolean, *args)
        return None


def _lower_binary(python_operator: Any, method: str) -> None:
    infer_global(python_operator)(type(f"_{method}", (_Binary,), {"key": python_operator}))

    @lower_builtin(python_operator, CellsType, CellsType)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return getattr(builder, method)(*args)


for _operator, _method in ((operator.and_, "and_"), (operator.or_, "or_"), (operator.xor, "xor")):
    _lower_binary(_operator, _method)
for _operator, _method in ((operator.iand, "and_"), (operator.ior, "or_"), (operator.ixor, "xor")):
    _lower_binary(_operator, _method)


@infer_global(operator.invert)
class _Invert(_Unary):
    key = operator.invert


@lower_builtin(operator.invert, CellsType)
def _lower_invert(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.not_(args[0])


def _lower_comparison(python_operator: Any, symbol: str) -> None:
    infer_global(python_operator)(type("_compare", (_Comparison,), {"key": python_operator}))

    @lower_builtin(python_operator, CellsType, CellsType)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.icmp_unsigned(symbol, *(vectors.as_integer(builder, value) for value in args))


_lower_comparison(operator.eq, "==")
_lower_comparison(operator.ne, "!=")


def _field(record: types.Record, name: str) -> tuple[int, CellsType]:
    """Return the offset of a record's field of words, and the type of its set."""
    return record.offset(name), CellsType(record.typeof(name).shape[0])


def _field_pointer(builder: Any, record: Any, offset: int, wide: Any) -> Any:
    start = builder.bitcast(record, cgutils.voidptr_t)
    return builder.bitcast(cgutils.pointer_add(builder, start, offset), wide.as_pointer())


def _locate(context: Any, builder: Any, cell: Any, cell_type: Any) -> tuple[Any, Any]:
    """Return the index of a cell's word, and the place of its bit there."""
    number = context.cast(builder, cell, cell_type, types.uint64)
    return builder.lshr(number, _WORD(WORD_SHIFT)), builder.and_(number, _WORD(WORD_BITS - 1))


@intrinsic(prefer_literal=True)
def load(typingctx: Any, record: Any, field: Any) -> Any:
    """Return the set held by a record's field of words: load(record, "field")."""
    offset, cells = _field(record, field.literal_value)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _field_pointer(builder, args[0], offset, context.get_value_type(cells))
        return builder.load(pointer, align=WORD_BYTES)

    return cells(record, field), codegen


@intrinsic(prefer_literal=True)
def store(typingctx: Any, record: Any, field: Any, value: Any) -> Any:
    """Write a set into a record's field of words: store(record, "field", cells)."""
    offset, cells = _field(record, field.literal_value)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _field_pointer(builder, args[0], offset, context.get_value_type(cells))
        builder.store(args[2], pointer, align=WORD_BYTES)
        return context.get_dummy_value()

    return types.void(record, field, cells), codegen


@intrinsic(prefer_literal=True)
def none(typingctx: Any, record: Any, field: Any) -> Any:
    """Return the empty set, as wide as a record's field: none(record, "field")."""
    _, cells = _field(record, field.literal_value)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return vectors.splat(context.get_value_type(cells), 0)

    return cells(record, field), codegen


@intrinsic(prefer_literal=True)
def one(typingctx: Any, record: Any, field: Any, cell: Any) -> Any:
    """Return the set of one cell, as wide as a record's field: one(record, "field", cell)."""
    _, cells = _field(record, field.literal_value)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word, place = _locate(context, builder, args[2], cell)
        bit = builder.shl(_WORD(1), place)
        result = vectors.splat(context.get_value_type(cells), 0)
        for number in range(cells.words):
            here = builder.icmp_unsigned("==", word, _WORD(number))
            part = builder.select(here, bit, _WORD(0))
            result = builder.insert_element(result, part, _INDEX(number))
        return result

    return cells(record, field, cell), codegen


@intrinsic(prefer_literal=True)
def spread(typingctx: Any, cells: Any) -> Any:
    """Return the four neighbours of every cell: spread(cells). Mask the result: it may leave the board."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        up, down, left, right = (vectors.step(builder, args[0], direction) for direction in Direction)
        return builder.or_(builder.or_(up, down), builder.or_(left, right))

    return cells(cells), codegen


@intrinsic(prefer_literal=True)
def up_by(typingctx: Any, cells: Any, amount: Any) -> Any:
    """Raise every cell's number by an amount below the width of the set: up_by(cells, amount)."""
    return _shift(cells, amount, "shl")


@intrinsic(prefer_literal=True)
def down_by(typingctx: Any, cells: Any, amount: Any) -> Any:
    """Lower every cell's number by an amount below the width of the set: down_by(cells, amount)."""
    return _shift(cells, amount, "lshr")


def _shift(cells: Any, amount: Any, method: str) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        number = vectors.as_integer(builder, args[0])
        by = builder.zext(context.cast(builder, args[1], amount, types.uint64), number.type)
        return builder.bitcast(getattr(builder, method)(number, by), args[0].type)

    return cells(cells, amount), codegen


@intrinsic(prefer_literal=True)
def count(typingctx: Any, cells: Any) -> Any:
    """Return the number of cells in the set: count(cells)."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.trunc(builder.ctpop(vectors.as_integer(builder, args[0])), _WORD)

    return types.int64(cells), codegen


@intrinsic(prefer_literal=True)
def first(typingctx: Any, cells: Any) -> Any:
    """Return the lowest cell of a set that is not empty: first(cells)."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
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
def contains(typingctx: Any, cells: Any, cell: Any) -> Any:
    """Return whether the set contains the cell: contains(cells, cell).

    The word of the cell is picked first, because shifting the whole set by a variable amount would go through
    memory.
    """

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word, place = _locate(context, builder, args[1], cell)
        picked = _WORD(0)
        for number in range(cells.words):
            part = builder.extract_element(args[0], _INDEX(number))
            here = builder.icmp_unsigned("==", word, _WORD(number))
            picked = builder.select(here, part, picked)
        return builder.trunc(builder.lshr(picked, place), ir.IntType(1))

    return types.boolean(cells, cell), codegen
