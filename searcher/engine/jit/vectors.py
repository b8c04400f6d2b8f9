"""Vectors of machine words in LLVM's terms: the words of the sets in `cells`, and moves of their cells.

All functions emit code. They take a builder and values of a vector type, lowest word first, or the type.
"""

from collections.abc import Iterable

from llvmlite import ir

from searcher.engine.jit.emission import Builder, Value
from searcher.engine.jit.words import STRIDES, WORD_BITS
from searcher.engine.position import Direction

_ONES = (1 << WORD_BITS) - 1


def as_integer(builder: Builder, value: Value) -> Value:
    """Return the words of a set as one wide integer."""
    return builder.bitcast(value, ir.IntType(value.type.count * WORD_BITS))


def splat(words: Value, value: int) -> Value:
    """Return the constant with the same value in every word."""
    return ir.Constant(words, [words.element(value)] * words.count)


def _constant(words: Value, bits: int) -> Value:
    """Return the constant set of cells with the bits of a number."""
    parts = [bits >> (WORD_BITS * index) & _ONES for index in range(words.count)]
    return ir.Constant(words, [words.element(part) for part in parts])


def shift_up(builder: Builder, value: Value, amount: int) -> Value:
    """Raise every cell's number by a literal amount, from 1 to less than WORD_BITS."""
    count = value.type.count
    return _shift(builder, value, [count, *range(count - 1)], "shl", "lshr", amount)


def shift_down(builder: Builder, value: Value, amount: int) -> Value:
    """Lower every cell's number by a literal amount, from 1 to less than WORD_BITS."""
    return _shift(builder, value, range(1, value.type.count + 1), "lshr", "shl", amount)


def _shift(
    builder: Builder, value: Value, neighbours: Iterable[int], away: str, back: str, amount: int
) -> Value:
    """Shift each word by the instruction `away`, and fill it with the bits shifted out of its neighbour.

    `neighbours` has, for each word, the index of the word whose bits come in. The number of words stands for
    a word of zeros.
    """
    words, index = value.type, ir.IntType(32)
    order = ir.Constant(ir.VectorType(index, words.count), [index(number) for number in neighbours])
    adjacent = builder.shuffle_vector(value, splat(words, 0), order)
    kept = getattr(builder, away)(value, splat(words, amount))
    return builder.or_(kept, getattr(builder, back)(adjacent, splat(words, WORD_BITS - amount)))


def step(builder: Builder, value: Value, direction: int) -> Value:
    """Replace every cell by its neighbour in a direction. The end of a row has no neighbour beyond it."""
    words = value.type
    stride = STRIDES[words.count]
    if direction == Direction.UP:
        return shift_up(builder, value, stride)
    if direction == Direction.DOWN:
        return shift_down(builder, value, stride)
    first_column = sum(1 << cell for cell in range(0, words.count * WORD_BITS, stride))
    if direction == Direction.LEFT:
        last_column = first_column << stride - 1
        return builder.and_(shift_down(builder, value, 1), _constant(words, ~last_column))
    return builder.and_(shift_up(builder, value, 1), _constant(words, ~first_column))
