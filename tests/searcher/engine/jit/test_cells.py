"""Sets of cells are Python's big integers, only faster."""

import ctypes
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from searcher.engine.jit import cells
from searcher.engine.jit.function import Function
from searcher.engine.jit.words import STRIDES, WORD_BITS

SETS = ("a", "b", "and_", "or_", "xor", "not_", "iand", "ior", "ixor", "none", "one", "spread", "up", "down")
NUMBERS = ("cell", "amount", "count", "first", "walked", "has", "equal", "unequal", "same")


def dtype_of(words: int) -> np.dtype[np.void]:
    """Return the record of the operands and of each operation's result."""
    fields: list[Any] = [(name, np.uint64, (words,)) for name in SETS]
    return np.dtype([*fields, *((name, np.int64) for name in NUMBERS)], align=True)


def operate(record: Any) -> None:
    """Run every operation once; `first` gets `a` with the cell added, because its set must not be empty.

    `walked` is the sum of the cells of `a`, found one after another, as evaluators find food.
    """
    a, b, cell = cells.load(record, "a"), cells.load(record, "b"), record.cell
    cells.store(record, "and_", a & b)
    cells.store(record, "or_", a | b)
    cells.store(record, "xor", a ^ b)
    cells.store(record, "not_", ~a)
    changed = a
    changed &= b
    cells.store(record, "iand", changed)
    changed = a
    changed |= b
    cells.store(record, "ior", changed)
    changed = a
    changed ^= b
    cells.store(record, "ixor", changed)
    cells.store(record, "none", cells.none(record, "a"))
    cells.store(record, "one", cells.one(record, "a", cell))
    cells.store(record, "spread", cells.spread(a))
    cells.store(record, "up", cells.up_by(a, record.amount))
    cells.store(record, "down", cells.down_by(a, record.amount))
    record.count = cells.count(a)
    record.first = cells.first(a | cells.one(record, "a", cell))
    left, walked = a, 0
    for _ in range(cells.count(a)):
        found = cells.first(left)
        left ^= cells.one(record, "a", found)
        walked += found
    record.walked = walked
    record.has = cells.contains(a, cell)
    record.equal, record.unequal, record.same = a == b, a != b, a == cells.load(record, "a")


@cache
def operation(words: int) -> Any:
    """Return `operate` compiled for a number of words."""
    address = Function(operate, None, (dtype_of(words),)).address
    return ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)


def results(words: int, a: int, b: int, cell: int, amount: int) -> dict[str, int]:
    """Return the results of the compiled operations for two sets, a cell and a number."""
    record = np.zeros(1, dtype=dtype_of(words))
    record["a"][0] = np.frombuffer(a.to_bytes(words * 8, "little"), dtype=np.uint64)
    record["b"][0] = np.frombuffer(b.to_bytes(words * 8, "little"), dtype=np.uint64)
    for name in SETS[2:]:
        record[name] = 0xBAD
    record["cell"], record["amount"] = cell, amount
    operation(words)(record.ctypes.data)
    made = {name: int.from_bytes(record[name][0].tobytes(), "little") for name in SETS}
    return made | {name: int(record[name][0]) for name in NUMBERS}


def neighbours(a: int, stride: int, bits: int) -> int:
    """Return every cell's neighbours: left and right within its row, up and down within the set."""
    found = 0
    for cell in range(bits):
        if a >> cell & 1:
            column = cell % stride
            sideways = [cell - 1] * (column > 0) + [cell + 1] * (column < stride - 1)
            for other in (cell - stride, cell + stride, *sideways):
                found |= 1 << other if 0 <= other < bits else 0
    return found


def expected(words: int, a: int, b: int, cell: int, amount: int) -> dict[str, int]:
    """Return the results of the same operations on Python's integers."""
    bits = words * WORD_BITS
    full, one = (1 << bits) - 1, 1 << cell
    walked = sum(each for each in range(bits) if a >> each & 1)
    return {
        **{"a": a, "b": b, "and_": a & b, "or_": a | b, "xor": a ^ b, "not_": ~a & full},
        **{"iand": a & b, "ior": a | b, "ixor": a ^ b, "none": 0, "one": one},
        **{"spread": neighbours(a, STRIDES[words], bits)},
        **{"up": a << amount & full, "down": a >> amount, "cell": cell, "amount": amount},
        **{"count": a.bit_count(), "first": ((a | one) & -(a | one)).bit_length() - 1, "has": a >> cell & 1},
        "walked": walked,
        **{"equal": a == b, "unequal": a != b, "same": 1},
    }


@pytest.mark.parametrize("words", STRIDES)
@given(data=st.data())
def test_operations_are_those_of_integers(words: int, data: st.DataObject) -> None:
    """Every operation gives what Python's integers give, for any sets and numbers."""
    sets = st.integers(0, 2 ** (words * WORD_BITS) - 1)
    a = data.draw(sets)
    b = data.draw(sets | st.just(a) | st.just(a ^ 1 << words * WORD_BITS - 1))
    cell, amount = (data.draw(st.integers(0, words * WORD_BITS - 1)) for _ in range(2))
    assert results(words, a, b, cell, amount) == expected(words, a, b, cell, amount)


@pytest.mark.parametrize("words", STRIDES)
def test_every_single_cell(words: int) -> None:
    """Each single cell, also at either end of a word, is set, found and spread."""
    for cell in range(words * WORD_BITS):
        assert results(words, 1 << cell, 0, cell, 1) == expected(words, 1 << cell, 0, cell, 1)
