"""Functions that users compiled with numba, called from kernels by their address; and Python itself, through ctypes.

Kernels are compiled once per installation and cannot know such a function. It is compiled here, per process, behind a
wrapper that reads the motion of its body and writes its load row; kernels get the wrapper's address as data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from fairlead.core.arrays import BODY
from fairlead.core.vec import matmul, put3, v3, v9
from fairlead.core.work import BODY_WORK, ROW_WORK

ARGUMENTS = "(t, position, rotation, velocity, angular_velocity)"
_THREE = types.UniTuple(types.float64, 3)
_GIVEN = (types.float64, _THREE, types.UniTuple(_THREE, 3), _THREE, _THREE)
_TAKEN = (types.float64, *(numba.from_dtype(of) for of in (BODY_WORK, BODY, ROW_WORK)))


def is_compiled_function(function: Any) -> bool:
    """Return whether a function was compiled by numba."""
    return isinstance(function, Dispatcher)


def callable_at(function: Any, turned: bool) -> tuple[int, Any]:
    """Return the address by which kernels call a compiled function, and what must be kept while they may.

    `turned` says that its body has axes of its own in the drawing. ValueError says what is wrong with the function.
    """
    try:
        function.compile(_GIVEN)
        given = function.overloads[_GIVEN].signature.return_type
    except (NumbaError, TypeError, RuntimeError, KeyError) as error:
        reason = " ".join(str(error).split())
        raise ValueError(f"cannot be compiled for {ARGUMENTS}: {reason:.300}") from None
    if not (isinstance(given, types.BaseTuple) and len(given) == 6 and all(isinstance(x, types.Number) for x in given)):
        raise ValueError("must return six numbers in a tuple: force and moment at the mass centre, world axes")
    wrapper = numba.njit(error_model="numpy", nogil=True)(_wrapped(function, turned))
    wrapper.compile(_TAKEN)
    found = wrapper.overloads[_TAKEN]
    return found.library.get_pointer_to_function(found.fndesc.llvm_func_name), wrapper


def _wrapped(function: Any, turned: bool) -> Callable[..., int]:
    """Return the wrapper; where a body's axes are those of the drawing, no rotation is multiplied."""

    def wrapped(t, moving, body, row):  # type: ignore[no-untyped-def]
        R = matmul(v9(moving.R), v9(body.R_DB)) if turned else v9(moving.R)
        rows = (R[0], R[1], R[2]), (R[3], R[4], R[5]), (R[6], R[7], R[8])
        f = function(t, v3(moving.x), rows, v3(moving.u), v3(moving.w))
        put3(row.f, (float(f[0]), float(f[1]), float(f[2])))
        put3(row.n, (float(f[3]), float(f[4]), float(f[5])))
        return 0

    return wrapped


@intrinsic
def call_at(context: Any, address: Any, t: Any, moving: Any, body: Any, row: Any) -> Any:
    """Call the wrapper at an address; return whether its function raised an exception."""
    taken = (types.float64, moving, body, row)

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        convention = context.call_conv
        pointer = convention.get_function_type(types.int64, taken).as_pointer()
        function = builder.inttoptr(arguments[0], pointer)
        status, _ = convention.call_function(builder, function, types.int64, taken, arguments[1:])
        return status.is_error

    return types.boolean(address, *taken), code


@intrinsic
def ask_at(context: Any, address: Any, t: Any, channels: Any, inputs: Any, outputs: Any, y: Any, states: Any) -> Any:
    """Call the C function `i64 f(f64 t, f64* inputs, f64* outputs, f64* states)` at an address; return its answer.

    Inputs and outputs begin at these places of `channels`, states at theirs of `y`.
    """
    taken = (types.int64, types.float64, channels, types.int64, types.int64, y, types.int64)

    def place(context: Any, builder: Any, of: Any, value: Any, at: Any) -> Any:
        return builder.gep(make_array(of)(context, builder, value).data, [at])

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        where, time, values, first, last, state, begin = arguments
        number = ir.DoubleType().as_pointer()
        form = ir.FunctionType(ir.IntType(64), [ir.DoubleType(), number, number, number])
        function = builder.inttoptr(where, form.as_pointer())
        places = [place(context, builder, channels, values, at) for at in (first, last)]
        return builder.call(function, [time, *places, place(context, builder, y, state, begin)])

    return types.int64(*taken), code
