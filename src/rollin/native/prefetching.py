"""Asking the processor for memory before it is needed.

A table of weights is far larger than the caches, and a decision reads a hundred or two of its rows,
all over it. The processor waits for each some 100 ns, unless it is told of them in advance: then
many are on their way at once.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from rollin.native.kernels import COMPILED

if COMPILED:

    @intrinsic
    def prefetch(typingctx, array, place):
        """Bring the line of the cache that has array[place] nearer; it changes nothing else."""

        def codegen(context, builder, signature, args):
            data = context.make_array(signature.args[0])(context, builder, value=args[0]).data
            byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
            fetch = builder.module.declare_intrinsic("llvm.prefetch", (byte,), kind)
            line = builder.bitcast(builder.gep(data, [args[1]]), byte)
            builder.call(fetch, [line, number(0), number(3), number(1)])
            return context.get_dummy_value()

        return types.void(array, types.int64), codegen

else:

    def prefetch(array: Any, place: int) -> None:
        """Do nothing: without native code it would not help."""
