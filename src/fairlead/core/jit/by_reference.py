"""Arrays and scratch by reference: kernels pass a pointer to the NamedTuples that Python hands over.

A NamedTuple of arrays is passed by value in numba: hundreds of words in every call that is not inlined. Doors for
Python lay such a tuple down once and pass where it lies; `Reference` is the type of that pointer, and inside kernels it
has the attributes of the tuple. What lies there never changes while kernels run, and LLVM is told so
(`invariant.load`): a field is fetched once, however often the arrays it leads to are written.
"""

from __future__ import annotations

import hashlib
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_getattr_generic, register_model


class Reference(types.Type):
    """Where a NamedTuple lies."""

    def __init__(self, of: Any) -> None:
        self.of = of
        digest = hashlib.sha256(str(of).encode()).hexdigest()[:16]
        super().__init__(name=f"reference({of.instance_class.__name__}, {digest})")

    @property
    def key(self) -> Any:
        return self.of


def referred(of: Any) -> Any:
    """Return the type under which kernels take a value: NamedTuples by reference, everything else as it is."""
    return Reference(of) if isinstance(of, types.BaseNamedTuple) else of


def address_of(builder: Any, of: Any, value: Any) -> Any:
    """Return the argument to pass for a value of type `of`: the address of a copy on the stack, or the value itself."""
    return cgutils.alloca_once_value(builder, value) if isinstance(of, types.BaseNamedTuple) else value


@register_model(Reference)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Any, of: Reference) -> None:
        super().__init__(manager, of, manager.lookup(of.of).get_value_type().as_pointer())


@infer_getattr
class _Attributes(AttributeTemplate):
    key = Reference

    def generic_resolve(self, reference: Reference, name: str) -> Any:
        fields = reference.of.fields
        return referred(reference.of[fields.index(name)]) if name in fields else None


@lower_getattr_generic(Reference)
def _attribute(context: Any, builder: Any, reference: Reference, pointer: Any, name: str) -> Any:
    place = reference.of.fields.index(name)
    where = cgutils.gep_inbounds(builder, pointer, 0, place)
    return where if isinstance(reference.of[place], types.BaseNamedTuple) else _fetched(builder, where)


def _fetched(builder: Any, where: Any) -> Any:
    """Load a value part by part, each marked as never changing (LLVM drops the mark when it splits a whole)."""
    of = where.type.pointee
    if isinstance(of, ir.LiteralStructType | ir.ArrayType):
        whole = ir.Constant(of, ir.Undefined)
        for i in range(len(of)):
            whole = builder.insert_value(whole, _fetched(builder, cgutils.gep_inbounds(builder, where, 0, i)), i)
        return whole
    loaded = builder.load(where)
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded
