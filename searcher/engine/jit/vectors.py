"""Vectors of machine words in LLVM's terms: what the sets of `cells` are made of, and how their cells move.

All functions emit code: they take a builder and values of a vector type, its lowest word first, or that type.
"""

from collections.abc import Iterable
from typing import Any

from llvmlite import ir

from searcher.engine.position import Direction

WORD_BITS = 64
WORD_SHIFT = 6
"""A cell's number shifted right by this is the index of its word."""
_ONES = (1 << WORD_BITS) - 1

STRIDES = {2: 11, 7: 19, 10: 25}
"""By the words of a set, the cells of a row."""


def number(builder: Any, value: Any) -> Any:
    """The words of a set as one wide integer."""
    return builder.bitcast(value, ir.IntType(value.type.count * WORD_BITS))


def _constant(words: Any, bits: int) -> Any:
    """The set of words of which a number's bits are the cells."""
    parts = [bits >> (WORD_BITS * number) & _ONES for number in range(words.count)]
    return ir.Constant(words, [words.element(part) for part in parts])


def in_each(words: Any, value: int) -> Any:
    """The same value in every word."""
    return ir.Constant(words, [words.element(value)] * words.count)


def up(builder: Any, here: Any, amount: int) -> Any:
    """Every cell's number raised by a literal amount, less than a word's bits."""
    return _moved(builder, here, [here.type.count, *range(here.type.count - 1)], "shl", "lshr", amount)


def down(builder: Any, here: Any, amount: int) -> Any:
    """Every cell's number lowered by a literal amount, less than a word's bits."""
    return _moved(builder, here, range(1, here.type.count + 1), "lshr", "shl", amount)


def _moved(builder: Any, here: Any, order: Iterable[int], away: str, back: str, amount: int) -> Any:
    """Shifts each word, and takes over what is shifted out of its neighbour: the words in an order.

    In the order the number after the last word's stands for a word of nothing.
    """
    words, index = here.type, ir.IntType(32)
    places = ir.Constant(ir.VectorType(index, words.count), [index(number) for number in order])
    beside = builder.shuffle_vector(here, in_each(words, 0), places)
    kept = getattr(builder, away)(here, in_each(words, amount))
    return builder.or_(kept, getattr(builder, back)(beside, in_each(words, WORD_BITS - amount)))


def stepped(builder: Any, here: Any, direction: int) -> Any:
    """Every cell's neighbour in a direction; none of the next row for a cell at the end of its own."""
    words = here.type
    stride = STRIDES[words.count]
    if direction == Direction.UP:
        return up(builder, here, stride)
    if direction == Direction.DOWN:
        return down(builder, here, stride)
    first_column = sum(1 << cell for cell in range(0, words.count * WORD_BITS, stride))
    if direction == Direction.LEFT:
        return builder.and_(down(builder, here, 1), _constant(words, ~(first_column << stride - 1)))
    return builder.and_(up(builder, here, 1), _constant(words, ~first_column))
