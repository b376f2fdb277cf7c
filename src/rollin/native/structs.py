"""Mutable structs that native code and Python share, passed by reference.

A function decorated with `shared` takes such structs. It exists twice, from one source: compiled,
for numba structs; and as plain Python (`plain(function)`), for objects of any class that has
attributes of the same names. The plain twin calls the plain twins of the shared functions it uses,
and the native code of kernels, which see nothing but arrays and numbers.

`Erased` is a struct of unknown type. The search calls the learner, the learner reads the search,
and neither is compiled again when the other changes: each sees a struct of unknown type and casts
it back.

Counting references costs an atomic operation, some 5 ns, wherever a struct or an array changes
hands: in a decision that takes a microsecond in all, that came to two fifths of the time. So on the
hot path structs are lent (`lend`, `define_borrowed`) and arrays are not owned (`unowned`): whoever
made them keeps them alive.
"""

import types as python
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import cgutils, config, imputils
from numba.core.datamodel import default_manager, models
from numba.core.types import StructRef
from numba.core.typing.templates import AttributeTemplate
from numba.experimental import structref
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    lower_setattr_generic,
)

from rollin.native.kernels import COMPILED, keep, kernel, package_digest

_SHARED: set[int] = set()
_PLAIN: dict[int, Callable] = {}


def shared(function: Callable) -> Any:
    """Compile a function over structs, and remember its source for the plain twin."""
    compiled = kernel(function)
    _SHARED.add(id(compiled))
    return compiled


def plain(function: Any) -> Callable:
    """Give the plain Python twin of a shared function."""
    if not COMPILED:
        return function
    known = _PLAIN.get(id(function))
    if known is None:
        source = function.py_func
        scope = dict(source.__globals__)
        cells = tuple(python.CellType(cell.cell_contents) for cell in source.__closure__ or ())
        known = python.FunctionType(
            source.__code__, scope, source.__name__, source.__defaults__, cells or None
        )
        _PLAIN[id(function)] = known
        for name in source.__code__.co_names:
            if name in scope:
                scope[name] = _twin(scope[name])
        for cell in cells:
            cell.cell_contents = _twin(cell.cell_contents)
    return known


def _twin(value: Any) -> Any:
    return plain(value) if id(value) in _SHARED or id(value) in _PLAIN else value


def _same(value: Any) -> Any:
    return value


class Erased(StructRef):
    """A struct of unknown type."""


def define(struct_class: type[StructRef]) -> None:
    """Make a numba struct class known: native code reads and writes its fields."""
    default_manager.register(struct_class, models.StructRefModel)
    structref.define_attributes(struct_class)

    class Handle(structref.StructRefProxy):
        """What Python holds of a native struct."""

        __slots__ = ("kept",)

    structref.define_boxing(struct_class, Handle)


define(Erased)
erased = Erased(())
address = types.int64


def pointer(dtype: types.Type) -> types.Type:
    """Choose the type of a small array on the hot path: bare memory, no reference counts.

    A count is an atomic operation, some 10 ns around every access, against 1 ns for the access
    itself. Whoever makes such a pointer keeps the array alive. With bounds checks switched on it
    is an ordinary array.
    """
    return types.Array(dtype, 1, "C") if config.BOUNDSCHECK else types.CPointer(dtype)


def caster(target: types.Type) -> Any:
    """Make a function that sees a struct as one of type `target`, owned or borrowed."""
    if not COMPILED:
        return _same

    @intrinsic
    def see_as(typingctx, value):
        def codegen(context, builder, signature, args):
            given = signature.args[0]
            place = args[0]
            if isinstance(given, StructRef):
                place = cgutils.create_struct_proxy(given)(context, builder, value=place).meminfo
            if not isinstance(target, StructRef):
                return place
            result = cgutils.create_struct_proxy(target)(context, builder)
            result.meminfo = place
            context.nrt.incref(builder, target, result._getvalue())
            return result._getvalue()

        return target(value), codegen

    _PLAIN[id(see_as)] = _same
    return see_as


class Lent(types.Type):
    """A struct of unknown type, lent: nobody counts references to it."""


default_manager.register(Lent, models.OpaqueModel)
lent = Lent("lent")
erase, lend = caster(erased), caster(lent)


