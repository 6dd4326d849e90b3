from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from .. import Expr
from . import ops

__all__ = ["op", "ops", "use"]

def op(function: str | Expr, name: str | None = None, *, grad: Sequence[str] | None = None, decompose: bool | None = None) -> Callable[..., Any]:
    """An operator of torch of an expression: a text, what `libtileops.expr` gives, or an expression that has a name.

    name: of the operator, libtileops::NAME; else one that follows from the text.
    grad: names of the operands that may require gradients, () for none; else all, where there are derivatives. An operand
        of integers, such as labels, has none: leave it out.
    decompose: may Inductor take torch's functions for it, and so fuse it with its neighbours? Else what has no `name` is, on the CPU;
        True: on CUDA as well.
    """

def use(only: str | Iterable[str] | None = None) -> AbstractContextManager[Counter[str]]:
    """Within it operators of torch are computed by this library where it can, on the CPU and on CUDA, in this thread.

    only: names of the functions that are, such as "softmax"; else all of use.names. The innermost block counts.
    Gives a Counter of the calls that the library has computed.
    """
