"""From a decoder to native code: find its types, compile it with what it calls, say what is wrong.

An example may be any value that is made of arrays, numbers and texts: an array, a tuple, a named
tuple, a dataclass, a dict with fixed keys, or a namespace. In native code it becomes a record (an
immutable bundle of its fields, passed by value), so that types depend on nothing but field names.
"""

import dataclasses
import functools
import hashlib
import types as python
from collections.abc import Callable, Mapping
from typing import Any

import numba
import numpy as np
from numba.core import cgutils, errors, types
from numba.core.datamodel import default_manager, models
from numba.core.typing.templates import AttributeTemplate
from numba.experimental import structref
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic

from rollin.compiler.calls import TaskSearchType, digest_of_names
from rollin.compiler.drive import RUN
from rollin.compiler.explaining import explain
from rollin.decisions.schema import Schema
from rollin.decisions.state import search_type
from rollin.errors import RollinError
from rollin.native.kernels import keep, package_digest
from rollin.native.structs import array_type, caster, define, erase, erased


class CompileProblem(RollinError):
    """A decoder that numba can't compile."""


# --- records -----------------------------------------------------------------------------------


class Record(types.Type):
    """The native type of an example with named fields."""

    def __init__(self, fields: tuple[tuple[str, types.Type], ...]) -> None:
        self.fields = fields
        super().__init__(f"record({', '.join(f'{name}: {kind}' for name, kind in fields)})")


class _RecordModel(models.StructModel):
    def __init__(self, manager: Any, record: Record) -> None:
        super().__init__(manager, record, list(record.fields))


default_manager.register(Record, _RecordModel)


@infer_getattr
class _RecordFields(AttributeTemplate):
    key = Record

    def generic_resolve(self, record, name):
        return dict(record.fields).get(name)


@lower_getattr_generic(Record)
def _get_field(context, builder, record, value, name):
    proxy = cgutils.create_struct_proxy(record)(context, builder, value=value)
    kind = dict(record.fields)[name]
    if context.enable_nrt:
        context.nrt.incref(builder, kind, getattr(proxy, name))
    return getattr(proxy, name)


def recorder(record: Record) -> Any:
    """Make a function that sees a tuple as a record."""

    @intrinsic
    def as_record(typingctx, bundle):
        def codegen(context, builder, signature, args):
            proxy = cgutils.create_struct_proxy(record)(context, builder)
            for place, (name, kind) in enumerate(record.fields):
                value = builder.extract_value(args[0], place)
                context.nrt.incref(builder, kind, value)
                setattr(proxy, name, value)
            return proxy._getvalue()

        return record(bundle), codegen

    return as_record


# --- examples ----------------------------------------------------------------------------------


def encode(example: Any) -> tuple[tuple[str, ...] | None, tuple]:
    """Take an example apart: the names of its fields (None where it has none), and their values.

    Lists of numbers become arrays. Fields that native code can't hold (lists of texts, say) are
    left out: the decoder can't use them, but what prepares its input can.
    """
    if isinstance(example, (np.ndarray, list, int, float, np.generic)):
        return None, (_value(example),)
    names: tuple[str, ...] | None = None
    if dataclasses.is_dataclass(example):
        names = tuple(field.name for field in dataclasses.fields(example))
        values = [getattr(example, name) for name in names]
    elif isinstance(example, Mapping):
        names, values = tuple(example), list(example.values())
    elif isinstance(example, tuple):
        names, values = getattr(example, "_fields", None), list(example)
    elif hasattr(example, "__dict__"):
        names, values = tuple(vars(example)), list(vars(example).values())
    else:
        raise CompileProblem(
            f"an example is a {type(example).__name__}; native code takes arrays, numbers, tuples, "
            "named tuples, dataclasses and dicts. To keep it, run the task with compiled=False"
        )
    encoded = [_value(value) for value in values]
    if names is None:
        return None, tuple(encoded)
    kept = [place for place, value in enumerate(encoded) if value is not None]
    return tuple(names[place] for place in kept), tuple(encoded[place] for place in kept)


