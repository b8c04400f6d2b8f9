"""Short arrays on the stack: compiled code fills and reads them without an allocation.

They live until the end of the function that creates them, and must not be returned.
"""

from collections.abc import Sequence

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from searcher.engine.jit.emission import Builder, Operation, Target, Type, TypingContext, Value
from searcher.engine.jit.numba_internals import new_array

_FLOAT = ir.FloatType()
_BYTES = 4
_ARRAY = types.Array(types.float32, 1, "C")


@intrinsic(prefer_literal=True)
def floats(typingctx: TypingContext, count: Type) -> Operation | None:
    """Return an array of float32 without values, for a constant count: stack.floats(count)."""
    if not isinstance(count, types.IntegerLiteral):
        return None

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        data = cgutils.alloca_once(builder, _FLOAT, size=count.literal_value)
        return new_array(context, builder, _ARRAY, data, count.literal_value, _BYTES)

    return _ARRAY(count), codegen


@intrinsic
def floats_of(typingctx: TypingContext, values: Type) -> Operation | None:
    """Return an array of float32 with the values of a tuple of floats: stack.floats_of(values)."""
    if not isinstance(values, types.BaseTuple) or set(values.types) != {types.float64}:
        return None

    def codegen(context: Target, builder: Builder, sig: Type, args: Sequence[Value]) -> Value:
        data = cgutils.alloca_once(builder, _FLOAT, size=values.count)
        for index, value in enumerate(cgutils.unpack_tuple(builder, args[0], values.count)):
            place = builder.gep(data, [context.get_constant(types.intp, index)])
            builder.store(builder.fptrunc(value, _FLOAT), place)
        return new_array(context, builder, _ARRAY, data, values.count, _BYTES)

    return _ARRAY(values), codegen