def define_borrowed(borrowed_class: type[types.Type], owned: StructRef) -> None:
    """Make a type for borrowed references to a struct: the same fields, but no reference counts.

    For a function that is given a struct it need not keep alive, counts are pure loss.
    """
    default_manager.register(borrowed_class, models.OpaqueModel)
    payload = owned.get_data_type()

    @infer_getattr
    class Fields(AttributeTemplate):
        key = borrowed_class

        def generic_resolve(self, borrowed, name):
            return owned.field_dict.get(name)

    def at(context, builder, value):
        data = context.nrt.meminfo_data(builder, value)
        place = context.data_model_manager[payload].get_value_type().as_pointer()
        return cgutils.create_struct_proxy(payload)(
            context, builder, ref=builder.bitcast(data, place)
        )

    @lower_getattr_generic(borrowed_class)
    def get(context, builder, borrowed, value, name):
        field = getattr(at(context, builder, value), name)
        return imputils.impl_ret_borrowed(context, builder, owned.field_dict[name], field)

    @lower_setattr_generic(borrowed_class)
    def put(context, builder, signature, args, name):
        kind = owned.field_dict[name]
        assert not context.data_model_manager[kind].contains_nrt_meminfo()
        cast = context.cast(builder, args[1], signature.args[1], kind)
        setattr(at(context, builder, args[0]), name, cast)


if COMPILED:

    @intrinsic
    def bare(typingctx, array):
        """See a contiguous array as bare memory (see `pointer`)."""
        if config.BOUNDSCHECK:

            def same(context, builder, signature, args):
                context.nrt.incref(builder, signature.return_type, args[0])
                return args[0]

            return array(array), same

        def codegen(context, builder, signature, args):
            source = context.make_array(signature.args[0])(context, builder, value=args[0])
            return source.data

        return types.CPointer(array.dtype)(array), codegen

    @intrinsic
    def unowned(typingctx, array):
        """See an array without owning it: passing it on costs nothing."""

        def codegen(context, builder, signature, args):
            seen = context.make_array(signature.args[0])(context, builder, value=args[0])
            seen.meminfo = cgutils.get_null_value(seen.meminfo.type)
            seen.parent = cgutils.get_null_value(seen.parent.type)
            return seen._getvalue()

        return array(array), codegen

    @intrinsic
    def address_of(typingctx, struct):
        """Give the address of a struct, for `struct_at`; the caller keeps the struct alive."""

        def codegen(context, builder, signature, args):
            source = cgutils.create_struct_proxy(signature.args[0])(context, builder, value=args[0])
            return builder.ptrtoint(source.meminfo, context.get_value_type(types.int64))

        return types.int64(struct), codegen

    @intrinsic
    def struct_at(typingctx, place):
        """Give back the struct at an address (in plain Python the struct itself was kept)."""

        def codegen(context, builder, signature, args):
            result = cgutils.create_struct_proxy(erased)(context, builder)
            result.meminfo = builder.inttoptr(args[0], result.meminfo.type)
            context.nrt.incref(builder, erased, result._getvalue())
            return result._getvalue()

        return erased(types.int64), codegen

    for _function in (bare, unowned, address_of, struct_at):
        _PLAIN[id(_function)] = _same
else:
    bare = unowned = address_of = struct_at = _same


def array_type(dtype: Any, dimensions: int) -> types.Type:
    """Give the numba type of a C-contiguous array."""
    from numba.np.numpy_support import from_dtype

    return types.Array(from_dtype(np.dtype(dtype)), dimensions, "C")


def maker(name: str, target: Any) -> Callable[..., Any]:
    """Make a function that builds a native struct from keyword arguments, its fields.

    Fields that are not given are left empty. Arrays are not owned by the struct: what is returned
    keeps them alive. Where nothing is compiled, it builds a plain object.
    """
    if not COMPILED:
        return lambda **fields: python.SimpleNamespace(**fields)
    built: dict[tuple[str, ...], Any] = {}

    def make(**fields: Any) -> Any:
        names = tuple(fields)
        if names not in built:
            lines = [f"def make_{name}({', '.join(names)}):", "    made = new(target)"]
            lines += [f"    made.{field} = {field}" for field in names]
            scope = {"__name__": __name__, "new": structref.new, "target": target}
            exec("\n".join([*lines, "    return made"]), scope)
            source = scope[f"make_{name}"]
            signature = target(*(target.field_dict[field] for field in names))
            dispatcher = keep(numba.njit(source), f"{package_digest()} {names}")
            dispatcher.compile(signature)
            dispatcher.disable_compile()
            built[names] = dispatcher
        made = built[names](*fields.values())
        made.kept = fields
        return made

    return make