def _value(value: Any) -> Any:
    """Give a field as native code takes it, None if it can't."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind not in "iufb":
            return None
        ready = np.ascontiguousarray(value)
        return ready if ready.flags.writeable else ready.copy()
    if isinstance(value, (bool, int, float, np.integer, np.floating, np.bool_)):
        return value
    if isinstance(value, (list, range)) or (isinstance(value, tuple) and value):
        if all(isinstance(item, (bool, int, np.integer)) for item in value):
            return np.array(value, np.int64)
        if all(isinstance(item, (bool, int, float, np.number)) for item in value):
            return np.array(value, np.float64)
        if all(isinstance(item, (list, tuple)) for item in value):
            try:
                return _value(np.array(value))
            except ValueError:
                return None
    return None


@functools.cache
def _array_type(dtype: np.dtype, dimensions: int) -> types.Type:
    return array_type(dtype, dimensions)


def type_of(value: Any) -> types.Type:
    """Give the native type of a value of an example."""
    if isinstance(value, np.ndarray):
        return _array_type(value.dtype, value.ndim)
    return types.unliteral(numba.typeof(value))


# --- the decoder -------------------------------------------------------------------------------


class _BoxType(types.StructRef):
    """An example, and what the decoder last made of it."""


define(_BoxType)


class NativeDecoder:
    """A decoder compiled for one type of example.

    `checked` catches an index beyond an array's end; without, a decoder that is known to keep to
    its arrays runs a little faster.
    """

    def __init__(
        self, schema: Schema, function: Callable, example: Any, checked: bool = True
    ) -> None:
        self.schema, self.function = schema, function
        self.names, values = encode(example)
        self._types = tuple(type_of(value) for value in values)
        bundle = types.Tuple(self._types)
        if self.names is None:
            kind = self._types[0] if len(values) == 1 and not isinstance(example, tuple) else bundle
        else:
            kind = Record(tuple(zip(self.names, self._types, strict=True)))
        own = f"{digest_of(function)} {checked}"
        digest = f"{package_digest()} {digest_of_names(schema)} {own}"
        task_search = TaskSearchType(schema)
        decoder = keep(_compiling(checked)(lift(function, checked)), digest)
        try:
            decoder.compile((task_search, kind))
        except errors.NumbaError as problem:
            raise CompileProblem(explain(problem, function, schema)) from None
        compiled = next(iter(decoder.overloads.values()))
        self.returns = types.unliteral(compiled.signature.return_type)
        self.decoder, self.task_search, self.kind, self.digest = decoder, task_search, kind, digest
        try:
            self._compile_ends(bundle)
        except errors.NumbaError:
            raise CompileProblem(
                f"task {schema.task!r} can't be compiled: what it returns, {self.returns}, can't "
                "be handed over by native code. Return numbers, arrays, or a tuple of these, or "
                "run the task as plain Python with compiled=False"
            ) from None

    def _compile_ends(self, bundle: types.Type) -> None:
        """Compile what puts examples in and takes results out."""
        decoder, kind, digest = self.decoder, self.kind, self.digest
        box_type = _BoxType([("example", kind), ("result", self.returns)])
        open_box, as_task = caster(box_type), caster(self.task_search)
        is_record, is_single = isinstance(kind, Record), kind != bundle
        as_record: Any = recorder(kind) if is_record else None

        def run(search, boxed):
            box = open_box(boxed)
            box.result = decoder(as_task(search), box.example)

        def fill(values):
            box = structref.new(box_type)
            if is_record:
                box.example = as_record(values)
            elif is_single:
                box.example = values[0]
            else:
                box.example = values
            return erase(box)

        def take(boxed):
            return open_box(boxed).result

        name = f"{self.schema.task} {kind} {self.returns}"
        self.run = self.ready(run, f"run {name} {digest}", (search_type, erased))
        self._fill = self.ready(fill, f"fill {name} {digest}", (bundle,))
        self._take = self.ready(take, f"take {name} {digest}", (erased,))
        self.run_type = RUN

    @staticmethod
    def ready(function: Callable, digest: str, arguments: tuple) -> Any:
        """Compile a function for these arguments alone, or take it from the cache."""
        dispatcher = keep(numba.njit(nogil=True)(function), digest)
        dispatcher.compile(arguments)
        dispatcher.disable_compile()
        return dispatcher

    def box(self, example: Any, number: int) -> Any:
        """Put an example where native code finds it."""
        names, values = encode(example)
        kinds = tuple(type_of(value) for value in values)
        if names != self.names or kinds != self._types:
            values = self._reconcile(names, values, kinds, number)
        return self._fill(values)

    def _reconcile(self, names, values, kinds, number) -> tuple:
        """Bring an example to the types of the first one, or say how it differs."""
        expected = self.names or tuple(f"part {place}" for place in range(len(self._types)))
        found = names or tuple(f"part {place}" for place in range(len(kinds)))
        by_name = dict(zip(found, zip(values, kinds, strict=True), strict=True))
        ready = []
        for name, wanted in zip(expected, self._types, strict=True):
            value, kind = by_name.get(name, (None, None))
            if kind == wanted:
                ready.append(value)
            elif isinstance(value, np.ndarray) and value.size == 0 and value.ndim == wanted.ndim:
                ready.append(value.astype(numba.np.numpy_support.as_dtype(wanted.dtype)))
            else:
                raise CompileProblem(
                    f"task {self.schema.task!r}: {name} of example {number} is "
                    f"{kind or 'missing, or nothing native code can hold'}; in the first example "
                    f"it is {wanted}. All examples must be of one type"
                )
        return tuple(ready)

    def result(self, box: Any) -> Any:
        """Give what the decoder returned for a box."""
        return self._take(box)


def lift(function: Callable, checked: bool = True) -> Callable:
    """Give a function in which the plain Python functions it calls are ready to be compiled."""
    return _lift(function, checked, {})


def _compiling(checked: bool) -> Any:
    return numba.njit(nogil=True, boundscheck=True if checked else None)


def _lift(function: Callable, checked: bool, done: dict[int, Any]) -> Callable:
    scope = dict(function.__globals__)
    closure = function.__closure__
    twin = python.FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__,
        closure and tuple(python.CellType(cell.cell_contents) for cell in closure),
    )  # fmt: skip
    twin.__kwdefaults__ = function.__kwdefaults__
    twin.__qualname__, twin.__module__ = function.__qualname__, function.__module__

    def ready(value: Any) -> Any:
        if not isinstance(value, python.FunctionType):
            return value
        if id(value) not in done:
            done[id(value)] = None  # a function that calls itself
            inner = _lift(value, checked, done)
            inner.__qualname__ += f"_{digest_of(value)}_{checked}"  # for its symbol: see `keep`
            done[id(value)] = _compiling(checked)(inner)
        return done[id(value)] or value

    for name in _names(function.__code__):
        if name in scope:
            scope[name] = ready(scope[name])
    for cell in twin.__closure__ or ():
        cell.cell_contents = ready(cell.cell_contents)
    return twin


def _names(code: python.CodeType) -> set[str]:
    inner = [const for const in code.co_consts if isinstance(const, python.CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def digest_of(function: Callable) -> str:
    """Digest all that a decoder's native code depends on: its code, constants and callees."""
    digest = hashlib.blake2b(digest_size=12)
    _digest_function(function, digest, set())
    return digest.hexdigest()


def _digest_function(function: Callable, digest: Any, seen: set[int]) -> None:
    if id(function) in seen:
        return
    seen.add(id(function))
    _digest_code(function.__code__, digest)
    digest.update(repr((function.__defaults__, function.__kwdefaults__)).encode())
    values = [cell.cell_contents for cell in function.__closure__ or ()]
    names = sorted(_names(function.__code__))
    for name in names:
        value = function.__globals__.get(name)
        values.append(value)
        if isinstance(value, python.ModuleType):
            values += [getattr(value, inner, None) for inner in names]
    for value in values:
        source = getattr(value, "py_func", value)
        if isinstance(source, python.FunctionType):
            _digest_function(source, digest, seen)
        elif isinstance(value, np.ndarray):
            digest.update(f"{value.dtype} {value.shape}".encode() + value.tobytes())
        elif isinstance(value, (int, float, str, bytes, tuple, frozenset, np.generic)):
            digest.update(repr(value).encode())


def _digest_code(code: python.CodeType, digest: Any) -> None:
    digest.update(code.co_code + repr((code.co_names, code.co_varnames)).encode())
    for const in code.co_consts:
        if isinstance(const, python.CodeType):
            _digest_code(const, digest)
        else:
            digest.update(repr(const).encode())
