"""Short arrays on the stack: compiled code fills and reads them without an allocation.

They live until the end of the function that creates them, and must not be returned.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

_FLOAT = ir.FloatType()
_BYTES = 4
_ARRAY = types.Array(types.float32, 1, "C")


@intrinsic(prefer_literal=True)
def floats(typingctx: Any, count: Any) -> Any:
    """Return an array of float32 without values, for a constant count: stack.floats(count)."""
    if not isinstance(count, types.IntegerLiteral):
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = cgutils.alloca_once(builder, _FLOAT, size=count.literal_value)
        return _array(context, builder, data, count.literal_value)

    return _ARRAY(count), codegen


@intrinsic
def floats_of(typingctx: Any, values: Any) -> Any:
    """Return an array of float32 with the values of a tuple of floats: stack.floats_of(values)."""
    if not isinstance(values, types.BaseTuple) or set(values.types) != {types.float64}:
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = cgutils.alloca_once(builder, _FLOAT, size=values.count)
        for index, value in enumerate(cgutils.unpack_tuple(builder, args[0], values.count)):
            place = builder.gep(data, [context.get_constant(types.intp, index)])
            builder.store(builder.fptrunc(value, _FLOAT), place)
        return _array(context, builder, data, values.count)

    return _ARRAY(values), codegen


def _array(context: Any, builder: Any, data: Any, count: int) -> Any:
    array = context.make_array(_ARRAY)(context, builder)
    length, width = (context.get_constant(types.intp, number) for number in (count, _BYTES))
    populate_array(array, data=data, shape=(length,), strides=(width,), itemsize=width, meminfo=None)
    return array._getvalue()
