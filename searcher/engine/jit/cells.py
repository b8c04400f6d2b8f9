"""A set of cells as a few machine words side by side, in compiled code.

A cell is a number, `y * stride + x`; a set has one bit for each. LLVM keeps the 2, 7 or 10 words in vector
registers, whose instructions move all cells at once, so a flood over the whole board is a handful of
instructions a turn and reads as it is thought:

    reached |= spread(reached) & free

The width is part of the type, so code written once is compiled for each size of board. Shifts are by
literal amounts, which is what makes them cheap.
"""

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from searcher.engine.jit import vectors
from searcher.engine.jit.vectors import WORD_BITS
from searcher.engine.position import Direction


class CellsType(types.Type):
    """The type of a set of cells of `words` machine words."""

    def __init__(self, words: int) -> None:
        self.words = words
        super().__init__(name=f"Cells({words * WORD_BITS})")


@register_model(CellsType)
class _CellsModel(models.PrimitiveModel):
    def __init__(self, manager: Any, cells_type: CellsType) -> None:
        super().__init__(manager, cells_type, ir.VectorType(ir.IntType(WORD_BITS), cells_type.words))


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
        return builder.icmp_unsigned(symbol, *(vectors.number(builder, value) for value in args))


_lower_comparison(operator.eq, "==")
_lower_comparison(operator.ne, "!=")


def _field(record: types.Record, name: str) -> tuple[int, CellsType]:
    """The offset of a record's field of words, and the type of the set it holds."""
    return record.offset(name), CellsType(record.typeof(name).shape[0])


def _field_pointer(builder: Any, record: Any, offset: int, wide: Any) -> Any:
    start = builder.bitcast(record, cgutils.voidptr_t)
    return builder.bitcast(cgutils.pointer_add(builder, start, offset), wide.as_pointer())


@intrinsic(prefer_literal=True)
def load(typingctx: Any, record: Any, field: Any) -> Any:
    """load(record, "field") -> the set that the record's field of words holds."""
    offset, cells = _field(record, field.literal_value)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _field_pointer(builder, args[0], offset, context.get_value_type(cells))
        return builder.load(pointer, align=8)

    return cells(record, field), codegen


@intrinsic(prefer_literal=True)
def store(typingctx: Any, record: Any, field: Any, value: Any) -> Any:
    """store(record, "field", cells) writes the set into the record's field of words."""
    offset, cells = _field(record, field.literal_value)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _field_pointer(builder, args[0], offset, context.get_value_type(cells))
        builder.store(args[2], pointer, align=8)
        return context.get_dummy_value()

    return types.void(record, field, cells), codegen


@intrinsic(prefer_literal=True)
def none(typingctx: Any, record: Any, field: Any) -> Any:
    """none(record, "field") -> the empty set, of the width of the record's field."""
    _, cells = _field(record, field.literal_value)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return vectors.in_each(context.get_value_type(cells), 0)

    return cells(record, field), codegen


@intrinsic(prefer_literal=True)
def one(typingctx: Any, record: Any, field: Any, cell: Any) -> Any:
    """one(record, "field", cell) -> the set of this one cell, of the width of the record's field."""
    _, cells = _field(record, field.literal_value)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word_type, words = ir.IntType(WORD_BITS), context.get_value_type(cells)
        index = context.cast(builder, args[2], cell, types.uint64)
        word = builder.lshr(index, word_type(6))
        bit = builder.shl(word_type(1), builder.and_(index, word_type(WORD_BITS - 1)))
        result = vectors.in_each(words, 0)
        for number in range(cells.words):
            here = builder.icmp_unsigned("==", word, word_type(number))
            part = builder.select(here, bit, word_type(0))
            result = builder.insert_element(result, part, ir.IntType(32)(number))
        return result

    return cells(record, field, cell), codegen


@intrinsic(prefer_literal=True)
def spread(typingctx: Any, cells: Any) -> Any:
    """spread(cells) -> the four neighbours of every cell, off the board's edges too: mask what comes back."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        up, down, left, right = (vectors.stepped(builder, args[0], direction) for direction in Direction)
        return builder.or_(builder.or_(up, down), builder.or_(left, right))

    return cells(cells), codegen


@intrinsic(prefer_literal=True)
def step(typingctx: Any, cells: Any, direction: Any) -> Any:
    """step(cells, direction) -> every cell's neighbour in a Direction written as its number.

    Off the board's edges too: mask what comes back.
    """

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return vectors.stepped(builder, args[0], direction.literal_value)

    return cells(cells, direction), codegen


@intrinsic(prefer_literal=True)
def up_by(typingctx: Any, cells: Any, amount: Any) -> Any:
    """up_by(cells, amount) -> every cell's number raised by the amount, under the width of the set."""
    return _shift(cells, amount, "shl")


@intrinsic(prefer_literal=True)
def down_by(typingctx: Any, cells: Any, amount: Any) -> Any:
    """down_by(cells, amount) -> every cell's number lowered by the amount, under the width of the set."""
    return _shift(cells, amount, "lshr")


def _shift(cells: Any, amount: Any, method: str) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        number = vectors.number(builder, args[0])
        by = builder.zext(context.cast(builder, args[1], amount, types.uint64), number.type)
        return builder.bitcast(getattr(builder, method)(number, by), args[0].type)

    return cells(cells, amount), codegen


@intrinsic(prefer_literal=True)
def count(typingctx: Any, cells: Any) -> Any:
    """count(cells) -> how many cells are in the set."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.trunc(builder.ctpop(vectors.number(builder, args[0])), ir.IntType(64))

    return types.int64(cells), codegen


@intrinsic(prefer_literal=True)
def first(typingctx: Any, cells: Any) -> Any:
    """first(cells) -> the lowest cell of a set that is not empty."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.trunc(builder.cttz(vectors.number(builder, args[0]), ir.IntType(1)(1)), ir.IntType(64))

    return types.int64(cells), codegen


@intrinsic(prefer_literal=True)
def contains(typingctx: Any, cells: Any, cell: Any) -> Any:
    """contains(cells, cell) -> whether the set has the cell.

    Picks the word first, because a shift of the whole by a variable amount goes through memory.
    """

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word_type = ir.IntType(WORD_BITS)
        index = context.cast(builder, args[1], cell, types.uint64)
        word = builder.lshr(index, word_type(6))
        picked = word_type(0)
        for number in range(cells.words):
            part = builder.extract_element(args[0], ir.IntType(32)(number))
            here = builder.icmp_unsigned("==", word, word_type(number))
            picked = builder.select(here, part, picked)
        bit = builder.lshr(picked, builder.and_(index, word_type(WORD_BITS - 1)))
        return builder.trunc(bit, ir.IntType(1))

    return types.boolean(cells, cell), codegen
